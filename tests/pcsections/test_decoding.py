"""Bytes of sections are read as they were written, for both layouts, both byte orders and both sizes of PCs."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings

from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.decoding.code import CodeFunction
from bitcodec.pcsections.decoding.decode import decode
from bitcodec.pcsections.decoding.entries import AuxValue, Entry, ProgramCounter
from bitcodec.pcsections.decoding.sections import DecodedSection
from bitcodec.pcsections.decoding.values import Constants
from bitcodec.pcsections.references import Reference
from bitcodec.pcsections.schemas.kinds import Field, Kind
from bitcodec.pcsections.schemas.schema import Schema

from .readings import Made, Row, made_sections

FUNCTIONS = [CodeFunction("f", 0x1000, 0x100), CodeFunction("g", 0x1100, 0x80)]
ADDRESS = 0x8000


def rows(section: DecodedSection) -> list[Row]:
    return [
        Row(entry.pc.address or 0, entry.size, tuple((str(aux.type), int(aux.value)) for aux in entry.aux))
        for entry in section
    ]


def decoded(made: Made, **arguments: object) -> DecodedSection:
    return decode(
        made.data,
        made.address,
        Schema.of(made.schema, layout=made.layout),
        byte_order=made.target.byte_order,
        pc_size=made.target.pc_size,
        pointer_size=made.target.pointer_size,
        **arguments,  # type: ignore[arg-type]
    )


@given(made_sections())
@settings(max_examples=80)
def test_what_was_encoded_is_decoded(made: Made) -> None:
    section = decoded(made, functions=made.functions)
    assert rows(section) == made.rows
    assert not section.is_ambiguous
    assert all(entry.pc.symbol == f"f{((entry.pc.address or 0) - 0x10000) >> 8}" for entry in section)


@given(made_sections(layouts=("document",)))
@settings(max_examples=40)
def test_values_alone_tell_where_constants_are(made: Made) -> None:
    """If no functions are told, PCs may be anywhere, but constants are known, and follow each PC."""
    section = decoded(made)
    assert section.is_ambiguous or rows(section) == made.rows


def image(*words: int | bytes, address: int = ADDRESS) -> bytes:
    """Return a section; numbers are PCs."""
    data = b""
    for word in words:
        data += word if isinstance(word, bytes) else struct.pack("<i", word - address - len(data))
    return data


def test_entries_tell_all_that_is_known() -> None:
    data = image(0x1000, b"\x80\x02\x07", 0x1104, 0x1108, b"\x03" + b"\xff" * 9 + b"\x01")
    section = decode(data, ADDRESS, "hot!C=function:i8|instruction:i8,i64", functions=FUNCTIONS)
    assert list(section) == [
        Entry("hot", 0, ProgramCounter("f", 0, 0x1000), 0x100, (AuxValue("i8", 7),)),
        Entry("hot", 7, ProgramCounter("g", 4, 0x1104)),
        Entry("hot", 11, ProgramCounter("g", 8, 0x1108), None, (AuxValue("i8", 3), AuxValue("i64", -1))),
    ]
    assert len(section) == 3
    assert str(section[1].pc) == "g+0x4"


def test_columns_are_buffers() -> None:
    columns = decode(image(0x1000, 0x1110), ADDRESS, "hot=instruction", functions=FUNCTIONS).columns
    assert columns.place.tolist() == [0, 4]
    assert columns.pc.tolist() == [0x1000, 0x1110]
    assert columns.function.tolist() == [0, 1]
    assert columns.kind.tolist() == [0, 0]
    assert columns.aux_start.tolist() == columns.aux_end.tolist() == [4, 8]
    assert all(getattr(columns, name).readonly for name in columns.__match_args__)
    numpy = pytest.importorskip("numpy")
    assert numpy.asarray(columns.pc).dtype == numpy.uint64


def test_a_pc_is_preferred_where_a_value_is_not_known() -> None:
    section = decode(image(0x1000, 0x1004, 0x1008, b"\1\0\0\0"), ADDRESS, "hot=instruction:i32", functions=FUNCTIONS)
    assert [len(entry.aux) for entry in section] == [0, 0, 1]
    assert section.is_ambiguous


def test_without_functions_each_pc_has_its_constants() -> None:
    section = decode(image(0x1000, b"\1\0\0\0", 0x1008, b"\1\0\0\0"), ADDRESS, "hot=instruction:i32")
    assert [len(entry.aux) for entry in section] == [1, 1]
    assert section.is_ambiguous
    assert section[0].pc == ProgramCounter(None, None, 0x1000)


def test_runs_do_not_go_on_in_another_function() -> None:
    data = image(0x1000, 0x1100, b"\1\0\0\0")
    with pytest.raises(PCSectionsError, match="it reaches byte 4 of 12"):
        decode(data, ADDRESS, "hot=instruction:i32:1", functions=FUNCTIONS)


@pytest.mark.parametrize("size", [b"\x01\1\0\0", b"\0\2\0\0"])
def test_the_size_of_a_function_is_that_of_its_symbol(size: bytes) -> None:
    with pytest.raises(PCSectionsError, match="does not fit"):
        decode(image(0x1000, size), ADDRESS, "hot=function", functions=FUNCTIONS)


def test_entries_of_functions_are_at_their_starts() -> None:
    with pytest.raises(PCSectionsError, match="does not fit"):
        decode(image(0x1004, b"\0\1\0\0"), ADDRESS, "hot=function", functions=FUNCTIONS)


def test_unknown_functions_may_have_any_size() -> None:
    (entry,) = decode(image(0x1000, b"\0\1\0\0"), ADDRESS, "hot=function", functions=[CodeFunction("f", 0x1000)])
    assert entry.size == 0x100


def test_a_section_without_bytes_has_no_entries() -> None:
    assert list(decode(b"", ADDRESS, "hot=instruction")) == []


@pytest.mark.parametrize(
    ("kind", "data", "value"),
    [
        ("half", b"\x00\x3c", 1.0),
        ("bfloat", b"\x80\x3f", 1.0),
        ("float", b"\x00\x00\x80\x3f", 1.0),
        ("double", struct.pack("<d", 2.5), 2.5),
        ("ptr", struct.pack("<Q", 0x1234), 0x1234),
        ("3 x i8", b"\1\2\3", "010203"),
        ("x86_fp80", bytes(9) + b"\x40" + bytes(6), "00" * 9 + "40" + "00" * 6),
        ("i128", b"\xff" * 16, -1),
        ("i1", b"\1", 1),
    ],
)
def test_values(kind: str, data: bytes, value: object) -> None:
    (entry,) = decode(image(0x1000, data), ADDRESS, f"hot=instruction:{kind}")
    assert entry.aux == (AuxValue("[3 x i8]" if kind == "3 x i8" else kind, value),)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("symbol", "addend", "value"), [("g", 8, "g+8"), ("g", -8, "g-8"), ("g", 0, "g"), ("", 0x4010, 0x4010)]
)
def test_addresses_that_are_filled_in_later(symbol: str, addend: int, value: object) -> None:
    references = {4: Reference(4, symbol, addend, 8)}
    constants = Constants(memoryview(bytes(12)), "little", 8, references)
    kind = Kind(is_function=False, fields=(Field("ptr", None),))
    assert constants.values(kind, 4, 12) == (AuxValue("ptr", value),)  # type: ignore[arg-type]


def test_a_schema_for_several_sections_needs_a_name() -> None:
    with pytest.raises(
        PCSectionsError, match="expected the name of a section: the schema has sanmd_atomics, sanmd_atomics2"
    ):
        decode(b"", ADDRESS, "sanitizer")
    assert len(decode(image(0x1000), ADDRESS, "sanitizer", name="sanmd_atomics2")) == 1
