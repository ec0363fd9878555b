"""Texts of parts share the numbers of a module's values, and follow every change."""

from __future__ import annotations

import pytest

import bitcodec
from bitcode.streams import VOID, binary, function, function_block, function_type, integer, module, ret, types
from bitcodec.asm import Printer, kept_numbers
from bitcodec.ir import Function, Instruction
from blowups import write_stream


def additions(count: int, functions: int = 1) -> bytes:
    """Return functions with instructions that have no names."""
    body = [binary(1, 1) for _ in range(count)]
    heads = [function(2, is_declaration=0) for _ in range(functions)]
    bodies = [function_block(*body, ret(1)) for _ in range(functions)]
    return write_stream(module(types(integer(32), VOID, function_type(0, 0)), *heads, *bodies))


@pytest.fixture
def numbered(monkeypatch: pytest.MonkeyPatch) -> list[Function]:
    """Return a list that every numbering of a function adds it to."""
    found: list[Function] = []
    number = kept_numbers.local_names

    def local_names(function: Function) -> object:
        found.append(function)
        return number(function)

    monkeypatch.setattr(kept_numbers, "local_names", local_names)
    return found


def texts(function: Function) -> list[str]:
    return [str(instruction) for instruction in function.instructions]


def expected(function: Function) -> list[str]:
    """Return the texts that a printer makes, which numbers the function."""
    return [Printer(function.parent).text_of(instruction) for instruction in function.instructions]


def test_a_function_is_numbered_once(numbered: list[Function]) -> None:
    opened = bitcodec.loads(additions(50, functions=3))
    first, second, third = opened.functions
    for _ in range(2):
        for each in opened.functions:
            assert texts(each) == expected(each)
    assert numbered == [first, second, third]


def test_few_names_are_kept(numbered: list[Function], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_numbers, "_MAX_KEPT_NAMES", 20)
    opened = bitcodec.loads(additions(50, functions=3))
    for _ in range(2):
        for each in opened.functions:
            assert texts(each) == expected(each)
    assert len(numbered) == 6


def instruction(function: Function, index: int) -> Instruction:
    return list(function.instructions)[index]


def rename(function: Function) -> None:
    instruction(function, 1).name = "named"


def erase(function: Function) -> None:
    instruction(function, 1).replace_all_uses_with(function.arguments[0])
    instruction(function, 1).erase_from_parent()


def insert(function: Function) -> None:
    function.blocks[0].insert(1, instruction(function, 0).clone())


def split(function: Function) -> None:
    function.blocks[0].split(instruction(function, 2))


def rename_argument(function: Function) -> None:
    function.arguments[0].name = "a"


def move(function: Function) -> None:
    instruction(function, 3).move_before(instruction(function, 1))


def delete(function: Function) -> None:
    function.delete_body()


@pytest.mark.parametrize("change", [rename, erase, insert, split, rename_argument, move, delete])
def test_every_change_numbers_again(change: object) -> None:
    assert callable(change)
    opened = bitcodec.loads(additions(5))
    (function,) = opened.functions
    before = texts(function)
    change(function)
    assert texts(function) == expected(function)
    assert texts(function) != before


def test_globals_without_a_name() -> None:
    opened = bitcodec.loads(additions(1, functions=3))
    functions = list(opened.functions)
    assert [str(function).split("(")[0] for function in functions] == [f"define i32 @{number}" for number in range(3)]
    functions[0].erase_from_parent()
    assert str(functions[2]).startswith("define i32 @1(")
    functions[1].name = "named"
    assert str(functions[2]).startswith("define i32 @0(")
