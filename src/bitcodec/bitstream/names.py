"""Names of blocks and records: from the stream itself, then from its application."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID, BlockInfo, BlockInfoCode
from bitcodec.named_tuple import NamedTuple
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FIRST_APPLICATION_BLOCK_ID", "NO_NAMES", "NameTable", "Names"]

FIRST_APPLICATION_BLOCK_ID = 8


class NameTable(NamedTuple):
    """The names an application gives: block id -> name, and block id -> record code -> name."""

    blocks: Mapping[int, str]
    records: Mapping[int, Mapping[int, str]]


NO_NAMES = NameTable({}, {})

_STANDARD = NameTable(
    {BLOCKINFO_BLOCK_ID: "BLOCKINFO_BLOCK"},
    {BLOCKINFO_BLOCK_ID: {code: code.name for code in BlockInfoCode}},
)


class Names(NamedTuple):
    """Looks names up as `llvm-bcanalyzer` does: standard blocks, then BLOCKINFO, then the application's table."""

    table: NameTable = NO_NAMES
    block_info: BlockInfo = BlockInfo()

    def block(self, block_id: int) -> str | None:
        """Return the name of such blocks, None if they are unnamed."""
        if block_id < FIRST_APPLICATION_BLOCK_ID:
            return _STANDARD.blocks.get(block_id)
        return self.block_info.block_names.get(block_id) or self.table.blocks.get(block_id)

    def record(self, block_id: int, code: int) -> str | None:
        """Return the name of records `code` in such blocks, None if they are unnamed."""
        if block_id < FIRST_APPLICATION_BLOCK_ID:
            return _STANDARD.records.get(block_id, {}).get(code)
        own = self.block_info.record_names.get((block_id, code))
        return own if own is not None else self.table.records.get(block_id, {}).get(code)

    def describe_block(self, block_id: int) -> str:
        """Return the name of such blocks, on one line, or a word made of their id."""
        name = self.block(block_id)
        return _shown(name) if name else f"UnknownBlock{block_id}"

    def describe_record(self, block_id: int, code: int) -> str:
        """Return the name of records `code` in such blocks, on one line, or a word made of the code."""
        name = self.record(block_id, code)
        return _shown(name) if name is not None else f"UnknownCode{code}"


def _shown(name: str) -> str:
    """Return a name as text: those that a stream brings along are bytes, one a character."""
    return one_line(name if name.isascii() else name.encode("latin-1").decode("utf-8", "surrogateescape"))
