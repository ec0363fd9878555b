"""Offsets of blocks and records inside LLVM IR, corrected after an edit.

Rules: docs/reference/records.md, 8.4 (metadata index) and 9.2 (VSTOFFSET, FNENTRY).
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from bitcodec.bitcode.modules import ModuleBlocks, modules_of
from bitcodec.bitcode.schema.blocks import (
    METADATA_CODES_WITH_ID,
    BlockId,
    MetadataCode,
    ModuleCode,
    ValueSymtabCode,
)
from bitcodec.bitcode.schema.globals import GLOBAL_LAYOUTS
from bitcodec.bitstream import AbbreviationId, loads
from bitcodec.errors import EncodingError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from bitcodec.bitstream import Bitstream, Block, Draft, DraftBlock, DraftRecord, Record

__all__ = ["check_pairs", "relocated"]

_WORD = 32
_ENTRY_OPERANDS = 2
_LOW_WORD = 0xFFFF_FFFF
_MAX_ROUNDS = 32
_RESET_ROUND = 3
"""The round in which all offsets become 0: from there on they only grow, so that they settle."""
_IS_DECLARATION = 2
"""The index of the field of a FUNCTION record, string table offset and size not counted."""


class _Offset(NamedTuple):
    """Operands of a record that are offsets.

    Attributes:
        record: the record.
        before, after: its operands around them.
        values: the offsets that are correct for the present stream.
    """

    record: DraftRecord
    before: tuple[int, ...]
    values: tuple[int, ...]
    after: tuple[int, ...] = ()

    def set(self, *, to_zero: bool) -> None:
        """Change the record if it has other offsets: an unchanged record is copied."""
        values = (0,) * len(self.values) if to_zero else self.values
        operands = (*self.before, *values, *self.after)
        if self.record.operands != operands:
            self.record.operands = operands


def relocated(data: bytes) -> bytes:
    """Return a stream of LLVM IR with correct offsets: of function bodies, symbol table and metadata index.

    A record whose abbreviation cannot express its offset is written unabbreviated.

    Raises:
        BitstreamError: the stream is malformed.
        EncodingError: a block that an offset is to point to does not begin at a multiple of 32 bits.
    """
    # Metadata first: an index may grow, and move everything that comes after it.
    return _settled(_settled(data, _metadata_offsets), _function_offsets)


def check_pairs(stream: Bitstream) -> None:
    """Check that no symbol table gives a function the body of another: correcting its offsets would change that.

    LLVM takes the first body as the first function's, whatever offset is stated.

    Raises:
        BitstreamError: the stream is malformed.
        EncodingError: a symbol table gives a function the body of another.
    """
    draft = stream.edit()
    for module in modules_of(stream):
        block = draft.blocks[stream.blocks.index(module.module)]
        pairs = zip(_defined_functions(block), _bodies(block), strict=False)
        starts = {value_id: body.start for value_id, body in pairs}
        others, first = set(starts.values()), next(iter(starts), None)
        for value_id, words in _entries(block):
            start = _base(module) + words * _WORD
            if start in others and start != starts.get(value_id, start) and value_id != first:
                raise EncodingError(f"the body of value {value_id} does not begin at word {words}, where another does")


def _settled(data: bytes, find: Callable[[ModuleBlocks, DraftBlock], Iterable[_Offset]]) -> bytes:
    """Repeat until nothing moves any more; with LLVM's own abbreviations that is at once."""
    for number in range(_MAX_ROUNDS):
        stream = loads(data)
        draft = stream.edit()
        offsets = [
            offset
            for module in modules_of(stream)
            for offset in find(module, draft.blocks[stream.blocks.index(module.module)])
        ]
        for offset in offsets:
            offset.set(to_zero=number == _RESET_ROUND)
        if (changed := _dumped(draft, offsets)) == data and number != _RESET_ROUND:
            return data
        data = changed
    raise EncodingError("offsets cannot be set right: setting them moves what they point to")


def _dumped(draft: Draft, offsets: Iterable[_Offset]) -> bytes:
    """Return the stream, with offsets unabbreviated if an abbreviation cannot express one."""
    try:
        return draft.dumps()
    except EncodingError:
        for offset in offsets:
            if offset.record.is_changed:
                offset.record.abbreviation_id = AbbreviationId.UNABBREV_RECORD
        return draft.dumps()


def _metadata_offsets(_module: ModuleBlocks, draft: DraftBlock) -> Iterator[_Offset]:
    """Yield the offsets in each index of the module's metadata: distances in bits, from record to record."""
    for block in draft.blocks:
        if block.id != BlockId.METADATA_BLOCK:
            continue
        offset: DraftRecord | None = None
        places: list[int] = []
        for record in block.records:
            if record.code == MetadataCode.INDEX_OFFSET:
                offset, places = record, [_source(record).end]
            elif record.code == MetadataCode.INDEX and offset is not None:
                distance = _source(record).start - places[0]
                yield _Offset(offset, (), (distance & _LOW_WORD, distance >> _WORD))
                yield _Offset(record, (), tuple(after - before for before, after in itertools.pairwise(places)))
                offset = None
            elif record.code in METADATA_CODES_WITH_ID:
                places.append(_source(record).start)


def _function_offsets(module: ModuleBlocks, draft: DraftBlock) -> Iterator[_Offset]:
    """Yield the offset of the symbol table, and the offsets of function bodies in it."""
    base = _base(module)
    bodies = dict(zip(_defined_functions(draft), _bodies(draft), strict=False))
    tables = [block for block in draft.blocks if block.id == BlockId.VALUE_SYMTAB_BLOCK]
    places = [_words(table.source, base) for table in tables if table.source is not None]
    for record in draft.records:
        operands = tuple(record.operands)
        if record.code == ModuleCode.VSTOFFSET and places and operands[:1] not in {(place,) for place in places}:
            yield _Offset(record, (), (places[-1],), operands[1:])
    for table in tables:
        for record in table.records:
            match record.operands:
                case (value_id, _, *rest) if record.code == ValueSymtabCode.FNENTRY and value_id in bodies:
                    yield _Offset(record, (value_id,), (_words(bodies[value_id], base),), tuple(rest))


def _base(module: ModuleBlocks) -> int:
    """Return the bit offset that offsets of blocks count from."""
    return (module.identification or module.module).start - _WORD


def _entries(draft: DraftBlock) -> Iterator[tuple[int, int]]:
    """Yield value id and offset of each function in the symbol tables."""
    for table in draft.blocks:
        if table.id == BlockId.VALUE_SYMTAB_BLOCK:
            for record in table.records:
                if record.code == ValueSymtabCode.FNENTRY and len(record.operands) >= _ENTRY_OPERANDS:
                    yield record.operands[0], record.operands[1]


def _defined_functions(draft: DraftBlock) -> Iterator[int]:
    """Yield the value ids of the functions that have a body, in the order of the bodies."""
    version = 0
    value_id = 0
    for record in draft.records:
        if record.code == ModuleCode.VERSION and record.operands:
            version = record.operands[0]
        elif record.code in GLOBAL_LAYOUTS:
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
    assert record.source is not None, "the draft was just made of a stream"  # noqa: S101
    return record.source
