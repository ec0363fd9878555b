"""Columns: flat buffers that others read without copying."""

from __future__ import annotations

from typing import Literal

import pytest

from bitcodec import bitstream
from bitcodec.bitstream.columns import enlarged, zeros
from bits import Bits, Field

DATA: tuple[Field, ...] = (3, "blob")


def stream() -> bitstream.Bitstream:
    bits = Bits().enter_block(8).define(*DATA).unabbreviated(1, [2**64 - 1, 5]).abbreviated(4, DATA, [3], b"xyz")
    return bitstream.loads(
        bits.enter_block(9).unabbreviated(2, [7]).end_block().unabbreviated(4, []).end_block().stream()
    )


def test_what_they_hold() -> None:
    columns = stream().columns
    assert list(columns.blocks.id) == [8, 9]
    assert list(columns.blocks.parent) == [-1, 0]
    assert list(columns.blocks.abbreviation_width) == [3, 3]
    assert list(columns.blocks.first_record) == [0, 2]
    assert list(columns.blocks.last_record) == [4, 3]
    assert list(columns.blocks.last_block) == [2, 2]
    assert list(columns.records.block) == [0, 0, 1, 0]
    assert list(columns.records.code) == [1, 3, 2, 4]
    assert list(columns.records.abbreviation) == [3, 4, 3, 3]
    assert list(columns.records.first_operand) == [0, 2, 2, 3, 3]
    assert list(columns.operands) == [2**64 - 1, 5, 7]
    assert list(columns.blobs.record) == [1]
    assert (len(columns.blocks), len(columns.records), len(columns.definitions)) == (2, 4, 1)


def test_blobs_by_record() -> None:
    made = stream()
    start, size = made.columns.blobs.of_record(1) or (0, 0)
    assert bytes(made.payload[start : start + size]) == b"xyz"
    assert [made.columns.blobs.of_record(row) for row in (0, 2, 3)] == [None, None, None]


def test_every_column_is_a_read_only_buffer() -> None:
    columns = stream().columns
    tables = (columns.blocks, columns.records, columns.blobs, columns.definitions, columns.abbreviations)
    buffers = [columns.operands, *(getattr(table, name) for table in tables for name in table.__slots__)]
    assert len(buffers) == 1 + 11 + 6 + 3 + 4 + 3
    for buffer in buffers:
        assert isinstance(buffer, memoryview)
        assert buffer.readonly
        with pytest.raises(TypeError):
            buffer[0] = 1


def test_item_formats() -> None:
    records = stream().columns.records
    assert [column.format for column in (records.block, records.code, records.abbreviation)] == ["I"] * 3
    assert [column.format for column in (records.start, records.end, records.first_operand)] == ["Q"] * 3
    assert stream().columns.operands.format == "Q"


def test_numpy_takes_them_without_copying() -> None:
    numpy = pytest.importorskip("numpy")
    columns = stream().columns
    operands = numpy.asarray(columns.operands)
    assert operands.dtype == numpy.uint64
    assert operands.tolist() == [2**64 - 1, 5, 7]
    assert operands.__array_interface__["data"][0] == numpy.asarray(columns.operands).__array_interface__["data"][0]
    assert numpy.asarray(columns.blocks.parent).tolist() == [-1, 0], "with a stride, it is a column of a table"


def test_columns_outlive_the_stream() -> None:
    columns = stream().columns
    assert list(columns.operands) == [2**64 - 1, 5, 7]


def test_abbreviations_by_number() -> None:
    columns = stream().columns
    # The first one is that of unabbreviated records, which no stream defines.
    assert [str(columns.abbreviations[number]) for number in range(len(columns.abbreviations))][1:] == ["[3, blob]"]
    assert list(columns.definitions.number) == [1]


@pytest.mark.parametrize("count", [0, 1, 1000, 1 << 20])
@pytest.mark.parametrize("typecode", ["B", "I", "q", "Q"])
def test_zeros(typecode: Literal["B", "I", "q", "Q"], count: int) -> None:
    buffer = zeros(typecode, count)
    assert (buffer.format, len(buffer)) == (typecode, max(count, 1))
    assert not any(buffer[:1000])
    assert not any(buffer[-1000:])
    assert not buffer.readonly


@pytest.mark.parametrize("count", [4, 1 << 17])
def test_enlarged_keeps_what_was_used(count: int) -> None:
    buffer = zeros("I", count)
    buffer[0], buffer[count - 1] = 7, 9
    larger = enlarged(buffer, count, count + 1)
    assert len(larger) >= count + 1
    assert (larger[0], larger[count - 1], larger[count]) == (7, 9, 0)
