"""What makes types and constants refuses arguments of wrong kinds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

import bitcodec
from bitcodec.ir import ConstantTable, Context, TypeTable

context = Context()
types, constants = context.types, context.constants
i32, i64 = types.integer(32), types.integer(64)
pair = types.vector(2, i32)
one = constants.integer(i32, 1)
vector = constants.data(pair, [1, 2])
module = bitcodec.open("examples/hello.bc")
main = next(function for function in module.functions if function.name == "main")
CALLS: dict[Callable[..., object], tuple[object, ...]] = {
    types.integer: (32,),
    types.pointer: (1,),
    types.array: (3, i32),
    types.vector: (3, i32),
    types.struct: ((i32, i64),),
    types.function: (i32, (i64,)),
    types.target_extension: ("spirv.Image", (i32,), (1, 2)),
    types.find_struct: ("name",),
    types.unique_name: ("name",),
    types.like: (pair, i64),
    constants.integer: (i32, 7),
    constants.floating: (types.double, 7),
    constants.real: (types.double, 1.5),
    constants.null: (i32,),
    constants.undef: (i32,),
    constants.poison: (i32,),
    constants.data: (pair, (1, 2)),
    constants.aggregate: (pair, (one, one)),
    constants.splat: (pair, one),
    constants.cast: ("inttoptr", one, types.ptr),
    constants.binary: ("add", one, one),
    constants.get_element_ptr: (i32, constants.null(types.ptr), (one,)),
    constants.extract_element: (vector, one),
    constants.insert_element: (vector, one, one),
    constants.shuffle_vector: (vector, vector, (0, 1)),
    constants.block_address: (main, main.blocks[0]),
    constants.dso_local_equivalent: (main,),
    constants.no_cfi: (main,),
    constants.ptr_auth: (constants.null(types.ptr), one, one, constants.null(types.ptr), constants.null(types.ptr)),
    constants.inline_asm: (types.function(types.void), "nop", ""),
}
"""A call of each method, with arguments that it accepts."""
OPTIONS: dict[Callable[..., object], dict[str, object]] = {
    types.vector: {"is_scalable": True},
    types.struct: {"is_packed": True},
    types.function: {"is_vararg": True},
    constants.boolean: {"value": True},
    constants.inline_asm: dict.fromkeys(("has_side_effects", "is_align_stack", "is_intel_dialect", "can_unwind"), True),
}
WRONG: list[object] = [
    None,
    object(),
    -1.5,
    "nonsense",
    1j,
    [],
    [None],
    ["x"],
    {None: None},
    int,
    i32,
    one,
    main,
    module,
]
"""Objects; some are right for an argument, but none for all."""
MADE_WITHOUT = {
    "target_extensions",
    "newer_types",
    "assembly",
    "with_operands",
    "forget",
    "name_struct",
    "release_name",
}
"""Methods that make nothing."""


def accepts(argument: object, wrong: object) -> bool:
    """Return whether an object is of the kind of an argument."""
    if isinstance(argument, float):
        return isinstance(wrong, int | float)
    if isinstance(argument, tuple):
        return isinstance(wrong, tuple | list) and all(accepts(argument[0], each) for each in wrong)
    kind = next(kind for kind in (bitcodec.ir.Type, bitcodec.ir.Constant, type(argument)) if isinstance(argument, kind))
    return isinstance(wrong, kind)


def test_every_method_is_tried() -> None:
    tried = {method.__name__ for method in (*CALLS, *OPTIONS)}
    made = {name for table in (TypeTable, ConstantTable) for name in vars(table) if callable(getattr(table, name))}
    assert tried == {name for name in made if not name.startswith("_")} - MADE_WITHOUT


@pytest.mark.parametrize("method", CALLS, ids=lambda method: method.__name__)
def test_arguments_of_wrong_kinds_are_refused(method: Callable[..., object]) -> None:
    arguments = CALLS[method]
    method(*arguments)
    for place, argument in enumerate(arguments):
        for wrong in WRONG:
            given = (*arguments[:place], wrong, *arguments[place + 1 :])
            if accepts(argument, wrong):
                refused_or_made(method, given)
            else:
                with pytest.raises((TypeError, ValueError), match=" must be "):
                    method(*given)


def refused_or_made(method: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    with suppress(TypeError, ValueError):
        method(*arguments)


@pytest.mark.parametrize("method", OPTIONS, ids=lambda method: method.__name__)
def test_options_are_booleans(method: Callable[..., object]) -> None:
    method(*CALLS.get(method, ()), **OPTIONS[method])
    for name in OPTIONS[method]:
        for wrong in (None, "no", 2, [], i32):
            with pytest.raises(TypeError, match=f"{name} must be True or False"):
                method(*CALLS.get(method, ()), **OPTIONS[method] | {name: wrong})


def test_numbers_that_no_type_has_are_refused() -> None:
    for call in (lambda: types.pointer(-1), lambda: types.array(-1, i32), lambda: types.vector(-1, i32)):
        with pytest.raises(ValueError, match="must be at least 0; got -1"):
            call()
    for call in (lambda: types.integer(True), lambda: types.array(True, i32), lambda: types.pointer(1.0)):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="must be int"):
            call()
