"""The string table: names of symbols, one after another.  Rules: docs/reference/records.md, 9.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, StrtabCode
from bitcodec.bitcode.writer.rows import BlobRecord, BlockRows, encoded
from bitcodec.bitstream.abbreviations import Abbreviation, blob

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["StringTable"]

_WIDTH = 3


class StringTable:
    """Table of texts, each stored once.

    Args:
        data: a table that this one begins with, because something refers to it; None if nothing does.
        places: offset and size of each text in that table. Default: they are searched for.
    """

    def __init__(self, data: bytes | None = None, places: Mapping[str, tuple[int, int]] | None = None) -> None:
        self._places = dict(places or {})
        self._data = bytearray(data or b"")
        # A kept table is searched even if it is empty, so that empty texts are at its start, as in other kept tables.
        self._kept = data if places is None else None

    def place(self, text: str) -> tuple[int, int]:
        """Return offset and size of a text in bytes."""
        found = self._places.get(text)
        if found is None:
            data = encoded(text)
            offset = -1 if self._kept is None else self._kept.find(data)
            if offset < 0:
                offset = len(self._data)
                self._data += data
            found = self._places[text] = offset, len(data)
        return found

    @property
    def data(self) -> bytes:
        """The present content of the table."""
        return bytes(self._data)

    def block(self) -> BlockRows:
        """Return the block that holds the table."""
        block = BlockRows(BlockId.STRTAB_BLOCK, _WIDTH)
        block.items.append(BlobRecord(StrtabCode.BLOB, (), self.data, Abbreviation.of(StrtabCode.BLOB, blob)))
        return block
