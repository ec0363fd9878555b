"""Layouts become programs; records that look into lists first read what those that look up everything do."""

from __future__ import annotations

from array import array
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.field_reader import FieldReader, alignment
from bitcodec.bitcode.reader.function_state import FunctionState
from bitcodec.bitcode.reader.instructions.memory import _atomic_alignment
from bitcodec.bitcode.reader.programs import CODE_COUNT, Programs
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.fields import RecordField, WordKind
from bitcodec.bitcode.schema.instructions import EXACT_RECORDS, INSTRUCTION_LAYOUTS
from bitcodec.ir.data_layout import DataLayout
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import PointerType
from bitcodec.reasons import Reason
from parity.bitcodec_view import view_of

DATA = Path(__file__).parents[2] / "data"
FLAGGED = (
    RecordField("flags", WordKind.NUMBER),
    RecordField("extra", WordKind.NUMBER, if_bit=("flags", 3)),
    RecordField("last", WordKind.NUMBER),
)
OPTIONAL = (
    RecordField("first", WordKind.NUMBER),
    RecordField("second", WordKind.NUMBER, default=9),
    RecordField("third", WordKind.FLAG, is_optional=True),
)


class Values:
    """A state whose values are the numbers 100, 101... with type ids, and whose types are letters and `ptr`."""

    def __init__(self, *, is_direct: bool = True, is_relative: bool = True) -> None:
        self.values = [100, 101, 102]
        self.value_type_ids = [0, 77, 2]
        pointer: Any = PointerType(0)
        self.type_list = ["a", "b", pointer]
        self.type_parts, self.part_ends = array("q", [1]), array("Q", [0, 0, 1])
        self.is_direct = is_direct
        self.is_relative = is_relative
        self.keeps_type_ids = True
        self.boolean = None
        self.types = SimpleNamespace(token="token")
        self.last_type_id = 2

    def value(self, number: int, source: FieldReader) -> str | int:
        if 0 < number <= len(self.values):
            return self.values[-number]
        return f"value {number} of type {source.take()}"

    def type_of_id(self, type_id: int) -> str:
        if type_id >= len(self.type_list):
            raise Malformed(Reason.NO_TYPE(number=type_id))
        return self.type_list[type_id]


def reader_of(
    layout: Any, operands: list[int], *, is_direct: bool = True, is_relative: bool = True, exact: bool = False
) -> FieldReader:
    """Return a reader of one record of code 0."""
    operand_column = memoryview(array("Q", operands or [0])).toreadonly()
    bounds = memoryview(array("Q", [0, len(operands)])).toreadonly()
    columns: Any = SimpleNamespace(operands=operand_column, records=SimpleNamespace(first_operand=bounds))
    programs = Programs({0: layout}, exact=[0] if exact else [])
    return FieldReader(programs, Values(is_direct=is_direct, is_relative=is_relative), columns)


def read(layout: Any, operands: list[int], *, is_direct: bool = True, exact: bool = False) -> dict[str, Any]:
    reader = reader_of(layout, operands, is_direct=is_direct, exact=exact)
    fields = reader.fields(0, 0)
    return {field.name: fields[field.name] for field in layout}


LOAD = INSTRUCTION_LAYOUTS[FunctionCode.INST_LOAD]


@pytest.mark.parametrize("is_direct", [False, True])
def test_values_are_counted_back_from_the_last(is_direct):
    fields = read(LOAD, [1, 1, 4, 1], is_direct=is_direct)
    assert fields == {"pointer": 102, "type": "b", "alignment": 8, "flags": 1}


@pytest.mark.parametrize("is_direct", [False, True])
def test_values_and_types_come_with_their_ids(is_direct):
    reader = reader_of(LOAD, [1, 1, 4, 1], is_direct=is_direct)
    fields = reader.fields(0, 0)
    assert (reader.type_ids[reader.programs.slots["pointer"]], fields["type id"]) == (2, 1)


def test_a_type_that_is_left_out_is_what_the_pointer_points_to():
    fields = reader_of(LOAD, [1, 4, 1]).fields(0, 0)
    assert (fields["type"], fields["type id"]) == ("b", 1)


def test_old_records_number_values_from_the_first():
    reader = reader_of(INSTRUCTION_LAYOUTS[FunctionCode.INST_GEP_OLD], [1, 0, 2], is_relative=False)
    assert reader.fields(0, 0)["operands"] == [101, 100, 102]
    assert reader.type_ids[reader.programs.slots["operands"]] == 77


@pytest.mark.parametrize("is_direct", [False, True])
def test_the_type_of_a_value_to_come_follows_it(is_direct):
    fields = read(LOAD, [2**32 - 5, 0, 0, 3, 0], is_direct=is_direct)
    assert fields["pointer"] == f"value {2**32 - 5} of type 0"
    assert (fields["type"], fields["alignment"], fields["flags"]) == ("a", 4, 0)


def test_a_value_that_is_itself_is_yet_to_come():
    assert read(INSTRUCTION_LAYOUTS[FunctionCode.INST_FREEZE], [0, 5]) == {"operand": "value 0 of type 5"}


def test_a_field_may_depend_on_how_many_operands_remain():
    assert read(LOAD, [3, 1, 0]) == {"pointer": 100, "type": None, "alignment": 1, "flags": 0}


def test_records_that_must_end_after_their_fields():
    with pytest.raises(Malformed, match="has 5 operands, more than it has fields"):
        read(LOAD, [3, 1, 1, 0, 9], exact=True)
    with pytest.raises(Malformed, match="has 5 operands, more than it has fields"):
        read(LOAD, [0, 7, 1, 1, 0, 9], exact=True)  # the type id of the pointer does not count


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
    assert read(layout, operands, is_direct=is_direct) == expected


@pytest.mark.parametrize("is_direct", [False, True])
def test_operands_that_are_missing(is_direct):
    with pytest.raises(Malformed, match="has too few operands"):
        read(FLAGGED, [8, 5], is_direct=is_direct)


def test_types_that_are_missing():
    with pytest.raises(Malformed, match="type 3 does not exist"):
        read(LOAD, [1, 3, 0, 0])


def test_codes_without_a_layout():
    reader = reader_of(FLAGGED, [0, 0])
    assert [reader.has_program(code) for code in (0, 1, CODE_COUNT, 2**32 - 1)] == [True, False, False, False]


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


@pytest.mark.parametrize("code", INSTRUCTION_LAYOUTS, ids=lambda code: code.name)
def test_records_without_operands_are_too_short(code):
    """Each layout but those without fields that must be there: no operand is read behind the end."""
    layout = INSTRUCTION_LAYOUTS[code]
    may_be_empty = all(
        field.default is not None or field.is_optional or field.kind in (WordKind.VALUES, WordKind.INPUTS)
        for field in layout
    )
    if may_be_empty:
        assert set(read(layout, [], exact=code in EXACT_RECORDS)) == {field.name for field in layout}
    else:
        with pytest.raises(Malformed, match="has too few operands"):
            read(layout, [])


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
