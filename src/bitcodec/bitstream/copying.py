"""Copies parts of a stream to a writer, bit for bit.

Two things depend on the place in the stream and are stated here alone: the content of a block begins at a whole word,
and so do the bytes of a blob.
"""

from __future__ import annotations

from bisect import bisect_left
from enum import IntEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.scopes import Scopes
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.bitstream.abbreviations import Abbreviation
    from bitcodec.bitstream.columns import Columns
    from bitcodec.bitstream.writer import Writer

__all__ = ["BlockCopier", "BlockSpan", "Copier"]

_WORD = 32


class _Part(IntEnum):
    """A kind of part whose bits cannot always be copied."""

    DEFINITION = 0
    BLOB = 1
    BLOCK = 2


class BlockSpan(NamedTuple):
    """A block in a stream.

    Attributes:
        id: block id.
        abbreviation_width: width of abbreviation ids inside, in bits.
        start, body, end: its start, the start of its content, and its end, in bits.
    """

    id: int
    abbreviation_width: int
    start: int
    body: int
    end: int


class Copier:
    """Copies single items of a stream.

    Args:
        data: the stream.
        writer: writes the copy; it has entered the block that contains the items.
    """

    def __init__(self, data: memoryview, writer: Writer) -> None:
        self._data = data
        self._writer = writer

    def is_aligned(self, start: int) -> bool:
        """Return whether bits from `start` on keep their place within a word."""
        return (self._writer.bit_offset - start) % _WORD == 0

    def copy(self, start: int, end: int) -> None:
        """Copy the bits from `start` to `end`."""
        self._writer.copy(self._data, start, end)

    def copy_definition(self, start: int, end: int, abbreviation: Abbreviation) -> None:
        """Copy a DEFINE_ABBREV; records can be written by the abbreviation from then on."""
        self.copy(start, end)
        self._writer.note_definition(abbreviation)

    def copy_block(self, block: BlockSpan, outer_width: int) -> None:
        """Copy a block.

        Args:
            block: the block.
            outer_width: width of abbreviation ids around it in the stream, in bits.
        """
        if outer_width == self._writer.width and self.is_aligned(block.start):
            self.copy(block.start, block.end)
        else:
            self._writer.copy_block(self._data, block.id, block.abbreviation_width, block.body, block.end)


class BlockCopier(Copier):
    """Copies the content of a block from its beginning to its end, except for the items that are replaced.

    Args:
        data: the stream.
        columns: its decoded columns.
        row: the row of the block.
        writer: writes the copy; it has entered a block of the same width.
    """

    def __init__(self, data: memoryview, columns: Columns, row: int, writer: Writer) -> None:
        super().__init__(data, writer)
        self._columns = columns
        self._row = row
        self._width = int(columns.blocks.abbreviation_width[row])
        self._at = int(columns.blocks.body[row])
        self._shifts: list[tuple[int, int]] = []
        self._end = self._find_end()
        self._parts = sorted(self._find_parts(), reverse=True)

    def copy_to(self, place: int) -> None:
        """Copy everything that precedes a place."""
        while self._parts and self._parts[-1][0] < place:
            part = self._parts.pop()
            if part[0] >= self._at:
                self._copy_part(*part)
        self._copy_bits(place)

    def skip_to(self, place: int) -> None:
        """Continue at a place: the records before it are replaced, or left out."""
        self._at = place

    def replace(
        self,
        row: int,
        code: int,
        operands: Sequence[int],
        abbreviation_id: int = AbbreviationId.UNABBREV_RECORD,
        blob: memoryview | None = None,
    ) -> None:
        """Write a record that replaces the record of a row."""
        records = self._columns.records
        self.copy_to(int(records.start[row]))
        self._note_shift()
        self._writer.record(code, operands, abbreviation_id=abbreviation_id, blob=blob)
        self._at = int(records.end[row])

    def replace_operands(self, row: int, operands: Sequence[int]) -> None:
        """Give a record other operands.  It keeps its abbreviation; if they are equal, it is copied."""
        records = self._columns.records
        if [*operands] != self._operands(row):
            self.replace(row, int(records.code[row]), operands, int(records.abbreviation[row]))

    def copy_rest(self) -> None:
        """Copy the remaining records."""
        self.copy_to(self._end)

    def places(self, rows: range) -> list[int]:
        """Return the start of records in the output, in bits; all of them have been written."""
        starts = self._columns.records.start[rows.start : rows.stop].tolist()
        found: list[int] = []
        bounds = [bisect_left(starts, at) for at, _ in self._shifts]
        for (first, last), (_, shift) in zip(pairwise([*bounds, len(starts)]), self._shifts, strict=True):
            found += [start + shift for start in starts[first:last]]
        return found

    def _operands(self, row: int) -> list[int]:
        first = self._columns.records.first_operand
        return self._columns.operands[first[row] : first[row + 1]].tolist()

    def _copy_bits(self, end: int) -> None:
        if self._at < end:
            self._note_shift()
            self.copy(self._at, end)
            self._at = end

    def _note_shift(self) -> None:
        self._shifts.append((self._at, self._writer.bit_offset - self._at))

    # Parts that are not just copied

    def _find_parts(self) -> Iterator[tuple[int, _Part, int]]:
        """Yield start, kind and row of each part."""
        columns = self._columns
        for index in Scopes(columns).definitions(self._row):
            yield int(columns.definitions.start[index]), _Part.DEFINITION, index
        for record in columns.blobs.record:
            if columns.records.block[record] == self._row:
                yield int(columns.records.start[record]), _Part.BLOB, record
        for row in columns.blocks.inner_rows(self._row):
            yield int(columns.blocks.start[row]), _Part.BLOCK, row

    def _copy_part(self, start: int, kind: _Part, row: int) -> None:
        if kind == _Part.DEFINITION:
            table = self._columns.definitions
            self._copy_bits(start)
            self._note_shift()
            self.copy_definition(start, int(table.end[row]), self._columns.abbreviations[table.number[row]])
            self._at = int(table.end[row])
        elif (self._writer.bit_offset - self._at) % _WORD:
            if kind == _Part.BLOB:
                self._move_blob(row)
                return
            self._copy_bits(start)
            blocks = self._columns.blocks
            end = int(blocks.end[row])
            span = BlockSpan(
                int(blocks.id[row]), int(blocks.abbreviation_width[row]), start, int(blocks.body[row]), end
            )
            self.copy_block(span, self._width)
            self._at = end

    def _move_blob(self, row: int) -> None:
        """Write a record again whose blob would lose its alignment."""
        records = self._columns.records
        start, size = self._columns.blobs.of_record(row) or (0, 0)
        blob = self._data[start : start + size]
        self.replace(row, int(records.code[row]), self._operands(row), int(records.abbreviation[row]), blob)

    def _find_end(self) -> int:
        """Return where the last item ends."""
        columns, row = self._columns, self._row
        ends = [int(columns.definitions.end[index]) for index in Scopes(columns).definitions(row)]
        ends += [int(columns.blocks.end[inner]) for inner in columns.blocks.inner_rows(self._row)]
        if columns.blocks.first_record[row] < columns.blocks.last_record[row]:
            ends.append(int(columns.records.end[columns.blocks.last_record[row] - 1]))
        return max([self._at, *ends])
