"""Fingerprints: equal for the same instructions, whatever their names; different where code differs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, add_variable, new_module
from bitcodec.ir import Function
from bitcodec.report import collect, fingerprint
from corpus import FOLDER, is_there

from .files import QUEUE, module_of


def function_of(make: Callable[[Builder, Function], object], name: str = "f", argument: str = "") -> Function:
    module = new_module("m", target_triple="x86_64-unknown-linux-gnu")
    types = module.context.types
    i32 = types.integer(32)
    function = add_function(module, name, types.function(i32, [i32, i32]))
    function.arguments[0].name = argument
    builder = Builder(add_block(function))
    builder.ret(make(builder, function))
    module_of_functions.append(module)
    return function


module_of_functions: list[object] = []
"""Keeps the modules of functions."""


def test_names_do_not_count() -> None:
    one = function_of(lambda builder, f: builder.add(f.arguments[0], f.arguments[1], name="sum"))
    other = function_of(lambda builder, f: builder.add(f.arguments[0], f.arguments[1]), name="g", argument="x")

    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    "make",
    [
        lambda builder, f: builder.add(f.arguments[1], f.arguments[0]),
        lambda builder, f: builder.sub(f.arguments[0], f.arguments[1]),
        lambda builder, f: builder.add(f.arguments[0], f.arguments[1], nsw=True),
        lambda builder, f: builder.add(f.arguments[0], 1),
        lambda builder, f: builder.add(f.arguments[0], 2),
    ],
)
def test_code_counts(make: Callable[[Builder, Function], object]) -> None:
    plain = function_of(lambda builder, f: builder.add(f.arguments[0], f.arguments[1]))
    made = [fingerprint(function_of(each)) for each in (make, make)]

    assert made[0] == made[1] != fingerprint(plain)


def test_callees_count_by_name() -> None:
    first, second = module_of("a", "f"), module_of("b", "f")

    assert fingerprint(first.functions["a"]) == fingerprint(second.functions["b"])
    assert fingerprint(first.functions["f"]) != fingerprint(second.functions["f"])


def test_a_function_that_calls_itself_is_the_same_under_another_name() -> None:
    def make(name: str) -> str:
        module = new_module("m", target_triple="x86_64-unknown-linux-gnu")
        types = module.context.types
        function = add_function(module, name, types.function(types.void, []))
        builder = Builder(add_block(function))
        builder.call(function, [])
        builder.ret()
        return fingerprint(function)

    assert make("f") == make("g")


def test_private_constants_count_by_their_content() -> None:
    def make(name: str, value: int) -> str:
        module = new_module("m", target_triple="x86_64-unknown-linux-gnu")
        types = module.context.types
        variable = add_variable(module, name, types.integer(32), value)
        variable.linkage = "private"
        variable.is_constant = True
        function = add_function(module, "f", types.function(types.integer(32), []))
        builder = Builder(add_block(function))
        builder.ret(builder.load(types.integer(32), variable))
        return fingerprint(function)

    assert make(".str", 1) == make(".str.7", 1) != make(".str", 2)


def test_writing_and_reading_again_keeps_fingerprints() -> None:
    module = bitcodec.open(QUEUE)
    module.materialize()
    module.functions["push"].name = "renamed"
    again = bitcodec.loads(bitcodec.dumps(module))

    assert [fingerprint(each) for each in again.functions if not each.is_declaration] == [
        fingerprint(each) for each in bitcodec.open(QUEUE).functions if not each.is_declaration
    ]


@pytest.mark.skipif(not is_there(), reason="the corpus is not next to the checkout")
def test_bitcode_with_and_without_debug_information_has_the_same_duplicates() -> None:
    report = collect(sorted(FOLDER.glob("modules/exceptions-*-22.bc")))
    names = [sorted({function.name for function in group}) for group in report.duplicates]

    assert any(len(group) == 1 for group in names)  # one function in several modules
