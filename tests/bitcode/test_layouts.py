"""Layouts become decoders; those that look into lists first read what those that ask for everything do."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bitcodec.bitcode.reader.function_state import FunctionState
from bitcodec.bitcode.reader.instructions.memory import _atomic_alignment
from bitcodec.bitcode.reader.layouts import Decoder, alignment
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.fields import Field, Kind
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.type_table import TypeTable
from parity.bitcodec_view import view_of

DATA = Path(__file__).parents[1] / "data"
FLAGGED = (Field("flags", Kind.NUMBER), Field("extra", Kind.NUMBER, if_bit=("flags", 3)), Field("last", Kind.NUMBER))
OPTIONAL = (
    Field("first", Kind.NUMBER),
    Field("second", Kind.NUMBER, default=9),
    Field("third", Kind.FLAG, is_optional=True),
)


class LastValues:
    """A state whose values are the numbers 100, 101... and whose types are letters."""

    def __init__(self) -> None:
        self.values = [100, 101, 102]
        self.type_list = ["a", "b"]
        self.blocks: list[Any] = []
        self.is_direct = True

    def value(self, number: int, operands: list[int], index: int) -> str:
        return f"value {number} of type {operands.pop(index)}"

    def type_of_id(self, type_id: int) -> str:
        raise Malformed(f"there is no type {type_id}")


def decoded(layout: Any, operands: list[int], *, is_direct: bool = True) -> dict[str, Any]:
    return Decoder(layout, is_direct=is_direct).decode(LastValues(), operands)


def test_values_are_counted_back_from_the_last():
    fields = decoded(INSTRUCTION_LAYOUTS[FunctionCode.INST_LOAD], [1, 1, 4, 1])
    assert fields == {"pointer": 102, "type": "b", "type id": 1, "alignment": 8, "is_volatile": True}


def test_the_type_of_a_value_to_come_is_taken_out():
    fields = decoded(INSTRUCTION_LAYOUTS[FunctionCode.INST_LOAD], [2**32 - 5, 7, 0, 3, 0])
    assert fields["pointer"] == f"value {2**32 - 5} of type 7"
    assert (fields["type"], fields["alignment"], fields["is_volatile"]) == ("a", 4, False)


def test_a_value_that_is_itself_is_yet_to_come():
    fields = decoded(INSTRUCTION_LAYOUTS[FunctionCode.INST_FREEZE], [0, 5])
    assert fields == {"operand": "value 0 of type 5"}


def test_a_field_may_depend_on_how_many_operands_remain():
    fields = decoded(INSTRUCTION_LAYOUTS[FunctionCode.INST_LOAD], [3, 1, 0])
    assert fields == {"pointer": 100, "type": None, "type id": None, "alignment": 1, "is_volatile": False}


@pytest.mark.parametrize("is_direct", [False, True])
@pytest.mark.parametrize(
    ("layout", "operands", "expected"),
    [
        (FLAGGED, [0, 5], {"flags": 0, "extra": None, "last": 5}),
        (FLAGGED, [8, 5, 6], {"flags": 8, "extra": 5, "last": 6}),
        (OPTIONAL, [1], {"first": 1, "second": 9, "third": None}),
        (OPTIONAL, [1, 2], {"first": 1, "second": 2, "third": None}),
        (OPTIONAL, [1, 2, 3, 4], {"first": 1, "second": 2, "third": True}),
    ],
)
def test_fields_that_need_not_be_there(layout, operands, expected, is_direct):
    assert decoded(layout, operands, is_direct=is_direct) == expected


@pytest.mark.parametrize("is_direct", [False, True])
def test_operands_that_are_missing(is_direct):
    with pytest.raises(IndexError):
        decoded(FLAGGED, [8, 5], is_direct=is_direct)


def test_types_that_are_missing():
    with pytest.raises(Malformed, match="there is no type 2"):
        decoded(INSTRUCTION_LAYOUTS[FunctionCode.INST_LOAD], [1, 2, 0, 0])


@pytest.mark.parametrize("is_direct", [False, True])
def test_a_maker_is_given_the_fields_that_it_names(is_direct):
    def make(state: LastValues, last: int, flags: int, other: int = 7) -> tuple[object, ...]:
        return type(state), last, flags, other

    state = LastValues()
    decoder = Decoder(FLAGGED, is_direct=is_direct, make=make)
    assert decoder.decode(state, [8, 5, 6]) == (LastValues, 6, 8, 7)
    assert getattr(state, "fields", None) == (None if is_direct else {"flags": 8, "extra": 5, "last": 6})


def test_alignments():
    assert [alignment(code) for code in (0, 1, 5, 33)] == [None, 1, 16, 1 << 32]
    with pytest.raises(Malformed, match="2\\*\\*33 bytes is too large"):
        alignment(34)


@pytest.mark.parametrize(("width", "expected"), [(8, 1), (24, 2), (32, 4), (128, 16), (222, 16)])
def test_old_atomics_are_aligned_to_a_power_of_two(width: int, expected: int):
    """`llvm-dis` 22 prints `align 16` for a `cmpxchg` of an `i222` that LLVM 3.6 wrote."""
    module = SimpleNamespace(data_layout=DataLayout("e"))
    state = SimpleNamespace(module=SimpleNamespace(module=module))
    assert _atomic_alignment(state, TypeTable().integer(width)) == expected


def test_all_layouts_become_code():
    for layout in INSTRUCTION_LAYOUTS.values():
        for is_direct in (False, True):
            compile(Decoder(layout, is_direct=is_direct).text, "layout", "exec")


@pytest.mark.parametrize(
    "name", ["atomics-O2-22", "control-O2-16", "exceptions-O2-19", "ir_types-22", "ir_metadata-22"]
)
def test_both_ways_read_the_same(monkeypatch, name):
    data = (DATA / f"{name}.bc").read_bytes()
    direct = view_of(data)
    make = FunctionState.__init__

    def make_asking(state: FunctionState, *arguments: Any) -> None:
        make(state, *arguments)
        assert state.is_direct
        state.is_direct = False

    monkeypatch.setattr(FunctionState, "__init__", make_asking)
    assert view_of(data) == direct
