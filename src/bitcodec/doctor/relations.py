"""Constructs that several records show together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.metadata_index import KIND_MASK
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, MetadataCode, ModuleCode, TypeCode
from bitcodec.doctor.alias_scopes import flagged_domains
from bitcodec.doctor.bits import Abbreviations, Bits, RefusedError
from bitcodec.doctor.constant_types import mismatched_constants
from bitcodec.doctor.keys import ConstructKind, Key
from bitcodec.doctor.late_globals import misnumbered_values
from bitcodec.doctor.records import GLOBALS, REFERENCES
from bitcodec.doctor.rules import SYMBOL_TABLE_MESSAGES
from bitcodec.errors import BitstreamError
from bitcodec.tables.versions import NEWEST

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.doctor.records import StreamRecords

__all__ = ["related"]

_WORD = 32
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


def related(records: StreamRecords, payload: memoryview) -> Iterator[tuple[Key, int]]:
    """Yield constructs with the row of a record that has it.

    Args:
        records: of a bitstream.
        payload: the bitstream.
    """
    yield from _misplaced_symbol_tables(records, payload)
    yield from _kinds_given_twice(records)
    yield from flagged_domains(records)
    _classify_flags(records)
    yield from _lifetimes(records, payload)
    yield from _late_targets(records)
    yield from _odd_parameters(records)
    yield from _old_globals(records)
    yield from ((Key(ConstructKind.VALUE_NUMBER, 0), row) for row in misnumbered_values(records))
    assembly = [row for row in records.rows(BlockId.MODULE_BLOCK) if records.code(row) == ModuleCode.ASM]
    yield from ((Key(ConstructKind.ASSEMBLY_PARTS, 0), row) for row in assembly[1:])
    if Key(ConstructKind.TYPE, TypeCode.OPAQUE_POINTER) in records.found:
        yield from _globals_in_constants(records)
    else:
        # Typed pointers have a pointee.
        records.found.pop(Key(ConstructKind.OLD_ALLOCA, 0), None)
        yield from ((Key(ConstructKind.CONSTANT_TYPE, 0), row) for row in mismatched_constants(records))


def _misplaced_symbol_tables(records: StreamRecords, payload: memoryview) -> Iterator[tuple[Key, int]]:
    """Yield the records with the wrong place of a symbol table, with the readers' message on the contents there."""
    blocks, ids = records.columns.blocks, records.block_ids
    with_bodies = {blocks.parent[row] for row, block_id in enumerate(ids) if block_id == BlockId.FUNCTION_BLOCK}
    stated: dict[int, int] = {}
    for row in _offsets(records):
        stated.setdefault(records.columns.records.block[row], row)
    base = 0
    for block, block_id in enumerate(ids):
        if blocks.parent[block] >= 0 or block_id not in _WITH_BASE:
            continue
        if block in with_bodies and block in stated:
            words = records.operands(stated[block])[0]
            base = base or blocks.start[block]
            place = base + (words - 1) * _WORD
            end = blocks.body[block] + blocks.size_in_words[block] * _WORD
            if end > len(payload) * 8:
                return  # it is cut off, and refused before
            size = (end - base) // 8
            target = place // 8 - base // 8 & ~(_JUMP_SIZE - 1)
            if target >= size:
                # Readers load the bytes up to a multiple of that size; behind the end they find no block.
                is_aligned = (place - base) // 8 % _JUMP_SIZE == 0
                behind = Key(ConstructKind.SYMBOL_TABLE_BEHIND, target, size)
                yield Key(ConstructKind.SYMBOL_TABLE_OFFSET, 0) if is_aligned else behind, stated[block]
            else:
                bits = Bits(payload[base // 8 : end // 8], base, size, NEWEST)
                bits.jump(place - base)
                message = _about_no_symbol_table(bits, blocks.abbreviation_width[block])
                if message:
                    yield Key(ConstructKind.SYMBOL_TABLE_OFFSET, SYMBOL_TABLE_MESSAGES.index(message)), stated[block]
        base = blocks.start[block] if block_id == BlockId.IDENTIFICATION_BLOCK else 0


def _about_no_symbol_table(bits: Bits, width: int) -> str:
    """Return the message about the contents in the place of a symbol table, "" if it is one."""
    try:
        entry = bits.advance(Abbreviations(width))
    except RefusedError as refused:
        return str(refused) if str(refused) in SYMBOL_TABLE_MESSAGES else SYMBOL_TABLE_MESSAGES[0]
    except BitstreamError:
        return SYMBOL_TABLE_MESSAGES[0]
    return "" if entry.is_block and entry.number == BlockId.VALUE_SYMTAB_BLOCK else SYMBOL_TABLE_MESSAGES[0]


def _kinds_given_twice(records: StreamRecords) -> Iterator[tuple[Key, int]]:
    """Yield the records that give a number of a kind of metadata which another one has given."""
    blocks, codes, seen = records.columns.blocks, records.columns.records.code, set()
    others = [row for row in records.rows(BlockId.METADATA_BLOCK) if codes[row] != MetadataCode.VALUE]
    for row in sorted((*records.rows(BlockId.METADATA_KIND_BLOCK), *others)):
        operands = records.operands(row)
        module = blocks.parent[records.columns.records.block[row]]
        kind = module, operands[0] & KIND_MASK if operands else 0
        if len(operands) > 1 and kind in seen:
            yield Key(ConstructKind.METADATA_KIND, 0), row
        seen.add(kind)


def _classify_flags(records: StreamRecords) -> None:
    """Replace the keys of fast-math flags by the number of a type with those by the kind of that type."""
    types = records.rows(BlockId.TYPE_BLOCK)
    for key in [each for each in records.found if each.kind in _OF_TYPES]:
        row, times = records.found.pop(key)
        number = key.number
        if (
            key.kind is ConstructKind.CALLED_TYPE
            and number < len(types)
            and records.code(types[number]) == TypeCode.FUNCTION
        ):
            number = (*records.operands(types[number]), 0, 0)[1]
        aggregate = _AGGREGATES.get(records.code(types[number])) if number < len(types) else None
        if aggregate is not None:
            entry = records.found.setdefault(Key(_OF_TYPES[key.kind], aggregate), [row, 0])
            entry[:] = min(row, entry[0]), entry[1] + times


_OF_TYPES = {
    ConstructKind.CALLED_TYPE: ConstructKind.CALL_OF_AGGREGATE,
    ConstructKind.PHI_TYPE: ConstructKind.PHI_OF_AGGREGATE,
}
_AGGREGATES: dict[int, int] = {TypeCode.STRUCT_ANON: 0, TypeCode.ARRAY: 1}
"""By code of a type, the number of the key."""


def _offsets(records: StreamRecords) -> Iterator[int]:
    for row in records.rows(BlockId.MODULE_BLOCK):
        if records.code(row) == ModuleCode.VSTOFFSET and records.operands(row):
            yield row


def _lifetimes(records: StreamRecords, payload: memoryview) -> Iterator[tuple[Key, int]]:
    """Yield the declarations of lifetime intrinsics that have no size."""
    names = records.strings(payload)
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
        # Before the parameters, the record of a function type has whether it is variadic, and its result.
        if len(records.operands(types[number])) == _BEFORE_PARAMETERS + 1:
            yield Key(ConstructKind.LIFETIME, 0), row


def _late_targets(records: StreamRecords) -> Iterator[tuple[Key, int]]:
    """Yield the records of targets and data layouts that follow a function, for which readers need them."""
    with_function: set[int] = set()
    for row in records.rows(BlockId.MODULE_BLOCK):
        code, block = records.code(row), records.columns.records.block[row]
        if code == ModuleCode.FUNCTION:
            with_function.add(block)
        elif code in {ModuleCode.TRIPLE, ModuleCode.DATALAYOUT} and block in with_function:
            yield Key(ConstructKind.LATE_TARGET, code), row


def _odd_parameters(records: StreamRecords) -> Iterator[tuple[Key, int]]:
    """Yield the types of functions with a parameter that is not a value, or whose type follows."""
    first: dict[int, int] = {}
    rows, block_of = records.rows(BlockId.TYPE_BLOCK), records.columns.records.block
    counts = {block: _stated_number(records, block) for block in {block_of[row] for row in rows}}
    for number, row in enumerate(rows):
        start = first.setdefault(block_of[row], number)
        if records.code(row) != TypeCode.FUNCTION:
            continue
        parameters = records.operands(row)[_BEFORE_PARAMETERS:]
        # Readers look at one after the other, and refuse the first for which there is no type.
        stated, count = counts[block_of[row]]
        if row < stated:
            continue  # there is no type yet
        absent = [place for place, parameter in enumerate(parameters) if parameter >= count]
        parameters = parameters[: absent[0]] if absent else parameters
        if any(parameter >= number - start for parameter in parameters):
            yield Key(ConstructKind.LATER_PARAMETER, 0), row
        elif any(records.code(rows[start + parameter]) in _NO_VALUES for parameter in parameters):
            yield Key(ConstructKind.NO_PARAMETER, 0), row


def _stated_number(records: StreamRecords, block: int) -> tuple[int, int]:
    """Return the row with the number of types of a block, and the number; no row and 0 if it is absent."""
    blocks = records.columns.blocks
    for row in range(blocks.first_record[block], blocks.last_record[block]):
        if records.code(row) == TypeCode.NUMENTRY:
            return row, (records.operands(row) or [0])[0]
    return blocks.last_record[block], 0


_NO_VALUES = (TypeCode.VOID, TypeCode.FUNCTION, TypeCode.OPAQUE)


def _old_globals(records: StreamRecords) -> Iterator[tuple[Key, int]]:
    """Yield the variables in the form without an explicit type whose address does not have a typed pointer."""
    blocks, block_of = records.columns.blocks, records.columns.records.block
    codes: dict[int, list[int]] = {}
    for row in records.rows(BlockId.TYPE_BLOCK):
        codes.setdefault(blocks.parent[block_of[row]], []).append(records.code(row))
    # In modules of version 2, the place of the name precedes the fields.
    skipped = 2 if any(key.kind is ConstructKind.MODULE_VERSION for key in records.found) else 0
    for row in records.rows(BlockId.MODULE_BLOCK):
        number, flags = (*records.operands(row)[skipped : skipped + 2], 0, _EXPLICIT)[:2]
        types = codes.get(block_of[row], [])
        if records.code(row) != ModuleCode.GLOBALVAR or flags & _EXPLICIT or number >= len(types):
            continue
        if types[number] != TypeCode.POINTER:
            yield Key(ConstructKind.OLD_GLOBAL, int(types[number] == TypeCode.OPAQUE_POINTER)), row


_EXPLICIT = 2
"""A bit of the flags of variables: the type is the value type of the variable."""


def _globals_in_constants(records: StreamRecords) -> Iterator[tuple[Key, int]]:
    """Yield the constants that contain the address of a global."""
    count = sum(records.code(row) in GLOBALS for row in records.rows(BlockId.MODULE_BLOCK))
    for row in records.rows(BlockId.CONSTANTS_BLOCK):
        operands = records.operands(row)
        first, step = _PLACES[ConstantsCode(records.code(row))]
        # An odd number of operands is a type in front of pairs of type and value.
        start = first + len(operands) % 2 if step == _PAIR else first
        if any(operand < count for operand in operands[start::step]):
            yield Key(ConstructKind.GLOBAL_IN_CONSTANT, 0), row


assert set(_PLACES) == set(REFERENCES)  # noqa: S101 - each has a place
