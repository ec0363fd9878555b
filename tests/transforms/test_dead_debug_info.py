"""Debug information of what is gone goes too."""

from __future__ import annotations

import pytest

from bitcodec.builder import Builder, DebugInfo, add_block, add_variable, metadata_node
from bitcodec.ir.debug_info import DIExpression, DIGlobalVariable, DIGlobalVariableExpression
from bitcodec.ir.metadata import MDTuple
from bitcodec.ir.module import Module
from bitcodec.tables.debug_info_flags import EmissionKind
from bitcodec.transforms import extract_functions
from bitcodec.transforms.dead_debug_info import strip_dead_debug_info

from .samples import add_caller, small_module

CONSTU, CONSTS, STACK_VALUE, FRAGMENT, PLUS_UCONST = 0x10, 0x11, 0x9F, 0x1000, 0x23


def tell_of_variable(debug: DebugInfo, name: str, *elements: int) -> DIGlobalVariableExpression:
    """Return what tells of a variable, and let the unit list it."""
    table = debug.module.context.metadata
    number = debug.basic_type("int", 32)
    variable = DIGlobalVariable(name=name, scope=debug.unit, file=debug.file, type=number, is_distinct=True)
    made = table.unique(DIGlobalVariableExpression(variable=variable, expression=table.unique(DIExpression(elements))))
    listed = debug.unit.globals.operands if isinstance(debug.unit.globals, MDTuple) else ()
    debug.unit.globals = metadata_node(debug.module, *listed, made)
    return made


def listed_units(module: Module) -> list[object]:
    return [*module.named_metadata["llvm.dbg.cu"].operands]


def test_units_of_nothing_are_not_listed() -> None:
    module = small_module()
    units = [DebugInfo(module, f"{name}.c") for name in "abcd"]
    for debug, name in zip(units[1:3], "fg", strict=True):
        debug.subprogram(add_caller(module, name), 1)
    strip_dead_debug_info(module)
    assert listed_units(module) == [units[1].unit, units[2].unit]
    extract_functions(module, ["g"])
    assert listed_units(module) == [units[2].unit]


def test_units_of_inlined_code_stay() -> None:
    module = small_module()
    outer, inner = DebugInfo(module, "a.c"), DebugInfo(module, "b.c")
    function, gone = add_caller(module, "f"), add_caller(module, "gone")
    at = outer.location(2, 1, outer.subprogram(function, 1))
    inlined = inner.subprogram(gone, 5)
    function.instructions[0].debug_location = inner.location(6, 1, inlined, inlined_at=at)
    extract_functions(module, ["f"])
    assert listed_units(module) == [outer.unit, inner.unit]


def test_units_of_what_a_record_tells_of_stay() -> None:
    module = small_module()
    outer, inner = DebugInfo(module, "a.c"), DebugInfo(module, "b.c")
    function, gone = add_caller(module, "f"), add_caller(module, "gone")
    subprogram, other = outer.subprogram(function, 1), inner.subprogram(gone, 5)
    builder = Builder(function.blocks[0])
    with builder.before(function.blocks[0].instructions[0]):
        variable = inner.local_variable(other, "n", inner.basic_type("int", 32), 6)
        number = builder.constant(module.context.types.integer(32), 1)
        builder.dbg_value(number, variable, location=outer.location(2, 1, subprogram))
    extract_functions(module, ["f"])
    assert listed_units(module) == [outer.unit, inner.unit]


def test_variables_that_are_gone_are_not_told_of() -> None:
    module = small_module()
    debug = DebugInfo(module, "a.c")
    there = add_variable(module, "there", module.context.types.integer(32), 0)
    told, _ = tell_of_variable(debug, "there"), tell_of_variable(debug, "gone")
    there.metadata.add("dbg", told)
    strip_dead_debug_info(module)
    assert debug.unit.globals is metadata_node(module, told)
    assert listed_units(module) == [debug.unit]


@pytest.mark.parametrize(
    ("elements", "stays"),
    [
        ((CONSTU, 7), True),
        ((CONSTS, 7, STACK_VALUE), True),
        ((CONSTU, 7, STACK_VALUE, FRAGMENT, 0, 32), True),
        ((CONSTU, 7, PLUS_UCONST, 1), False),
        ((PLUS_UCONST, 1), False),
        ((), False),
    ],
)
def test_variables_that_became_constants_stay(elements: tuple[int, ...], stays: bool) -> None:
    module = small_module()
    debug = DebugInfo(module, "a.c")
    told = tell_of_variable(debug, "n", *elements)
    strip_dead_debug_info(module)
    assert isinstance(debug.unit.globals, MDTuple)
    assert debug.unit.globals.operands == ((told,) if stays else ())
    assert listed_units(module) == ([debug.unit] if stays else [])


def test_empty_units_stay_if_there_is_nothing_else_to_do() -> None:
    module = small_module()
    debug = DebugInfo(module, "a.c", emission_kind=EmissionKind.NoDebug)
    strip_dead_debug_info(module)
    assert listed_units(module) == [debug.unit]


def test_no_debug_information_at_all() -> None:
    module = small_module()
    Builder(add_block(add_caller(module, "f"), "never")).ret()
    strip_dead_debug_info(module)
    assert not module.named_metadata
