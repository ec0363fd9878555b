"""Encodes columns to bytes: every record is rewritten with its abbreviation."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from bitcodec.bitstream.abbreviations import TOP_LEVEL_WIDTH, AbbreviationId
from bitcodec.bitstream.bitwriter import ColumnWriter
from bitcodec.bitstream.magic import MAGIC_SIZE
from bitcodec.bitstream.scopes import Scopes
from bitcodec.bitstream.walk import WalkEvent, WalkStep, walk_with_definitions

if TYPE_CHECKING:
    from bitcodec.bitstream.columns import Columns

__all__ = ["encode"]

# An enumeration's members are slow to look up, and there are three steps for each block.
_ENTER, _RECORDS, _LEAVE = WalkEvent.ENTER, WalkEvent.RECORDS, WalkEvent.LEAVE


def encode(data: memoryview, columns: Columns) -> bytes:
    """Write the stream that `columns` were decoded from again, field by field.

    The bytes are unchanged if their writer filled with zeros and used the shortest form of each variable-width
    field, as LLVM's does.  To copy a stream, use `Bitstream.dumps`.

    Args:
        data: the stream: source of its magic number, its blobs and the bytes after its last block.
        columns: all columns decoded from it.

    Raises:
        BitstreamError: decoding broke off.
    """
    if columns.error is not None:
        raise columns.error
    encoder = _Encoder(data, columns)
    for step in walk_with_definitions(columns):
        encoder.write(step)
    return encoder.finish()


class _Encoder:
    def __init__(self, data: memoryview, columns: Columns) -> None:
        self._data = data
        self._columns = columns
        self._scopes = Scopes(columns)
        self._bits = ColumnWriter(columns, data)
        self._bits.write_bytes(data[:MAGIC_SIZE])
        self._ids = columns.blocks.id.tolist()
        self._widths = columns.blocks.abbreviation_width.tolist()
        self._width = TOP_LEVEL_WIDTH
        self._shared = self._own = array("q")
        self._open: list[tuple[int, int, array[int], array[int]]] = []

    def write(self, step: WalkStep) -> None:
        """Write the event of one step through the stream."""
        event, block, _, first, last = step
        if event is _RECORDS:
            self._bits.write_records(first, last, self._width, self._shared, self._own)
        elif event is _ENTER:
            body = self._bits.enter_block(self._ids[block], self._width, self._widths[block])
            self._open.append((self._width, body, self._shared, self._own))
            self._width = self._widths[block]
            self._shared, self._own = self._scopes.shared(block), self._scopes.own(block)
        elif event is _LEAVE:
            width = self._width
            self._width, body, self._shared, self._own = self._open.pop()
            self._bits.end_block(width, body)
        else:
            self._bits.write_fixed(AbbreviationId.DEFINE_ABBREV, self._width)
            self._bits.write_definition(self._columns.definitions.number[first])

    def finish(self) -> bytes:
        """Return the stream, followed by the bytes after its last block."""
        return self._bits.getvalue() + bytes(self._data[self._columns.end // 8 :])
