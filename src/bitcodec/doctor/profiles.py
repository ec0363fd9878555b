"""What readers with rules of their own make of a file: what their LLVM refuses, then what they lack themselves.

The rows are those of `bitcode.downgrade.profiles`: a copy of the module is lowered, and each loss is an obstacle.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING

from bitcodec.bitcode.downgrade.constructs import Rule
from bitcodec.bitcode.downgrade.losses import Losses
from bitcodec.bitcode.downgrade.profiles import PROFILES
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.doctor.findings import Obstacle, Verdict
from bitcodec.doctor.records import GLOBALS
from bitcodec.doctor.rules import Effect, Remedy
from bitcodec.errors import BitcodecError
from bitcodec.tables.intrinsics import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitcode.downgrade.constructs import Construct
    from bitcodec.bitcode.downgrade.profiles.profile import Profile
    from bitcodec.doctor.records import Records
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
    records: Records,
    payload: memoryview,
    producer: str,
    rejection: str,
    repair: str,
) -> Verdict:
    """Return the verdict of the reader of a profile.

    Args:
        name: of the profile.
        by_version: the verdict of its version of LLVM.
        modules: the modules of the file, opened.
        records: the records of the file.
        payload: the bitstream.
        producer: who wrote it.
        rejection: the first violation of the rules of LLVM IR, "" if there is none.
        repair: what to do about a malformed file, "" for a sound one.
    """
    profile = PROFILES[name]
    obstacles = [_in_its_words(each, profile, producer) for each in by_version.obstacles]
    misread = list(by_version.misread)
    if by_version.reads and len(modules) == 1:
        own = list(_own(profile, modules[0], _Names(records, payload)))
        obstacles = [each for each in own if each.effect is not Effect.MISREADS]
        misread += [each for each in own if each.effect is Effect.MISREADS]
        if rejection:
            obstacles.append(_broken(profile, rejection, records))
    verdict = Verdict(profile.version, tuple(obstacles), tuple(misread), by_version.rejected, (), profile.reader, name)
    if verdict.is_clean:
        return verdict
    return replace(verdict, advice=(repair,) if repair else _advice(profile, verdict))


def _broken(profile: Profile, rejection: str, records: Records) -> Obstacle:
    """Return the obstacle that a broken module is: readers of profiles verify what they read."""
    place = _start_of_module(records)
    return Obstacle(
        profile.name, Effect.REJECTS, rejection, "broken module", "MODULE_BLOCK", place, 1, Remedy.NONE
    )  # fmt: skip


def _in_its_words(obstacle: Obstacle, profile: Profile, producer: str) -> Obstacle:
    message = obstacle.message
    if not message or message.startswith("LLVM ERROR"):
        return obstacle
    is_short = obstacle.record.rpartition(" > ")[2].startswith(_WITHOUT_PRODUCER)
    refusal = profile.short_refusal if is_short else profile.refusal
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
    """Collects what a reader lacks, and refuses nothing.

    Attributes:
        entries: construct and place, with the number of occurrences.
    """

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile.version, reader=profile.reader)
        self.entries: dict[tuple[Construct, str], int] = {}

    def add(self, construct: Construct, place: str, part: object = None, times: int = 1) -> None:  # noqa: ARG002
        """Add occurrences of a construct."""
        key = construct, place
        self.entries[key] = self.entries.get(key, 0) + times


class _Names:
    """The names of globals as they are in the file: opening a module renames intrinsics.

    Args:
        records: the records of the file.
        payload: the bitstream.
    """

    def __init__(self, records: Records, payload: memoryview) -> None:
        self.records = records
        blobs = (records.columns.blobs.of_record(row) for row in records.rows(BlockId.STRTAB_BLOCK)[:1])
        start, size = next(blobs, None) or (0, 0)
        table = bytes(payload[start : start + size])
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


def _own(profile: Profile, module: Module, names: _Names) -> Iterator[Obstacle]:
    """Yield what the reader itself lacks, in the order in which it looks."""
    found = _Found(profile)
    try:
        copy = deepcopy(module)
        copy.materialize()
        profile.lower(copy, found)
    except (BitcodecError, TypeError, ValueError):
        # What the reader refuses may be in the way of lowering the rest, which it then never comes to.
        if not found.entries:
            return
    _add_former_names(profile, module, names, found)
    for (construct, place), count in sorted(found.entries.items(), key=lambda entry: _rank(entry[0][0], profile)):
        is_hint = construct.rule is Rule.DROP and not construct.message and construct not in profile.crashing
        if not is_hint and _is_in_file(construct, names):
            yield _obstacle(profile, construct, place, count, names)


def _add_former_names(profile: Profile, module: Module, names: _Names, found: _Found) -> None:
    """Look at the names of globals that have other names when they are opened."""
    present = {value.name for value in module.globals}
    for name in names.rows:
        construct = None if name in present else profile.about_name(name)
        if construct is not None:
            found.add(construct, name)


def _rank(construct: Construct, profile: Profile) -> int:
    if construct in profile.first:
        return profile.first.index(construct)
    return len(profile.first) + (construct in profile.last)


def _is_in_file(construct: Construct, names: _Names) -> bool:
    """Return whether a construct is in the file, and not only what an older form was upgraded to."""
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
    remedy = Remedy.NONE if construct.rule is Rule.REFUSE else Remedy.DOWNGRADE
    words = construct.name + (f" in @{place}" if place else "")
    message = construct.message.format(place)
    return Obstacle(profile.name, effect, message, words, record, offset, count, remedy)


def _start_of_module(records: Records) -> int:
    blocks = records.columns.blocks
    return next((blocks.start[row] for row, each in enumerate(records.block_ids) if each == BlockId.MODULE_BLOCK), 0)
