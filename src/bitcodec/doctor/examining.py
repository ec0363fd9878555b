"""Finds the versions of LLVM that read a bitstream, and the obstacles of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.doctor.computed_cases import computed_cases
from bitcodec.doctor.faults import reaction_to
from bitcodec.doctor.findings import Obstacle, Verdict
from bitcodec.doctor.keys import ConstructKind, Key
from bitcodec.doctor.records import Phase, StreamRecords, name_of_path, phase_inside
from bitcodec.doctor.relations import related
from bitcodec.doctor.rule import Effect, Remedy
from bitcodec.doctor.rules import SUMMARY_LIMITS, rules_of
from bitcodec.doctor.walking import Stumble
from bitcodec.errors import BitstreamError
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.doctor.walking import Walks
    from bitcodec.errors import PlacedError

__all__ = ["Sighting", "look_behind_damage", "sightings", "verdict_of"]

_WORD_SIZE = 4


class Sighting(NamedTuple):
    """A construct in a file.

    Attributes:
        phase: the phase in which readers reach it.
        bit_offset: where its first record begins.
        record: names of the block and the record.
        times: number of records that have it.
    """

    phase: int
    bit_offset: int
    record: str
    times: int


def sightings(
    payload: memoryview, records: StreamRecords, computed: Sequence[tuple[int, int, int]] = ()
) -> dict[Key, Sighting]:
    """Return the constructs of a bitstream that readers differ in.

    Args:
        payload: the bitstream.
        records: of the bitstream.
        computed: its switches with computed cases, as `Reading` has them.
    """
    columns, found = records.columns, records.found
    for key, row in (*related(records, payload), *computed_cases(records, computed)):
        found.setdefault(key, [row, 0])[1] += 1
    seen = {key: _sighting(records, key, row, count) for key, (row, count) in found.items()}
    modules = [row for row, block_id in enumerate(columns.blocks.id) if block_id == BlockId.MODULE_BLOCK]
    modules = [row for row in modules if columns.blocks.parent[row] < 0]
    if len(payload) % _WORD_SIZE:
        seen[Key(ConstructKind.FILE_SIZE, 0)] = Sighting(Phase.FILE, len(payload) * 8, "file", 1)
    if len(modules) > 1:
        place = columns.blocks.start[modules[1]]
        seen[Key(ConstructKind.SEVERAL_MODULES, 0)] = Sighting(Phase.MODULES, place, "MODULE_BLOCK", 1)
    elif not modules and columns.error is None:
        seen[Key(ConstructKind.NO_MODULE, 0)] = Sighting(Phase.MODULES, columns.end, "top level", 1)
    return seen


def look_behind_damage(found: dict[Key, Sighting], walks: Walks) -> None:
    """Add a second module to the constructs of a damaged file: readers count modules before they read the first.

    Args:
        found: the constructs.
        walks: through the file.
    """
    place = walks.second_module
    if place is not None:
        found.setdefault(Key(ConstructKind.SEVERAL_MODULES, 0), Sighting(Phase.MODULES, place, "MODULE_BLOCK", 1))


def _sighting(records: StreamRecords, key: Key, row: int, count: int) -> Sighting:
    phase = Phase.FIRST_BODY if key.kind in _OF_SYMBOL_TABLE else records.phase(row)
    return Sighting(phase, records.columns.records.start[row], records.name(row), count)


_OF_SYMBOL_TABLE = (ConstructKind.SYMBOL_TABLE_OFFSET, ConstructKind.SYMBOL_TABLE_BEHIND)


def verdict_of(
    version: int, found: dict[Key, Sighting], faults: Sequence[PlacedError], walks: Walks | None = None
) -> Verdict:
    """Return the verdict of a version, without advice.

    Args:
        version: of LLVM.
        found: the constructs of the file that readers differ in.
        faults: the malformed parts.
        walks: the errors of readers in a damaged bitstream, None for a sound one.
    """
    ordered = sorted(_obstacles_of(version, found, faults, walks), key=lambda each: each[0])
    by_effect: dict[Effect, list[Obstacle]] = {Effect.REFUSES: [], Effect.MISREADS: [], Effect.REJECTS: []}
    for _, obstacle in ordered:
        by_effect.get(obstacle.effect, by_effect[Effect.REFUSES]).append(obstacle)
    refused, misread, rejected = map(tuple, by_effect.values())
    return Verdict(version, refused, misread, rejected)


def _obstacles_of(
    version: int, found: dict[Key, Sighting], faults: Sequence[PlacedError], walks: Walks | None
) -> Iterator[tuple[tuple[int, int], Obstacle]]:
    """Yield the obstacles of a version, with their places in the order of reading."""
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
    over_records = [
        (stumble, fault)
        for fault in faults
        if not isinstance(fault, BitstreamError) and (stumble := _stumble_over(fault, version)) is not None
    ]
    over_records.sort(key=lambda each: each[0][:2])
    stops = [place for place, (stumble, _) in enumerate(over_records) if stumble.effect is not Effect.MISREADS]
    # Errors behind the place where the reader stops do not matter.
    stumbles = over_records[: stops[0] + 1] if stops else over_records
    on_walk = walks.of(version) if walks is not None else None
    if on_walk is not None:
        stumbles.append((on_walk, faults[0]))
    for stumble, fault in stumbles:
        record = name_of_path(fault.block_path)
        yield (
            (stumble.phase, stumble.bit_offset),
            Obstacle("damage", stumble.effect, stumble.message, fault.reason, record, fault.bit_offset, 1, Remedy.NONE),
        )


def _stumble_over(fault: PlacedError, version: int) -> Stumble | None:
    """Return a version's reaction to malformed records in a sound bitstream, None if it does not notice."""
    phase = _phase_of(fault, version)
    if phase == Phase.SUMMARIES and version not in SUMMARY_LIMITS:
        return None
    reaction = reaction_to(fault, version)
    is_settled_late = version >= _FIRST_TO_SETTLE_LAYOUT_LATE and fault.reason.record == _LAYOUT
    place = _END_OF_PHASE if is_settled_late else fault.bit_offset
    return None if reaction is None else Stumble(phase, place, reaction.message, reaction.effect)


_LAYOUT, _FIRST_TO_SETTLE_LAYOUT_LATE = "DATALAYOUT", 16
"""The first version that checks the data layout when it reads a global, behind most blocks of a module."""
_END_OF_PHASE = 1 << 62


_SYMBOL_TABLE = (BlockId.MODULE_BLOCK, BlockId.VALUE_SYMTAB_BLOCK)
_LATE = (Reason.LATE_GLOBAL, Reason.NO_METADATA_ID)
"""Faults that readers notice after the metadata of the module, which may contain forward references."""


_FIRST_TO_CHECK_ELEMENTS = 20
"""The first version that checks the types of elements as soon as it reads a constant."""


def _phase_of(fault: PlacedError, version: int) -> int:
    """Return when a version notices a malformed record."""
    if fault.reason.record.startswith("COMBINED_ENTRY"):
        return Phase.SUMMARIES
    identity, record = fault.reason.identity, fault.reason.record
    is_late = version < _FIRST_TO_CHECK_ELEMENTS and identity is Reason.OTHER_ELEMENTS
    if is_late or identity in _LATE or (identity is Reason.NO_VALUE and record == "VALUE"):
        return Phase.BODIES
    phase: int = Phase.TOP_LEVEL
    for block_id in fault.block_path:
        phase = phase_inside(block_id, phase)
    return Phase.FIRST_BODY if fault.block_path == _SYMBOL_TABLE else phase
