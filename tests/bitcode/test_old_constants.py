"""Casts between typed pointers, in constants of files before LLVM 15: they are what they cast, as in LLVM 22."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

import bitcodec
from bitcodec import BitcodecError
from bitcodec.bitcode.reader.constants import ConstantReader

from . import streams as s
from .streams import module, record, stream

I8, I8_POINTER, I32, I32_POINTER, HELD, FAR_POINTER, VOID, FUNCTION, ACTION = range(9)
TYPES = s.types(
    s.integer(8),
    s.pointer(I8),
    s.integer(32),
    s.pointer(I32),
    s.pointer(I8_POINTER),
    s.pointer(I8, 1),
    s.VOID,
    s.function_type(I8_POINTER, I32_POINTER),
    s.function_type(VOID),
)
NUMBER, POINTER, GLOBALS = range(3)
"""Values: a variable that is cast, one that holds a constant, and the number of the first constant."""

CAST, BITCAST, PTRTOINT = 11, 11, 9
FIRST, SECOND, THIRD = GLOBALS, GLOBALS + 1, GLOBALS + 2


def cast(operand: int, type_id: int = I32_POINTER, opcode: int = BITCAST, *further: int) -> s.Record:
    return record(CAST, opcode, type_id, operand, *further)


def holding(*constants: s.Record) -> bytes:
    """Return a module with a variable that holds the first of these constants."""
    variables = [s.variable(I32_POINTER), s.variable(HELD, initializer=FIRST + 1)]
    return stream(module(TYPES, *variables, s.constants(*constants), s.value_symtab({NUMBER: "n", POINTER: "p"})))


def using(*constants: s.Record, used: int = 1) -> bytes:
    """Return a module with a function that returns one of these constants, counted from the last."""
    body = s.function_block(s.constants(*constants), s.ret(used))
    globals_ = [s.variable(I32_POINTER), s.variable(HELD)]
    function = s.function(FUNCTION, is_declaration=0)
    names = s.value_symtab({NUMBER: "n", POINTER: "p", 2: "f"})
    return stream(module(TYPES, *globals_, function, names, body))


def text_of(data: bytes) -> str:
    return bitcodec.print_assembly(bitcodec.loads(data, "<stdin>"))


def outcome(data: bytes) -> str:
    try:
        return text_of(data)
    except BitcodecError as error:
        return f"refused: {error}"


SOUND = {
    "of a global": holding(s.set_type(I8_POINTER), cast(NUMBER)),
    "of a cast": holding(s.set_type(I8_POINTER), cast(SECOND), s.set_type(I32_POINTER), cast(NUMBER)),
    "of casts ahead": holding(s.set_type(I8_POINTER), cast(SECOND), cast(THIRD), cast(NUMBER)),
    "of null": holding(s.set_type(I8_POINTER), cast(SECOND), s.set_type(I32_POINTER), s.NULL),
    "of an address": holding(
        s.set_type(I8_POINTER), cast(SECOND), s.set_type(I32_POINTER), record(12, I32, I32_POINTER, NUMBER, I32, THIRD),
        s.set_type(I32), s.constant_integer(3),
    ),
    "with another type stated": holding(s.set_type(I8_POINTER), cast(NUMBER, I32)),
    "with a further operand": holding(s.set_type(I8_POINTER), cast(NUMBER, I32_POINTER, BITCAST, 0)),
    "in a function": using(s.set_type(I8_POINTER), cast(NUMBER)),
    "in a function, of others": using(s.set_type(I8_POINTER), cast(5), cast(6), cast(NUMBER), used=3),
}  # fmt: skip
REFUSED = {
    "of nothing": holding(s.set_type(I8_POINTER), cast(100)),
    "of a type that there is not": holding(s.set_type(I8_POINTER), cast(NUMBER, 100)),
    "of too few operands": holding(s.set_type(I8_POINTER), record(CAST, BITCAST, I32_POINTER)),
}


CIRCLES = {
    "of itself": holding(s.set_type(I8_POINTER), cast(FIRST)),
    "of each other": holding(s.set_type(I8_POINTER), cast(SECOND), cast(FIRST)),
}
"""LLVM 22 does not end on them."""
ALL = SOUND | REFUSED | CIRCLES


@pytest.mark.parametrize("name", SOUND)
def test_llvm_reads_the_same(name: str) -> None:
    assert text_of(SOUND[name]) == s.llvm_dis(SOUND[name])


@pytest.mark.parametrize("name", REFUSED)
def test_llvm_refuses_the_same(name: str) -> None:
    assert s.llvm_dis_error(REFUSED[name])
    with pytest.raises(BitcodecError):
        text_of(REFUSED[name])


@pytest.mark.parametrize("name", CIRCLES)
def test_circles_are_refused(name: str) -> None:
    with pytest.raises(BitcodecError, match="the constant is part of itself"):
        text_of(CIRCLES[name])


@pytest.mark.parametrize("name", ALL)
def test_casts_that_are_made_one_by_one_are_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = outcome(ALL[name])
    monkeypatch.setattr(ConstantReader, "_resolve_bitcasts", lambda *_: None)
    assert outcome(ALL[name]) == expected


@pytest.mark.parametrize("name", ["of a global", "of null", "in a function"])
def test_frequent_casts_are_not_decoded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> NoReturn:
        raise AssertionError

    monkeypatch.setattr(ConstantReader, "_decode", refuse)
    read = bitcodec.loads(SOUND[name])
    read.materialize()


def test_a_cast_of_an_argument_is_refused() -> None:
    """LLVM 22 makes an instruction of it."""
    with pytest.raises(BitcodecError, match="value 3 is not a constant"):
        text_of(using(s.set_type(I8_POINTER), cast(3)))


ONE, TWO = [cast(NUMBER)], [cast(SECOND), cast(NUMBER)]


@pytest.mark.parametrize(
    ("constants", "names", "expected"),
    [
        (ONE, [(NUMBER, "a"), (FIRST, "n")], ["n", ""]),
        (ONE, [(FIRST, "n"), (NUMBER, "a")], ["a", ""]),
        (ONE, [(NUMBER, "a"), (POINTER, "n"), (FIRST, "n")], ["n.1", "n"]),
        (TWO, [(NUMBER, "a"), (SECOND, "n")], ["n", ""]),
        (TWO, [(NUMBER, "a"), (SECOND, "n"), (FIRST, "m")], ["m", ""]),
        ([cast(NUMBER), cast(NUMBER)], [(NUMBER, "a"), (SECOND, "n")], ["a", ""]),
    ],
)
def test_the_name_of_a_cast_that_a_global_holds_is_that_of_what_it_casts(
    constants: list[s.Record], names: list[tuple[int, str]], expected: list[str]
) -> None:
    """Names as `llvm-dis` 22.1.8 prints them."""
    variables = s.variable(I32_POINTER), s.variable(HELD, initializer=FIRST + 1)
    table = s.block(14, *(record(1, *entry) for entry in names))
    data = stream(module(TYPES, *variables, s.constants(s.set_type(I8_POINTER), *constants), table))
    read = bitcodec.loads(data)
    read.materialize()
    assert [one.name for one in read.globals] == expected
