"""Which versions of LLVM read a bitstream, and what keeps the others from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import (
    RECORD_CODES,
    SUMMARY_BLOCKS,
    BlockId,
    ConstantsCode,
    ModuleCode,
    StrtabCode,
    TypeCode,
)
from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitstream.names import Names
from bitcodec.doctor.faults import message_of
from bitcodec.doctor.findings import Obstacle, Verdict
from bitcodec.doctor.keys import Key, Kind
from bitcodec.doctor.observing import OBSERVERS, UNKNOWN_CODES
from bitcodec.doctor.rules import SUMMARY_LIMITS, Effect, Remedy, rules_of
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.bitstream import Columns
    from bitcodec.errors import PlacedError

__all__ = ["Phase", "Sighting", "sightings", "verdict_of"]

_NAMES = Names(LLVM_IR_NAMES)
_CODES: dict[int, dict[int, str]] = {
    block_id.value: {code.value: code.name for code in codes} for block_id, codes in RECORD_CODES.items()
}
"""Names of records by block id and code."""
_WITH_BASE = (BlockId.IDENTIFICATION_BLOCK, BlockId.MODULE_BLOCK)
_WORD, _WORD_SIZE = 32, 4
_GLOBALS = frozenset(
    {ModuleCode.GLOBALVAR, ModuleCode.FUNCTION, ModuleCode.ALIAS_OLD, ModuleCode.ALIAS, ModuleCode.IFUNC}
)
_PAIR, _END = 2, 99
_REFERENCES = (
    (ConstantsCode.AGGREGATE, 0, 1),
    (ConstantsCode.CE_CAST, 2, _END),
    (ConstantsCode.CE_GEP_OLD, 1, _PAIR),
    (ConstantsCode.CE_INBOUNDS_GEP, 1, _PAIR),
)
"""Records of constants that refer to others: code, place of the first reference, distance to the next."""
_TYPE_OF_FUNCTION = 2
"""The place of the type in a FUNCTION record, after offset and size of the name."""


class Phase:
    """The order in which readers come to the parts of a file."""

    FILE, TOP_LEVEL, MODULE, FIRST_BODY, BODIES, SUMMARIES = range(6)


class Sighting(NamedTuple):
    """A construct in a file.

    Attributes:
        phase: when readers come to it.
        bit_offset: where its first record begins.
        record: names of the block and the record.
        times: number of records that have it.
    """

    phase: int
    bit_offset: int
    record: str
    times: int


def sightings(payload: memoryview, columns: Columns) -> dict[Key, Sighting]:
    """Return the constructs of a bitstream, decoded to columns, that readers differ in."""
    found = _Observation(payload, columns).run()
    modules = [row for row, block_id in enumerate(columns.blocks.id) if block_id == BlockId.MODULE_BLOCK]
    modules = [row for row in modules if columns.blocks.parent[row] < 0]
    if len(payload) % _WORD_SIZE:
        found[Key(Kind.FILE_SIZE, 0)] = Sighting(Phase.FILE, len(payload) * 8, "file", 1)
    if len(modules) > 1:
        place = columns.blocks.start[modules[1]]
        found[Key(Kind.SEVERAL_MODULES, 0)] = Sighting(Phase.TOP_LEVEL, place, "MODULE_BLOCK", len(modules))
    elif not modules and columns.error is None:
        found[Key(Kind.NO_MODULE, 0)] = Sighting(Phase.TOP_LEVEL, columns.end, "top level", 1)
    return found


def verdict_of(version: int, found: dict[Key, Sighting], fault: PlacedError | None, payload: memoryview) -> Verdict:
    """Return the verdict of a version, without advice.

    Args:
        version: of LLVM.
        found: the constructs of the file that readers differ in.
        fault: what is malformed, None if nothing is.
        payload: the bitstream.
    """
    ordered = sorted(_obstacles_of(version, found, fault, payload), key=lambda each: each[0])
    by_effect: dict[Effect, list[Obstacle]] = {Effect.REFUSES: [], Effect.MISREADS: [], Effect.REJECTS: []}
    for _, obstacle in ordered:
        by_effect.get(obstacle.effect, by_effect[Effect.REFUSES]).append(obstacle)
    refused, misread, rejected = map(tuple, by_effect.values())
    return Verdict(version, refused, misread, rejected)


def _obstacles_of(
    version: int, found: dict[Key, Sighting], fault: PlacedError | None, payload: memoryview
) -> Iterator[tuple[tuple[int, int], Obstacle]]:
    """Yield what keeps a version from reading a file, with its place in the order of reading."""
    for key, sighting in found.items():
        for rule in rules_of(key):
            if rule.covers(version, key):
                yield (
                    (sighting.phase, sighting.bit_offset),
                    Obstacle(
                        rule.identifier,
                        rule.effect,
                        rule.message_about(key),
                        rule.describe(key),
                        sighting.record,
                        sighting.bit_offset,
                        sighting.times,
                        rule.remedy,
                    ),
                )
                break
    if fault is not None and _is_noticed(fault, version):
        place = (_phase_of(fault.block_path), fault.bit_offset)
        record = " > ".join(map(_NAMES.describe_block, fault.block_path)) or "top level"
        message = message_of(fault, version, payload)
        yield (
            place,
            Obstacle("damage", Effect.REFUSES, message, fault.reason, record, fault.bit_offset, 1, Remedy.NONE),
        )


def _is_noticed(fault: PlacedError, version: int) -> bool:
    """Return whether a version comes to the place where a bitstream is malformed, and no construct says the same."""
    is_in_summary = _phase_of(fault.block_path) == Phase.SUMMARIES or fault.reason.startswith("COMBINED_ENTRY")
    if is_in_summary and version not in SUMMARY_LIMITS:
        return False
    return not fault.reason.startswith("VSTOFFSET record: no symbol table")


def _phase_of(path: tuple[int, ...]) -> int:
    if not path:
        return Phase.TOP_LEVEL
    if BlockId.FUNCTION_BLOCK in path:
        return Phase.BODIES
    return Phase.SUMMARIES if any(block in path for block in SUMMARY_BLOCKS) else Phase.MODULE


def _name_of(block_id: int, code: int) -> str:
    return _CODES.get(block_id, {}).get(code) or _NAMES.describe_record(block_id, code)


class _Observation:
    """One walk over the records of a bitstream."""

    def __init__(self, payload: memoryview, columns: Columns) -> None:
        self._payload = payload
        self._columns = columns
        self._found: dict[Key, list[int]] = {}
        self._ids: list[int] = columns.blocks.id.tolist()

    def run(self) -> dict[Key, Sighting]:
        records, found = self._columns.records, self._found
        first, operands = records.first_operand.tolist(), self._columns.operands
        observers = [OBSERVERS.get(block_id) for block_id in self._ids]
        for row, (block, code) in enumerate(zip(records.block, records.code, strict=True)):
            known = observers[block]
            if known is None:
                continue
            observe = known.get(code)
            if observe is None:
                block_id = self._ids[block]
                if block_id not in UNKNOWN_CODES or code in _CODES[block_id]:
                    continue
                keys: Iterable[Key] = (Key(UNKNOWN_CODES[block_id], code),)
            else:
                keys = observe(operands[first[row] : first[row + 1]])
            for key in keys:
                seen = found.get(key)
                if seen is None:
                    found[key] = [row, 1]
                else:
                    seen[1] += 1
        self._find_symbol_tables()
        self._find_lifetimes()
        self._find_globals_in_constants()
        return {key: self._sighting(key, row, count) for key, (row, count) in found.items()}

    def _find_symbol_tables(self) -> None:
        """Note the modules whose symbol table is not where they say."""
        columns, blocks = self._columns, self._columns.blocks
        if columns.error is not None:
            return  # symbol tables follow the bodies
        starts = {blocks.start[row] for row, block_id in enumerate(self._ids) if block_id == BlockId.VALUE_SYMTAB_BLOCK}
        bodies = {blocks.parent[row] for row, block_id in enumerate(self._ids) if block_id == BlockId.FUNCTION_BLOCK}
        stated = list(self._rows_of(BlockId.MODULE_BLOCK, ModuleCode.VSTOFFSET))
        base = 0
        for block, block_id in enumerate(self._ids):
            if blocks.parent[block] >= 0 or block_id not in _WITH_BASE:
                continue
            if block_id == BlockId.MODULE_BLOCK and block in bodies:
                rows = [row for row in stated if columns.records.block[row] == block and self._operands(row)]
                for row in rows[-1:]:
                    place = (base or blocks.start[block]) - _WORD + self._operands(row)[0] * _WORD
                    if place not in starts:
                        key = Key(
                            Kind.SYMBOL_TABLE_OFFSET, self._abbreviation_at(place, blocks.abbreviation_width[block])
                        )
                        self._found.setdefault(key, [row, 0])[1] += 1
            base = blocks.start[block] if block_id == BlockId.IDENTIFICATION_BLOCK else 0

    def _find_lifetimes(self) -> None:
        """Note declarations of lifetime intrinsics that have no size."""
        strings = next((row for row in self._rows_of(BlockId.STRTAB_BLOCK, StrtabCode.BLOB)), None)
        place = None if strings is None else self._columns.blobs.of_record(strings)
        names = b"" if place is None else bytes(self._payload[place[0] : place[0] + place[1]])
        if b"llvm.lifetime." not in names:
            return
        # Before the parameters, the record of a function type says whether it is variadic, and what it returns.
        types = [self._operands(row)[2:] for row in self._rows_of(BlockId.TYPE_BLOCK, None) if self._is_type(row)]
        for row in self._rows_of(BlockId.MODULE_BLOCK, ModuleCode.FUNCTION):
            operands = self._operands(row)
            if len(operands) > _TYPE_OF_FUNCTION and operands[_TYPE_OF_FUNCTION] < len(types):
                name = names[operands[0] : operands[0] + operands[1]]
                if name.startswith(b"llvm.lifetime.") and len(types[operands[_TYPE_OF_FUNCTION]]) == 1:
                    self._found.setdefault(Key(Kind.LIFETIME, 0), [row, 0])[1] += 1

    def _global_count(self) -> int:
        return sum(self._columns.records.code[row] in _GLOBALS for row in self._rows_of(BlockId.MODULE_BLOCK, None))

    def _find_globals_in_constants(self) -> None:
        """Note constants that contain the address of a global, in a file with opaque pointers."""
        if Key(Kind.TYPE, TypeCode.OPAQUE_POINTER) not in self._found:
            return
        count = self._global_count()
        for code, first, step in _REFERENCES:
            for row in self._rows_of(BlockId.CONSTANTS_BLOCK, code):
                operands = self._operands(row)
                # An odd number of operands is a type in front of pairs of type and value.
                start = first + len(operands) % 2 if step == _PAIR else first
                if any(operand < count for operand in operands[start::step]):
                    self._found.setdefault(Key(Kind.GLOBAL_IN_CONSTANT, 0), [row, 0])[1] += 1

    def _rows_of(self, block_id: int, code: int | None) -> Iterator[int]:
        columns = self._columns
        for block, each in enumerate(self._ids):
            if each == block_id:
                for row in range(columns.blocks.first_record[block], columns.blocks.last_record[block]):
                    if columns.records.block[row] == block and code in {None, columns.records.code[row]}:
                        yield row

    def _is_type(self, row: int) -> bool:
        return self._columns.records.code[row] not in {TypeCode.NUMENTRY, TypeCode.STRUCT_NAME}

    def _operands(self, row: int) -> list[int]:
        first = self._columns.records.first_operand
        operands: list[int] = self._columns.operands[first[row] : first[row + 1]].tolist()
        return operands

    def _abbreviation_at(self, place: int, width: int) -> int:
        """Return the abbreviation id at a multiple of 32 bits."""
        word = int.from_bytes(self._payload[place // 8 : place // 8 + _WORD_SIZE], "little")
        return word & (1 << width) - 1

    def _sighting(self, key: Key, row: int, count: int) -> Sighting:
        records = self._columns.records
        block = records.block[row]
        block_id = self._ids[block]
        name = _name_of(block_id, records.code[row])
        path = self._columns.blocks.path(block)
        phase = Phase.FIRST_BODY if key.kind is Kind.SYMBOL_TABLE_OFFSET else _phase_of(path)
        return Sighting(phase, records.start[row], f"{_NAMES.describe_block(block_id)}, {name}", count)
