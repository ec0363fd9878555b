"""Copies the records of a block of a file, some of them changed, in the form in which the file has them.

Rules: bitcode record reference, sections 8.4 (metadata index) and 9.2 (FNENTRY).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import METADATA_CODES_WITH_ID, ValueSymtabCode
from bitcodec.bitcode.writer.file_metadata import NeedsNewId
from bitcodec.bitcode.writer.metadata_copying import MetadataIndex
from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.scopes import Scopes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.writer.metadata_changes import RecordChange
    from bitcodec.bitstream import Writer

__all__ = ["copy_function_offsets", "copy_metadata_in_form"]

_WORD = 32
_LOW_WORD = 0xFFFF_FFFF


def copy_metadata_in_form(records: Records, changes: Mapping[int, RecordChange], writer: Writer) -> None:
    """Write a metadata block: changed records unabbreviated, the index of record places by its own abbreviation.

    Args:
        records: its records in the file.
        changes: code and operands of the records that are changed, by row.
        writer: writes it; knows which abbreviations BLOCKINFO gives.

    Raises:
        NeedsNewId: the index is not in the form in which LLVM writes it, or a blob would lose its alignment.
    """
    index = MetadataIndex.of(records)
    if index.index_row in changes or index.offset_row in changes:
        raise NeedsNewId
    offset = None
    with writer.block(records.id, width=records.columns.blocks.abbreviation_width[records.row]):
        copy = _RecordCopy(records, writer)
        for row in sorted({*changes, *(row for row in index if row >= 0)}):
            if row == index.index_row:
                copy.go_to(row)
                base = copy.places[index.offset_row] + copy.size(index.offset_row)
                offset = base, copy.place - base
                copy.replace_operands(row, _distances(copy, index, base))
            elif row in changes:
                copy.replace(row, *changes[row])
        copy.finish()
    if offset is not None:
        end, distance = offset
        writer.patch(end - 2 * _WORD, distance & _LOW_WORD)
        writer.patch(end - _WORD, distance >> _WORD)


def _distances(copy: _RecordCopy, index: MetadataIndex, base: int) -> list[int]:
    """Return the distances in bits from record to record, of records that have an id."""
    rows = range(index.offset_row + 1, index.index_row)
    places = [copy.places[row] for row in rows if copy.codes[row] in METADATA_CODES_WITH_ID]
    return [after - before for before, after in pairwise([base, *places])]


def copy_function_offsets(records: Records, offsets: Mapping[int, int], writer: Writer) -> None:
    """Write the table that says where bodies begin.

    Args:
        records: its records in the file.
        offsets: value id of each function, and the new place of its block, in bits.
        writer: writes it; knows which abbreviations BLOCKINFO gives.
    """
    with writer.block(records.id, width=records.columns.blocks.abbreviation_width[records.row]):
        copy = _RecordCopy(records, writer)
        for row, code, operands in records:
            if code == ValueSymtabCode.FNENTRY and len(operands) > 1 and operands[0] in offsets:
                # Counted in words, from the one in front of the identification block on.
                copy.replace_operands(row, [operands[0], offsets[operands[0]] // _WORD, *operands[2:]])
        copy.finish()


class _RecordCopy:
    """Copies the records of a block that holds no others, up to those that are replaced.

    Attributes:
        codes: code of each record.
        places: where each record begins in what was written, of those that were passed.
    """

    def __init__(self, records: Records, writer: Writer) -> None:
        if records.blocks():
            raise NeedsNewId
        columns = records.columns
        self._records = records
        self._writer = writer
        self._abbreviation_ids = columns.records.abbreviation
        self.codes: list[int] = columns.records.code.tolist()
        self._starts: list[int] = columns.records.start.tolist()
        self._ends: list[int] = columns.records.end.tolist()
        self._blobs = [self._starts[row] for row in columns.blobs.record]
        table = columns.definitions
        rows = Scopes(columns).definitions(records.row)
        self._definitions = [
            (table.start[row], table.end[row], columns.abbreviations[table.number[row]]) for row in rows
        ]
        self._definitions.reverse()
        self._at = int(columns.blocks.body[records.row])
        self.places: list[int] = []

    @property
    def place(self) -> int:
        """Where the next record begins in what is written, in bits."""
        return self._writer.bit_offset

    def size(self, row: int) -> int:
        """Return the size of a record in the file, in bits."""
        return self._ends[row] - self._starts[row]

    def go_to(self, row: int) -> None:
        """Copy what stands in front of a record."""
        self._copy(self._starts[row])
        shift = self._writer.bit_offset - self._at
        self.places += [start + shift for start in self._starts[len(self.places) : row]]

    def replace(self, row: int, code: int, operands: Sequence[int], abbreviation_id: int | None = None) -> None:
        """Write a record in the place of that of a row: unabbreviated, or by an abbreviation."""
        self.go_to(row)
        self.places.append(self._writer.bit_offset)
        used = AbbreviationId.UNABBREV_RECORD if abbreviation_id is None else abbreviation_id
        self._writer.record(code, operands, abbreviation_id=used)
        self._at = self._ends[row]

    def replace_operands(self, row: int, operands: Sequence[int]) -> None:
        """Give a record other operands; it keeps its abbreviation, and stays as it is if they are equal."""
        if operands != self._records.operands(row):
            self.replace(row, self.codes[row], operands, int(self._abbreviation_ids[row]))

    def finish(self) -> None:
        """Copy what is left."""
        last = max([self._at, *self._ends[-1:], *(end for _, end, _ in self._definitions)])
        self._copy(last)

    def _copy(self, end: int) -> None:
        """Copy to a place in the file; definitions are written, so that records can be written by them."""
        writer, data = self._writer, self._records.data
        shifted = (writer.bit_offset - self._at) % _WORD
        if shifted and any(self._at <= blob < end for blob in self._blobs):
            raise NeedsNewId
        while self._definitions and self._definitions[-1][0] < end:
            start, stop, abbreviation = self._definitions.pop()
            writer.copy(data, self._at, start)
            place = writer.bit_offset
            writer.redefine(abbreviation)
            if writer.bit_offset - place != stop - start:
                raise NeedsNewId  # LLVM never needs more bits than it has to
            self._at = stop
        writer.copy(data, self._at, end)
        self._at = end
