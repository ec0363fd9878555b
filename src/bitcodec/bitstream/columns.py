"""Columns: everything a stream holds, as flat buffers instead of objects.

Every column is a read-only `memoryview`, so NumPy, Arrow and `array` take it without copying.  Offsets are in bits from
the start of the stream's magic number, except a blob's, which are in bytes.  Ranges exclude their end.
"""

from __future__ import annotations

import mmap
import os
from array import array
from bisect import bisect_left
from typing import TYPE_CHECKING, Literal

from bitcodec.bitstream.abbreviations import abbreviation_from_rows
from bitcodec.frozen import FrozenColumns
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Buffer

    from bitcodec.bitstream.abbreviations import Abbreviation
    from bitcodec.bitstream.blockinfo import InForce
    from bitcodec.errors import BitstreamError

__all__ = [
    "AbbreviationColumns",
    "BlobColumns",
    "BlockColumns",
    "Columns",
    "DefinitionColumns",
    "RecordColumns",
    "enlarged",
    "filled",
    "several_zeros",
    "table_columns",
    "trimmed",
    "zeros",
]

_MAPPED_FROM = 1 << 22
_LEAST_ROOM = 16
"""Items."""
_GUARDED = bool(os.environ.get("BITCODEC_GUARD_ZONES"))
"""Whether every buffer has separate memory, of exactly its size, from `malloc`.

AddressSanitizer sees accesses past the ends of such buffers; it does not see those inside a memory map, or from one
part of a buffer to another.
"""

_ITEM_SIZES = {"B": 1, "I": 4, "q": 8, "Q": 8}

Typecode = Literal["B", "I", "q", "Q"]
"""Items of a column, as `array` and `struct` name them: unsigned bytes and words, signed and unsigned 64 bits."""


class BlockColumns(FrozenColumns):
    """One row for each block, in the order in which blocks begin.

    Attributes:
        id: block id.
        abbreviation_width: width of abbreviation ids inside, in bits.
        parent: row of the block around it, -1 at the top level.
        start: start of its ENTER_SUBBLOCK.
        entry: end of its id; `llvm-bcanalyzer` counts a block's size from here.
        body: start of its content.
        end: its end, final alignment included; 0 if the stream broke off inside.
        size_in_words: its length as the stream states it, in 32-bit words from `body`.
        first_record, last_record: range of the records inside, including inner blocks.
        last_block: end of the range of inner blocks, which begins at the next row.
    """

    __slots__ = __match_args__ = (
        "id",
        "abbreviation_width",
        "parent",
        "start",
        "entry",
        "body",
        "end",
        "size_in_words",
        "first_record",
        "last_record",
        "last_block",
    )

    id: memoryview
    abbreviation_width: memoryview
    parent: memoryview
    start: memoryview
    entry: memoryview
    body: memoryview
    end: memoryview
    size_in_words: memoryview
    first_record: memoryview
    last_record: memoryview
    last_block: memoryview

    def __len__(self) -> int:
        return len(self.id)

    def path(self, row: int) -> tuple[int, ...]:
        """Return the ids of block `row` and of those around it, outermost first."""
        path = []
        while row >= 0:
            path.append(self.id[row])
            row = self.parent[row]
        return tuple(reversed(path))

    def inner_rows(self, row: int) -> Iterator[int]:
        """Yield the rows of the blocks directly inside block `row`."""
        inner = row + 1
        while inner < self.last_block[row]:
            yield inner
            inner = self.last_block[inner]


class RecordColumns(FrozenColumns):
    """One row for each record, in stream order.

    Attributes:
        block: row of the block it is in.
        code: record code.
        abbreviation: abbreviation id, 3 (UNABBREV_RECORD) if unabbreviated.
        start, end: its start, abbreviation id included, and its end.
        first_operand: index of its first operand in `Columns.operands`; one row more than there are records, so that
            row `i + 1` is the end of record `i`.
    """

    __slots__ = __match_args__ = ("block", "code", "abbreviation", "start", "end", "first_operand")

    block: memoryview
    code: memoryview
    abbreviation: memoryview
    start: memoryview
    end: memoryview
    first_operand: memoryview

    def __len__(self) -> int:
        return len(self.code)


class BlobColumns(FrozenColumns):
    """One row for each record that has a blob: the record's row, and the blob's first byte and size in bytes."""

    __slots__ = __match_args__ = ("record", "start", "size")

    record: memoryview
    start: memoryview
    size: memoryview

    def of_record(self, row: int) -> tuple[int, int] | None:
        """Return the first byte and the size of the blob of record `row`, None without one."""
        index = bisect_left(self.record, row)
        if index == len(self.record) or self.record[index] != row:
            return None
        return self.start[index], self.size[index]


