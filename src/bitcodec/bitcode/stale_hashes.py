"""Hashes of modules in a changed stream, which follow from parts of it that may have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.module_hash import NO_HASH
from bitcodec.bitcode.schema.blocks import BlockId, ModuleCode
from bitcodec.bitstream import AbbreviationId, loads

if TYPE_CHECKING:
    from bitcodec.bitstream import Draft, DraftBlock, DraftRecord

__all__ = ["clear_hashes"]


def clear_hashes(data: bytes, draft: Draft) -> bytes:
    """Return the stream of a changed draft with zeros for the hashes of its modules: caches do not use them then.

    A new hash could not be computed for every file: one for the thin link alone has the hash of the whole module.
    A hash that the draft itself has changed is kept.

    Args:
        data: the stream.
        draft: the draft that it was made from.

    Raises:
        BitstreamError: it is no sound stream.
    """
    if data == draft.source.payload:
        return data
    kept = [any(record.is_changed for record in _hashes(block)) for block in _modules(draft)]
    result = loads(data).edit()
    for is_kept, block in zip(kept, _modules(result), strict=True):
        for record in () if is_kept else _hashes(block):
            record.operands, record.abbreviation_id = NO_HASH, AbbreviationId.UNABBREV_RECORD
    return result.dumps()


def _modules(draft: Draft) -> list[DraftBlock]:
    return [block for block in draft.blocks if block.id == BlockId.MODULE_BLOCK]


def _hashes(block: DraftBlock) -> list[DraftRecord]:
    return [record for record in block.records if record.code == ModuleCode.HASH]
