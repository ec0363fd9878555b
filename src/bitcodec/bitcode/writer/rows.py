"""Records and blocks in the making: numbers first, bits when all of them are known.

Some abbreviations depend on how many types and values there are, so a module is put down as rows before any bit of it
is written.
"""

from __future__ import annotations

from array import array
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.rows import Rows
from bitcodec.errors import EncodingError, quote
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.bitstream import Abbreviation, Writer
    from bitcodec.ir.constant_range import ConstantRange

__all__ = [
    "UNABBREVIATED",
    "BlobRecord",
    "BlockRows",
    "IndexedRows",
    "Item",
    "Rows",
    "characters",
    "encoded",
    "range_operands",
    "rotated",
    "wide",
    "write_items",
]

UNABBREVIATED = int(AbbreviationId.UNABBREV_RECORD)


class BlobRecord(NamedTuple):
    """A record that ends with a blob, and the abbreviation that it is written by, defined just before it."""

    code: int
    operands: tuple[int, ...]
    blob: bytes
    abbreviation: Abbreviation


class IndexedRows(NamedTuple):
    """Records with an index of where each begins, and before them a record of where the index is.

    Attributes:
        rows: the records.
        offset_code, offset_id: code and abbreviation id of the record in front, two numbers of 32 bits.
        index_code, index_id: code and abbreviation id of the index.
    """

    rows: Rows
    offset_code: int
    offset_id: int
    index_code: int
    index_id: int

    def write(self, writer: Writer) -> None:
        """Write the records.

        Raises:
            EncodingError: an abbreviation cannot express a record.
        """
        writer.record(self.offset_code, (0, 0), abbreviation_id=self.offset_id)
        first = writer.bit_offset
        starts = array("Q", bytes(8 * len(self.rows)))
        writer.rows(self.rows, starts)
        size = writer.bit_offset - first
        writer.patch(first - 64, size & 0xFFFF_FFFF)
        writer.patch(first - 32, size >> 32)
        # Distances from record to record, the first from the one that says where the index is.
        distances = [after - before for before, after in pairwise(starts)]
        writer.record(self.index_code, [0, *distances], abbreviation_id=self.index_id)


class BlockRows:
    """A block in the making.

    Attributes:
        block_id, width: its id, and the width of abbreviation ids inside, in bits.
        items: its items, in order.
    """

    __slots__ = ("block_id", "items", "width")

    def __init__(self, block_id: int, width: int, items: Iterable[Item] = ()) -> None:
        self.block_id = int(block_id)
        self.width = width
        self.items: list[Item] = [*items]

    def rows(self) -> Rows:
        """Return the rows at its end, to which records can be added."""
        if self.items and isinstance(self.items[-1], Rows):
            return self.items[-1]
        rows = Rows()
        self.items.append(rows)
        return rows

    def pack(self) -> BlockRows:
        """Let nothing be added any more, so that it takes less room; return the block."""
        for item in self.items:
            if isinstance(item, (Rows, BlockRows)):
                item.pack()
        return self

    def write(self, writer: Writer) -> None:
        """Write the block.

        Raises:
            EncodingError: an abbreviation cannot express a record.
        """
        writer.enter_block(self.block_id, width=self.width)
        write_items(self.items, writer)
        writer.end_block()


def write_items(items: Iterable[Item], writer: Writer) -> None:
    """Write the items of a block.

    Raises:
        EncodingError: an abbreviation cannot express a record.
    """
    for item in items:
        if isinstance(item, Rows):
            writer.rows(item)
        elif isinstance(item, (BlockRows, IndexedRows)):
            item.write(writer)
        elif isinstance(item, BlobRecord):
            number = writer.define(item.abbreviation)
            writer.record(item.code, item.operands, abbreviation_id=number, blob=item.blob)
        else:
            writer.define(item)


Item: TypeAlias = "Rows | BlockRows | IndexedRows | BlobRecord | Abbreviation"


def encoded(text: str) -> bytes:
    """Return the bytes of text that was read from a file: see `reader.text.decoded`.

    Raises:
        EncodingError: the text has surrogates that represent no byte.
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise EncodingError(f"{quote(text)} cannot be written as UTF-8: {error.reason}") from None


def rotated(number: int) -> int:
    """Return an operand that has the sign of a number of up to 64 bits in its lowest bit."""
    return number << 1 if number >= 0 else (-number << 1 | 1) & _WORD


_WORD = 0xFFFF_FFFF_FFFF_FFFF


def wide(number: int, count: int) -> list[int]:
    """Return so many words of a number, the lowest first, each rotated."""
    data = (number & ((1 << 64 * count) - 1)).to_bytes(8 * count, "little")
    words = (int.from_bytes(data[at : at + 8], "little", signed=True) for at in range(0, len(data), 8))
    return [rotated(word) for word in words]


def characters(text: str) -> Sequence[int]:
    """Return text as operands, one for each byte."""
    return encoded(text)


def range_operands(limits: ConstantRange) -> list[int]:
    """Return width and bounds of a range as operands."""
    width = limits.width
    if width <= 64:
        return [width, rotated(limits.lower), rotated(limits.upper)]
    bounds = [bound & ((1 << width) - 1) for bound in (limits.lower, limits.upper)]
    counts = [max((bound.bit_length() + 64 - 1) // 64, 1) for bound in bounds]
    lower, upper = map(wide, bounds, counts)
    return [width, counts[0] | counts[1] << 32, *lower, *upper]
