"""Verdicts of readers with further rules: first the obstacles of their LLVM, then the reader's own.

The rows are in `bitcodec.downgrade.profiles`: a copy of the module is lowered, and each loss is an obstacle.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from enum import IntEnum
from operator import itemgetter
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, ModuleCode
from bitcodec.doctor.findings import Obstacle, Verdict
from bitcodec.doctor.keys import ConstructKind
from bitcodec.doctor.records import GLOBALS
from bitcodec.doctor.rule import Effect, Remedy
from bitcodec.downgrade.constructs import Way
from bitcodec.downgrade.losses import Losses
from bitcodec.downgrade.profiles import PROFILES
from bitcodec.errors import BitcodecError
from bitcodec.ir.debug_records import DebugRecord
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import Metadata, NamedMetadata
from bitcodec.tables.intrinsics import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.doctor.records import StreamRecords
    from bitcodec.downgrade.constructs import Construct
    from bitcodec.downgrade.profiles.profile import Order, Profile
    from bitcodec.ir.findings import Finding
    from bitcodec.ir.module import Module

__all__ = ["profile_verdict", "profiles_for"]

_ATOMIC = "atomic"


def profiles_for(triple: str) -> list[str]:
    """Return the profiles that take modules for a target."""
    return [name for name, profile in PROFILES.items() if triple.startswith(profile.targets)]


def profile_verdict(
    name: str,
    by_version: Verdict,
    modules: list[Module],
    records: StreamRecords,
    payload: memoryview,
    producer: str,
    findings: list[Finding],
    repair: str,
) -> Verdict:
    """Return the verdict of the reader of a profile.

    Args:
        name: of the profile.
        by_version: the verdict of its version of LLVM.
        modules: the modules of the file, opened.
        records: the records of the file.
        payload: the bitstream.
        producer: the producer.
        findings: the violations of the rules of LLVM IR that its version checks, in the order of its checks.
        repair: advice about a malformed file, "" for a sound one.
    """
    profile = PROFILES[name]
    by_version = replace(by_version, obstacles=tuple(each for each in by_version.obstacles if not _is_asserted(each)))
    obstacles = [_in_its_words(each, profile, producer) for each in by_version.obstacles]
    misread = list(by_version.misread)
    if by_version.reads and len(modules) == 1:
        own = list(_own(profile, modules[0], _Names(records, payload), findings))
        obstacles = [each for each in own if each.effect is not Effect.MISREADS]
        misread += [each for each in own if each.effect is Effect.MISREADS]
    verdict = Verdict(profile.version, tuple(obstacles), tuple(misread), by_version.rejected, (), profile.reader, name)
    if verdict.is_clean:
        return verdict
    return replace(verdict, advice=(repair,) if repair else _advice(profile, verdict))


def _is_asserted(obstacle: Obstacle) -> bool:
    """Return whether LLVM stops at an obstacle only if it is built with assertions, as no reader of a profile is."""
    return obstacle.effect is Effect.CRASHES and obstacle.rule in _ASSERTED


_ASSERTED = (str(ConstructKind.SYMBOL_TABLE_OFFSET.value), str(ConstructKind.SYMBOL_TABLE_BEHIND.value))


def _broken(profile: Profile, findings: list[Finding], records: StreamRecords) -> Obstacle:
    """Return the obstacle for a broken module: readers of profiles verify modules."""
    first = findings[0]
    # libNVVM never flushes its verifier's output, but LLVM does so whenever it prints an instruction or metadata.
    message = first.message if any(map(_prints_code, findings)) else ""
    words, place = f"broken module: {first}", _start_of_module(records)
    return Obstacle(profile.name, Effect.REJECTS, message, words, "MODULE_BLOCK", place, 1, Remedy.NONE)


def _prints_code(finding: Finding) -> bool:
    """Return whether LLVM prints an instruction or metadata about a finding; it only names the rest of the errors."""
    return isinstance(finding.subject, _PRINTED) and not finding.message.startswith(_OF_DECLARATION)


_PRINTED = (Instruction, DebugRecord, Metadata, NamedMetadata)
_OF_DECLARATION = ("Intrinsic ", "Callsite was not defined with variable arguments!")
"""How messages about the declaration of an intrinsic begin, which LLVM finds at a call and names."""


def _in_its_words(obstacle: Obstacle, profile: Profile, producer: str) -> Obstacle:
    message = obstacle.message
    if not message:
        return obstacle
    is_short = obstacle.record.rpartition(" > ")[2].startswith(_WITHOUT_PRODUCER)
    refusal = profile.short_refusal if is_short else profile.refusal
    refusal = profile.fatal if message.startswith("LLVM ERROR") else refusal
    return replace(obstacle, message=refusal.format(message=message, producer=producer))


_WITHOUT_PRODUCER = ("METADATA", "IDENTIFICATION")
"""How the names of the blocks begin about which messages do not name producer and reader."""


def _advice(profile: Profile, verdict: Verdict) -> tuple[str, ...]:
    found = (*verdict.obstacles, *verdict.misread, *verdict.rejected)
    if any(each.effect is Effect.REJECTS for each in found):
        return ("write the module again: it breaks the rules of LLVM IR",)
    if any(each.remedy is Remedy.NONE for each in found):
        return ("change the program: the reader has no other form for it",)
    return (f"bitcodec downgrade --for {profile.name}",)


class _Found(Losses):
    """Collects the constructs that a reader lacks, and refuses nothing.

    Args:
        profile: of the reader.
        module: the module that is lowered.

    Attributes:
        entries: construct and place, with the number of occurrences and the place of the first one in its function.
    """

    def __init__(self, profile: Profile, module: Module) -> None:
        super().__init__(profile.version, reader=profile.reader)
        self.entries: dict[tuple[Construct, str], tuple[int, int]] = {}
        bodies = (enumerate(function.instructions) for function in module.functions)
        self._places = {instruction: place for body in bodies for place, instruction in body}

    def add(self, construct: Construct, place: str, part: object = None, times: int = 1) -> None:
        """Add occurrences of a construct."""
        key = construct, place
        count, first = self.entries.get(key, (0, _BEHIND))
        at = self._places.get(part, _BEHIND) if isinstance(part, Instruction) else _BEHIND
        self.entries[key] = count + times, min(first, at)


_BEHIND = 1 << 32


class _Names:
    """The names of globals in the file: opening a module renames intrinsics.

    Args:
        records: the records of the file.
        payload: the bitstream.
    """

    def __init__(self, records: StreamRecords, payload: memoryview) -> None:
        self.records = records
        table = records.strings(payload)
        self.rows: dict[str, int] = {}
        for row in records.rows(BlockId.MODULE_BLOCK):
            operands = records.operands(row)
            if records.code(row) in GLOBALS and len(operands) > 1:
                name = table[operands[0] : operands[0] + operands[1]].decode("utf-8", "surrogateescape")
                self.rows.setdefault(name, row)
        ids = records.block_ids
        columns = records.columns.records
        self.has_atomic_operations = any(
            code in _ATOMIC_CODES and ids[block] == BlockId.FUNCTION_BLOCK
            for code, block in zip(columns.code, columns.block, strict=True)
        )


_ATOMIC_CODES = (FunctionCode.INST_ATOMICRMW_OLD, FunctionCode.INST_ATOMICRMW)


def _own(profile: Profile, module: Module, names: _Names, findings: list[Finding]) -> Iterator[Obstacle]:
    """Yield the constructs that the reader itself lacks, and the violations of LLVM IR, in the order of its checks."""
    copy = deepcopy(module)
    found = None
    try:
        copy.materialize()
        found = _Found(profile, copy)
        profile.lower(copy, found)
    except (BitcodecError, TypeError, ValueError):
        # A construct that the reader refuses may prevent lowering the rest, which it then never reaches.
        if found is None:
            return
    _add_former_names(profile, module, names, found)
    ranked = [
        (_rank(construct, place, first, profile.order, names), _obstacle(profile, construct, place, count, names))
        for (construct, place), (count, first) in found.entries.items()
        if not _is_hint(construct, profile) and _is_in_file(construct, names)
    ]
    if findings:
        ranked.append(((_Step.VERIFIER,), _broken(profile, findings, names.records)))
    yield from (obstacle for _, obstacle in sorted(ranked, key=itemgetter(0)))


def _is_hint(construct: Construct, profile: Profile) -> bool:
    return construct.way is Way.DROP and not construct.message and construct not in profile.crashing


def _add_former_names(profile: Profile, module: Module, names: _Names, found: _Found) -> None:
    """Check the names of globals that have other names when they are opened."""
    present = {value.name for value in module.globals}
    for name in names.rows:
        construct = None if name in present else profile.about_name(name)
        if construct is not None:
            found.add(construct, name)


class _Step(IntEnum):
    """Parts of a module in the order in which a reader checks them."""

    UNVERIFIED = 0
    VERIFIER = 1
    MODULE = 2
    FUNCTION_NAMES = 3
    VARIABLES = 4
    FUNCTIONS = 5
    REST = 6
    COMPILER = 7
    LAST = 8


def _rank(construct: Construct, place: str, first: int, order: Order, names: _Names) -> tuple[int, ...]:
    """Return where a construct is in the order in which a reader looks."""
    for step, rows in ((_Step.UNVERIFIED, order.unverified), (_Step.MODULE, order.module)):
        if construct in rows:
            return step, rows.index(construct)
    row = names.rows.get(place)
    if row is None:
        return (_Step.REST,)
    is_function = names.records.code(row) == ModuleCode.FUNCTION
    if construct in order.last:
        return _Step.LAST, row
    if construct.message in order.compiled:
        return _Step.COMPILER, row, order.compiled.index(construct.message)
    if is_function and construct in order.functions:
        return _Step.FUNCTION_NAMES, row
    step = _Step.FUNCTIONS if is_function else _Step.VARIABLES
    inside = order.inside.index(construct) if construct in order.inside else len(order.inside)
    return step, row, inside, first


def _is_in_file(construct: Construct, names: _Names) -> bool:
    """Return whether a construct is in the file, and not only the upgraded form of an older one."""
    if construct.name.startswith(PREFIX):
        return any(name.startswith(construct.name) for name in names.rows)
    return names.has_atomic_operations or not construct.name.startswith((_ATOMIC + "rmw", "operation of " + _ATOMIC))


def _obstacle(profile: Profile, construct: Construct, place: str, count: int, names: _Names) -> Obstacle:
    effect = Effect.REFUSES if construct.message else Effect.MISREADS
    if construct in profile.crashing:
        effect = Effect.CRASHES
    row = names.rows.get(place)
    if row is None:
        record, offset = "MODULE_BLOCK", _start_of_module(names.records)
    else:
        record, offset = names.records.name(row), names.records.columns.records.start[row]
    remedy = Remedy.NONE if construct.way is Way.REFUSE else Remedy.DOWNGRADE
    words = construct.name + (f" in @{place}" if place else "")
    message = construct.message.format(place)
    return Obstacle(profile.name, effect, message, words, record, offset, count, remedy)


def _start_of_module(records: StreamRecords) -> int:
    blocks = records.columns.blocks
    return next((blocks.start[row] for row, each in enumerate(records.block_ids) if each == BlockId.MODULE_BLOCK), 0)