class DefinitionColumns(FrozenColumns):
    """One row for each DEFINE_ABBREV.

    Attributes:
        block: row of the block it is in.
        start, end: its start, abbreviation id included, and its end.
        number: its abbreviation, a row of `Columns.abbreviations`.
    """

    __slots__ = __match_args__ = ("block", "start", "end", "number")

    block: memoryview
    start: memoryview
    end: memoryview
    number: memoryview

    def __len__(self) -> int:
        return len(self.block)


class AbbreviationColumns(FrozenColumns):
    """All abbreviations, those taken over from a BLOCKINFO elsewhere included.

    Attributes:
        first_operand: index of its first operand in the other two; one row more than there are abbreviations.
        encodings, values: operands, as in `abbreviations.Operand`.
    """

    __slots__ = __match_args__ = ("first_operand", "encodings", "values")

    first_operand: memoryview
    encodings: memoryview
    values: memoryview

    def __len__(self) -> int:
        return len(self.first_operand) - 1

    def __getitem__(self, number: int) -> Abbreviation:
        first, last = self.first_operand[number], self.first_operand[number + 1]
        return abbreviation_from_rows(self.encodings, self.values, first, last)


class Columns(NamedTuple):
    """A decoded stream, or a decoded part of one.

    Attributes:
        operands: the operands of all records, one after another (`uint64`).
        block_infos: the contents of the BLOCKINFO blocks, in stream order.  The caller's own, if given, precede them.
        end: the position where decoding stopped, in bits: the end of the last top-level block.
        error: the error that stopped decoding early, None if it did not; the columns then contain everything before it.
    """

    blocks: BlockColumns
    records: RecordColumns
    blobs: BlobColumns
    definitions: DefinitionColumns
    abbreviations: AbbreviationColumns
    operands: memoryview
    block_infos: tuple[InForce, ...]
    end: int
    error: BitstreamError | None = None

    def operands_of(self, row: int) -> memoryview:
        """Return the operands of record `row`."""
        first = self.records.first_operand
        return self.operands[first[row] : first[row + 1]]


def zeros(typecode: Typecode, count: int) -> memoryview:
    """Return a writable buffer of `count` zeros; a large one takes no memory before it is written to."""
    if _GUARDED:
        return memoryview(array(typecode, (0,)) * (count or 1))
    size = (count or 1) * _ITEM_SIZES[typecode]
    memory = _mapped(size) if size >= _MAPPED_FROM else bytearray(size)
    return memoryview(memory).cast(typecode)


def several_zeros(typecode: Typecode, columns: int, count: int) -> list[memoryview]:
    """Return writable buffers of `count` zeros, parts of one: of small blocks, making buffers takes longest."""
    if _GUARDED:
        return [zeros(typecode, count) for _ in range(columns)]
    memory = zeros(typecode, columns * count)
    return [memory[column * count : (column + 1) * count] for column in range(columns)]


def trimmed(column: memoryview, used: int) -> memoryview:
    """Return the first `used` items of `column`, which is not written to any more."""
    source = memoryview(column)
    if _GUARDED and source.format:
        return memoryview(array(source.format, source[:used]))
    return source[:used]


def enlarged(column: memoryview, used: int, needed: int) -> memoryview:
    """Return a copy of the first `used` items of `column` with room for `needed` items, and half as many to come.

    A small column gets room for a few more at least: one that grows from nothing would be copied again and again.
    """
    source = memoryview(column)
    typecode: Typecode = source.format  # type: ignore[assignment] # columns have no other
    copy = zeros(typecode, needed + max(needed // 2, _LEAST_ROOM))
    copy[:used] = source[:used]
    return copy


def _mapped(size: int) -> mmap.mmap:
    """Return private memory that takes no room before it is written to, in large pages where there are such."""
    memory = mmap.mmap(-1, size, access=mmap.ACCESS_COPY)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memory


def filled(column: Buffer, count: int) -> memoryview:
    """Return the first `count` items of a column, read-only."""
    return memoryview(column)[:count].toreadonly()


def table_columns(cells: Buffer, columns: int, rows: int) -> list[memoryview]:
    """Return the columns of a table that is stored row after row."""
    table = filled(cells, rows * columns)
    return [table[column::columns] for column in range(columns)]
