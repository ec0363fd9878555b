"""Unchanged parts of a file: summaries for link-time optimization, and their blocks.

Rules: docs/reference/records.md, 9.6; docs/reference/writer.md, 11.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, GlobalValueSummaryCode, ModuleStrtabCode
from bitcodec.bitcode.writer.rows import UNABBREVIATED, BlockRows
from bitcodec.bitstream.abbreviations import Abbreviation, array, fixed, vbr

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.ir.module import RawPart

__all__ = ["is_index", "kept_records", "summary_blocks"]

_WIDTH = 4
_PATH = 4
"""Id of the abbreviation for the paths of modules."""


def is_index(parts: Sequence[RawPart]) -> bool:
    """Return whether the module consists of an index of several modules only."""
    return any(part.name == BlockId.MODULE_STRTAB_BLOCK.name for part in parts)


def kept_records(parts: Sequence[RawPart], block_id: BlockId) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield code and operands of the records that are kept of a block that is otherwise rewritten."""
    for part in parts:
        if part.name == block_id.name:
            yield from part.records


def summary_blocks(parts: Sequence[RawPart]) -> Iterator[BlockRows]:
    """Yield the blocks that are kept whole; the paths of modules come first."""
    for part in sorted(parts, key=lambda part: part.name != BlockId.MODULE_STRTAB_BLOCK.name):
        block = BlockRows(BlockId[part.name], _WIDTH)
        if block.block_id == BlockId.MODULE_STRTAB_BLOCK:
            _add_paths(block, part)
            yield block
        elif block.block_id not in (BlockId.MODULE_BLOCK, BlockId.VALUE_SYMTAB_BLOCK):
            _add_summaries(block, part, parts)
            yield block


def _add_paths(block: BlockRows, part: RawPart) -> None:
    is_ascii = all(max(operands, default=0) < 128 for code, operands in part.records if code == ModuleStrtabCode.ENTRY)
    block.items.append(Abbreviation.of(ModuleStrtabCode.ENTRY, vbr(8), array, fixed(7 if is_ascii else 8)))
    for code, operands in part.records:
        if code == ModuleStrtabCode.ENTRY:
            block.rows().add(code, [operands[0], *(byte & 0xFF for byte in operands[1:])], _PATH)
        else:
            block.rows().add(code, operands, UNABBREVIATED)


def _add_summaries(block: BlockRows, part: RawPart, parts: Sequence[RawPart]) -> None:
    for code, operands in part.records:
        block.rows().add(code, operands)
        if code == GlobalValueSummaryCode.VERSION:
            # Before summaries said it themselves, a symbol table gave the GUIDs.
            for _, pair in kept_records(parts, BlockId.VALUE_SYMTAB_BLOCK):
                block.rows().add(GlobalValueSummaryCode.VALUE_GUID, pair)
