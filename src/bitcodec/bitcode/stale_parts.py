"""Parts of a changed stream that follow from others: the hashes of modules, and the table of symbols for linkers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.module_hash import NO_HASH
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitstream import AbbreviationId, loads

if TYPE_CHECKING:
    from bitcodec.bitstream import Draft, DraftBlock, DraftRecord

__all__ = ["remove_stale"]


def remove_stale(data: bytes, draft: Draft, *, keeps_symbols: bool) -> bytes:
    """Return the stream of a changed draft without the table of symbols, and with zeros for the hashes of its modules.

    Linkers make the table, and caches do not use such hashes.  A new hash could not be computed for every file: one for
    the thin link alone has the hash of the whole module.  Changes in the draft itself are kept.

    Args:
        data: the stream.
        draft: the draft that it was made from.
        keeps_symbols: whether the table of symbols is kept.

    Raises:
        BitstreamError: the stream is malformed.
    """
    if data == draft.source.payload:
        return data
    kept = [any(record.is_changed for record in _hashes(block)) for block in _blocks(draft, BlockId.MODULE_BLOCK)]
    result = loads(data).edit()
    for is_kept, block in zip(kept, _blocks(result, BlockId.MODULE_BLOCK), strict=True):
        for record in () if is_kept else _hashes(block):
            record.operands, record.abbreviation_id = NO_HASH, AbbreviationId.UNABBREV_RECORD
    own = [any(record.is_changed for record in block.records) for block in _blocks(draft, BlockId.SYMTAB_BLOCK)]
    for is_own, block in zip(own, _blocks(result, BlockId.SYMTAB_BLOCK), strict=True):
        if not (is_own or keeps_symbols):
            result.blocks.remove(block)
    return result.dumps()


def _blocks(draft: Draft, block_id: BlockId) -> list[DraftBlock]:
    return [block for block in draft.blocks if block.id == block_id]


def _hashes(block: DraftBlock) -> list[DraftRecord]:
    return [record for record in block.records if record.code == ModuleCode.HASH]
