"""The offsets that LLVM IR keeps of its own blocks and records, set right after an edit.

Rules: bitcode record reference, sections 8.4 (metadata index) and 9.2 (VSTOFFSET, FNENTRY).
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from bitcodec.bitcode.modules import ModuleBlocks, modules_of
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode, ModuleCode, ValueSymtabCode
from bitcodec.bitstream import loads
from bitcodec.errors import EncodingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.bitstream import Block, DraftBlock, DraftRecord, Record

__all__ = ["relocated"]

_WORD = 32
_ROUNDS = 4
_GLOBALS = (ModuleCode.GLOBALVAR, ModuleCode.FUNCTION, ModuleCode.ALIAS_OLD, ModuleCode.ALIAS, ModuleCode.IFUNC)
_IS_DECLARATION = 2
"""Which field of a FUNCTION record says so, string table offset and size not counted."""


def relocated(data: bytes) -> bytes:
    """Return a stream of LLVM IR with its offsets right: those of function bodies, symbol table, metadata index.

    Raises:
        BitstreamError: it is no sound stream.
        EncodingError: a block that an offset is to point to does not begin at a multiple of 32 bits.
    """
    # Metadata first: an index may grow, and move all that comes after it.
    return _settled(_settled(data, _relocate_metadata), _relocate_functions)


def _settled(data: bytes, relocate: Callable[[ModuleBlocks, DraftBlock], None]) -> bytes:
    """Repeat until nothing moves any more; with LLVM's own abbreviations that is at once."""
    for _ in range(_ROUNDS):
        stream = loads(data)
        draft = stream.edit()
        for module in modules_of(stream):
            relocate(module, draft.blocks[stream.blocks.index(module.module)])
        if (changed := draft.dumps()) == data:
            return data
        data = changed
    raise EncodingError("offsets cannot be set right: setting them moves what they point to")


def _relocate_metadata(_module: ModuleBlocks, draft: DraftBlock) -> None:
    """Set the index of the module's metadata."""
    for block in draft.blocks:
        if block.id == BlockId.METADATA_BLOCK:
            _index(block.records)


def _index(records: list[DraftRecord]) -> None:
    """Set INDEX_OFFSET and INDEX among the records of a metadata block: distances in bits, from record to record."""
    codes = [record.code for record in records]
    if MetadataCode.INDEX_OFFSET not in codes or MetadataCode.INDEX not in codes:
        return
    first, last = codes.index(MetadataCode.INDEX_OFFSET), codes.index(MetadataCode.INDEX)
    places = [_source(record) for record in records[first : last + 1]]
    distance = places[-1].start - places[0].end
    _set(records[first], (distance & 0xFFFF_FFFF, distance >> 32))
    positions = [places[0].end, *(place.start for place in places[1:-1])]
    _set(records[last], tuple(after - before for before, after in itertools.pairwise(positions)))


def _relocate_functions(module: ModuleBlocks, draft: DraftBlock) -> None:
    """Set the offsets of the symbol table, and in it those of function bodies."""
    base = (module.identification or module.module).start - _WORD
    bodies = dict(zip(_defined_functions(draft), _bodies(draft), strict=False))
    for table in draft.blocks:
        if table.id != BlockId.VALUE_SYMTAB_BLOCK or table.source is None:
            continue
        for record in draft.records:
            if record.code == ModuleCode.VSTOFFSET:
                _set(record, (_words(table.source, base),))
        for record in table.records:
            if record.code == ValueSymtabCode.FNENTRY and record.operands[0] in bodies:
                _set(record, (record.operands[0], _words(bodies[record.operands[0]], base), *record.operands[2:]))


def _defined_functions(draft: DraftBlock) -> Iterator[int]:
    """Yield the value ids of the functions that have a body, in the order of the bodies."""
    version = 0
    value_id = 0
    for record in draft.records:
        if record.code == ModuleCode.VERSION and record.operands:
            version = record.operands[0]
        elif record.code in _GLOBALS:
            field = _IS_DECLARATION + (2 if version >= 2 else 0)
            if record.code == ModuleCode.FUNCTION and len(record.operands) > field and not record.operands[field]:
                yield value_id
            value_id += 1


def _bodies(draft: DraftBlock) -> Iterator[Block]:
    for block in draft.blocks:
        if block.id == BlockId.FUNCTION_BLOCK and block.source is not None:
            yield block.source


def _words(block: Block, base: int) -> int:
    if block.start % _WORD:
        raise EncodingError(
            f"block {block.id} begins at bit {block.start}, not at a multiple of {_WORD}: put the records before it "
            "ahead of the block that precedes them"
        )
    return (block.start - base) // _WORD


def _source(record: DraftRecord) -> Record:
    assert record.source is not None, "a draft just made of a stream"  # noqa: S101
    return record.source


def _set(record: DraftRecord, operands: tuple[int, ...]) -> None:
    """Change a record only if it has to be: what is not changed is copied."""
    if record.operands != operands:
        record.operands = operands
