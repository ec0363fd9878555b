"""Names of blocks and records: those the stream brings along, then those of its application."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID, BlockInfo, BlockInfoCode

__all__ = ["FIRST_APPLICATION_BLOCK_ID", "NO_NAMES", "NameTable", "Names"]

FIRST_APPLICATION_BLOCK_ID = 8


@dataclass(frozen=True, slots=True)
class NameTable:
    """The names an application gives: block id -> name, and block id -> record code -> name."""

    blocks: Mapping[int, str] = field(default_factory=dict)
    records: Mapping[int, Mapping[int, str]] = field(default_factory=dict)


NO_NAMES = NameTable()

_STANDARD = NameTable(
    {BLOCKINFO_BLOCK_ID: "BLOCKINFO_BLOCK"},
    {BLOCKINFO_BLOCK_ID: {code: code.name for code in BlockInfoCode}},
)


@dataclass(frozen=True, slots=True)
class Names:
    """Looks names up as `llvm-bcanalyzer` does: standard blocks, then BLOCKINFO, then the application's table."""

    table: NameTable = NO_NAMES
    block_info: BlockInfo = field(default_factory=BlockInfo)

    def block(self, block_id: int) -> str | None:
        """Return the name of such blocks, None if they have none."""
        if block_id < FIRST_APPLICATION_BLOCK_ID:
            return _STANDARD.blocks.get(block_id)
        return self.block_info.block_names.get(block_id) or self.table.blocks.get(block_id)

    def record(self, block_id: int, code: int) -> str | None:
        """Return the name of records `code` in such blocks, None if they have none."""
        if block_id < FIRST_APPLICATION_BLOCK_ID:
            return _STANDARD.records.get(block_id, {}).get(code)
        own = self.block_info.record_names.get((block_id, code))
        return own if own is not None else self.table.records.get(block_id, {}).get(code)

    def describe_block(self, block_id: int) -> str:
        """Return the name of such blocks, or a word made of their id."""
        return self.block(block_id) or f"UnknownBlock{block_id}"

    def describe_record(self, block_id: int, code: int) -> str:
        """Return the name of records `code` in such blocks, or a word made of the code."""
        name = self.record(block_id, code)
        return name if name is not None else f"UnknownCode{code}"
