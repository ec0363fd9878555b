"""Constructs that several records show together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, ModuleCode, TypeCode
from bitcodec.doctor.keys import Key, Kind
from bitcodec.doctor.records import GLOBALS, REFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.doctor.records import Records

__all__ = ["related"]

_WORD, _WORD_SIZE = 32, 4
_WITH_BASE = (BlockId.IDENTIFICATION_BLOCK, BlockId.MODULE_BLOCK)
_JUMP_SIZE = 8
"""Bytes that readers load at once."""
_PAIR, _END = 2, 99
_PLACES = {
    ConstantsCode.AGGREGATE: (0, 1),
    ConstantsCode.CE_CAST: (2, _END),
    ConstantsCode.CE_GEP_OLD: (1, _PAIR),
    ConstantsCode.CE_INBOUNDS_GEP: (1, _PAIR),
}
"""By code of a constant, the place of its first reference, and the distance to the next."""
_LIFETIMES = b"llvm.lifetime."
_TYPE_OF_FUNCTION, _BEFORE_PARAMETERS = 2, 2


def related(records: Records, payload: memoryview) -> Iterator[tuple[Key, int]]:
    """Yield constructs with the row of a record that has it.

    Args:
        records: of a bitstream.
        payload: the bitstream.
    """
    if records.columns.error is None:
        yield from _misplaced_symbol_tables(records, payload)
    yield from _lifetimes(records, payload)
    assembly = [row for row in records.rows(BlockId.MODULE_BLOCK) if records.code(row) == ModuleCode.ASM]
    yield from ((Key(Kind.ASSEMBLY_PARTS, 0), row) for row in assembly[1:])
    if Key(Kind.TYPE, TypeCode.OPAQUE_POINTER) in records.found:
        yield from _globals_in_constants(records)


def _misplaced_symbol_tables(records: Records, payload: memoryview) -> Iterator[tuple[Key, int]]:
    """Yield the records of symbol tables that are not where they say, with the abbreviation id that is there."""
    blocks, ids = records.columns.blocks, records.block_ids
    starts = {blocks.start[row] for row, block_id in enumerate(ids) if block_id == BlockId.VALUE_SYMTAB_BLOCK}
    with_bodies = {blocks.parent[row] for row, block_id in enumerate(ids) if block_id == BlockId.FUNCTION_BLOCK}
    stated = {records.columns.records.block[row]: row for row in _offsets(records)}
    base = 0
    for block, block_id in enumerate(ids):
        if blocks.parent[block] >= 0 or block_id not in _WITH_BASE:
            continue
        if block in with_bodies and block in stated:
            words = records.operands(stated[block])[0]
            base = base or blocks.start[block]
            place = base + (words - 1) * _WORD
            size = (blocks.end[block] - base) // 8
            target = place // 8 - base // 8 & ~(_JUMP_SIZE - 1)
            if target >= size:
                yield Key(Kind.SYMBOL_TABLE_BEHIND, target, size), stated[block]
            elif place not in starts:
                mask = (1 << blocks.abbreviation_width[block]) - 1
                word = int.from_bytes(payload[place // 8 : place // 8 + _WORD_SIZE], "little")
                yield Key(Kind.SYMBOL_TABLE_OFFSET, word & mask), stated[block]
        base = blocks.start[block] if block_id == BlockId.IDENTIFICATION_BLOCK else 0


def _offsets(records: Records) -> Iterator[int]:
    for row in records.rows(BlockId.MODULE_BLOCK):
        if records.code(row) == ModuleCode.VSTOFFSET and records.operands(row):
            yield row


def _lifetimes(records: Records, payload: memoryview) -> Iterator[tuple[Key, int]]:
    """Yield the declarations of lifetime intrinsics that have no size."""
    blobs = (records.columns.blobs.of_record(row) for row in records.rows(BlockId.STRTAB_BLOCK)[:1])
    start, size = next(blobs, None) or (0, 0)
    names = bytes(payload[start : start + size])
    if _LIFETIMES not in names:
        return
    types = records.rows(BlockId.TYPE_BLOCK)
    for row in records.rows(BlockId.MODULE_BLOCK):
        operands = records.operands(row)
        if records.code(row) != ModuleCode.FUNCTION or len(operands) <= _TYPE_OF_FUNCTION:
            continue
        offset, number = operands[0], operands[_TYPE_OF_FUNCTION]
        if number >= len(types) or offset >= len(names) or not names.startswith(_LIFETIMES, offset):
            continue
        # Before the parameters, the record of a function type says whether it is variadic, and what it returns.
        if len(records.operands(types[number])) == _BEFORE_PARAMETERS + 1:
            yield Key(Kind.LIFETIME, 0), row


def _globals_in_constants(records: Records) -> Iterator[tuple[Key, int]]:
    """Yield the constants that contain the address of a global."""
    count = sum(records.code(row) in GLOBALS for row in records.rows(BlockId.MODULE_BLOCK))
    for row in records.rows(BlockId.CONSTANTS_BLOCK):
        operands = records.operands(row)
        first, step = _PLACES[ConstantsCode(records.code(row))]
        # An odd number of operands is a type in front of pairs of type and value.
        start = first + len(operands) % 2 if step == _PAIR else first
        if any(operand < count for operand in operands[start::step]):
            yield Key(Kind.GLOBAL_IN_CONSTANT, 0), row


assert set(_PLACES) == set(REFERENCES)  # noqa: S101 - each has a place
