"""From columns to bytes: every record written anew, as it is abbreviated there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.abbreviations import TOP_LEVEL_WIDTH, AbbreviationId
from bitcodec.bitstream.bitwriter import ColumnWriter
from bitcodec.bitstream.magic import MAGIC_SIZE
from bitcodec.bitstream.scopes import Scopes
from bitcodec.bitstream.walk import Event, walk_with_definitions
from bitcodec.bitstream.writer import end_block, enter_block

if TYPE_CHECKING:
    from bitcodec.bitstream.columns import Columns

__all__ = ["encode"]


def encode(data: memoryview, columns: Columns) -> bytes:
    """Write the stream that `columns` were decoded from anew, field by field.

    Bytes come out as they went in if their writer filled with zeros and took the shortest form of each variable-width
    field, as LLVM's does.  What is only to be copied, `Bitstream.dumps` copies.

    Args:
        data: the stream; its magic number, its blobs and what follows its last block are taken from there.
        columns: what was decoded from it, whole.

    Raises:
        BitstreamError: decoding broke off.
    """
    if columns.error is not None:
        raise columns.error
    encoder = _Encoder(data, columns)
    for step in walk_with_definitions(columns):
        if step.event is Event.ENTER:
            encoder.enter(step.block)
        elif step.event is Event.DEFINE:
            encoder.define(step.first)
        elif step.event is Event.RECORDS:
            encoder.write_records(step.block, step.first, step.last)
        else:
            encoder.leave()
    return encoder.finish()


class _Encoder:
    def __init__(self, data: memoryview, columns: Columns) -> None:
        self._data = data
        self._columns = columns
        self._scopes = Scopes(columns)
        self._bits = ColumnWriter(columns, data)
        self._bits.write_bytes(data[:MAGIC_SIZE])
        self._open: list[tuple[int, int]] = []

    def enter(self, block: int) -> None:
        blocks = self._columns.blocks
        width = blocks.abbreviation_width[block]
        self._open.append((width, enter_block(self._bits, self._width, blocks.id[block], width)))

    def define(self, definition: int) -> None:
        self._bits.write_fixed(AbbreviationId.DEFINE_ABBREV, self._width)
        self._bits.write_definition(self._columns.definitions.number[definition])

    def write_records(self, block: int, first: int, last: int) -> None:
        self._bits.write_records(first, last, self._width, self._scopes.numbers(block))

    def leave(self) -> None:
        end_block(self._bits, *self._open.pop())

    def finish(self) -> bytes:
        return self._bits.getvalue() + bytes(self._data[self._columns.end // 8 :])

    @property
    def _width(self) -> int:
        return self._open[-1][0] if self._open else TOP_LEVEL_WIDTH
