"""Diagnosing files: their producers, the versions of LLVM that read them, and where they are damaged."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bitcodec.bitcode.assembling import module_streams
from bitcodec.bitcode.malformed import is_of_newer_version
from bitcodec.bitcode.producers import may_be_newer
from bitcodec.bitcode.summary import summarize
from bitcodec.bitstream.magic import StreamKind
from bitcodec.containers.other_files import explain_stream
from bitcodec.doctor.advice import advice_for
from bitcodec.doctor.downgrading import Downgrades
from bitcodec.doctor.examining import look_behind_damage, sightings, verdict_of
from bitcodec.doctor.findings import Damage, Diagnosis
from bitcodec.doctor.intrinsics import called_intrinsics, refused_intrinsics
from bitcodec.doctor.keys import ConstructKind, Key
from bitcodec.doctor.newer_rules import is_checked
from bitcodec.doctor.profiles import profile_verdict, profiles_for
from bitcodec.doctor.reading import is_whole, read
from bitcodec.doctor.records import StreamRecords
from bitcodec.doctor.remarks import remarks_on
from bitcodec.doctor.removed_expressions import older_reader
from bitcodec.doctor.repairing import DAMAGED, WITHOUT_MODULE, repair_of, report_to_producer, without_rest
from bitcodec.doctor.rules import VERSIONS
from bitcodec.doctor.walking import Walks
from bitcodec.downgrade.profiles import PROFILES
from bitcodec.errors import BitcodeError, ContainerError
from bitcodec.host.collection import ObjectGrowth, without_collection
from bitcodec.ir.instructions import Instruction
from bitcodec.reasons import Reason
from bitcodec.verifier import verify
from bitcodec.verifier.tbaa import TypeNodes, access_problems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Buffer

    from bitcodec.bitstream import Bitstream, Columns
    from bitcodec.doctor.examining import Sighting
    from bitcodec.doctor.findings import Verdict
    from bitcodec.doctor.reading import Reading
    from bitcodec.errors import PlacedError
    from bitcodec.ir.findings import Finding
    from bitcodec.ir.module import Module

__all__ = ["diagnose", "diagnose_stream"]


def diagnose(
    data: Buffer, versions: Iterable[int] = VERSIONS, profiles: Iterable[str] | None = None
) -> list[Diagnosis]:
    """Return a diagnosis of each bitstream of LLVM IR in a file.

    >>> from pathlib import Path
    >>> [diagnosis] = diagnose(Path("examples/hello.bc").read_bytes())
    >>> diagnosis.needs
    22

    Args:
        data: the file: bitcode, an object or archive that contains it, or LLVM assembly.
        versions: of LLVM, 4 to 24; the default is all of them.
        profiles: readers with rules in addition to their version's: "nvvm", "spirv-14" and others. Default: the readers
            that take files for the target of the first module.

    Raises:
        BitcodecError: the file contains no bitstream of LLVM IR.
        ValueError: the readers of a version are not known, or a profile does not exist.
    """
    found = module_streams(memoryview(data).cast("B"), "<bytes>")
    streams = [each for each in found if each.stream.kind is StreamKind.LLVM_IR]
    if not streams:
        raise ContainerError(explain_stream(found[0].stream))
    return [diagnose_stream(each.stream, each.path, versions, profiles) for each in streams]


def diagnose_stream(
    stream: Bitstream, path: str = "", versions: Iterable[int] = VERSIONS, profiles: Iterable[str] | None = None
) -> Diagnosis:
    """Return a diagnosis of one bitstream of LLVM IR.

    Args:
        stream: the bitstream.
        path: of the bitstream inside its file.
        versions: of LLVM, 4 to 24; the default is all of them.
        profiles: as for `diagnose`.

    Raises:
        ValueError: the readers of a version are not known, or a profile does not exist.
    """
    versions = tuple(versions)
    for version in versions:
        if version not in VERSIONS:
            raise ValueError(f"LLVM {version} is not one of {VERSIONS[0]} to {VERSIONS[-1]}")
    profiles = None if profiles is None else tuple(profiles)
    for name in profiles or ():
        if name not in PROFILES:
            raise ValueError(f"profile must be one of {', '.join(PROFILES)}; got {name!r}")
    with without_collection(ObjectGrowth()):
        return _diagnosis(stream, path, versions, profiles)


def _diagnosis(stream: Bitstream, path: str, versions: tuple[int, ...], profiles: tuple[str, ...] | None) -> Diagnosis:
    columns = stream.decode()
    records = StreamRecords(columns)
    summaries = summarize(stream)
    reading = read(stream, columns)
    found = sightings(stream.payload, records, reading.computed)
    modules, faults = reading.modules, reading.faults
    is_newer = any(may_be_newer(summary.producer) for summary in summaries)
    unread = str(faults[0]) if is_newer and faults and is_of_newer_version(faults[0].reason) else ""
    faults = [] if unread else faults
    is_outdated = bool(faults) and faults[0].reason.identity is Reason.REMOVED_EXPRESSIONS
    unread = str(faults[0]) if is_outdated else unread
    walks = Walks(stream.payload, columns) if faults else None
    if walks is not None:
        look_behind_damage(found, walks)
    all_verdicts = {version: verdict_of(version, found, faults, walks) for version in VERSIONS}
    if len(modules) == 1 and not faults and not unread:
        _add_refused_intrinsics(all_verdicts, modules[0], records, stream.payload)
    needs = _oldest_reader(all_verdicts)
    readers = [version for version, verdict in all_verdicts.items() if verdict.is_clean]
    has_sound_bits = columns.error is None and all(isinstance(fault, BitcodeError) for fault in faults)
    if is_outdated:
        repair = older_reader(readers)
    else:
        repair = _repair(stream, found, faults)
        if repair == DAMAGED and has_sound_bits:
            repair = report_to_producer(faults[0], summaries[0].producer or "" if summaries else "", readers)
    downgrades = None if faults or unread else Downgrades(modules)
    # From the oldest on, because the first success answers for most newer versions.
    advised = {each: advice_for(all_verdicts[each], needs, repair, downgrades) for each in sorted(versions)}
    verdicts = tuple(advised[version] for version in versions)
    damage = _damage(columns, reading, has_sound_bits=has_sound_bits) if faults and not is_outdated else None
    findings = [] if faults or unread else _findings(modules)
    remarks = remarks_on(stream, columns, summaries, str(findings[0]) if findings else "", found, needs, damage)
    unusual = (*([f"bitcodec does not read all of it: {unread}"] if unread else ()), *dict.fromkeys(remarks))
    triple = summaries[0].triple if summaries else None
    names = profiles_for(triple or "") if profiles is None else profiles
    producer = summaries[0].producer if summaries else None
    by_profile = tuple(
        profile_verdict(
            name,
            all_verdicts[PROFILES[name].version],
            modules,
            records,
            stream.payload,
            producer or "",
            [each for each in findings if is_checked(each, PROFILES[name].version)],
            repair,
        )
        for name in names
    )
    return Diagnosis(path, summaries, needs, verdicts, unusual, damage, by_profile)


def _add_refused_intrinsics(
    verdicts: dict[int, Verdict], module: Module, records: StreamRecords, payload: memoryview
) -> None:
    """Add to verdicts the calls of intrinsics that verifiers refuse."""
    called = called_intrinsics(records, payload, module)
    for version, verdict in verdicts.items():
        found = refused_intrinsics(called, version, records)
        if found:
            verdicts[version] = replace(verdict, rejected=(*verdict.rejected, *found))


def _repair(stream: Bitstream, found: dict[Key, Sighting], faults: list[PlacedError]) -> str:
    """Return advice about a file that is damaged, incomplete, or only partly bitcode."""
    if faults:
        return repair_of(faults[0], stream.payload, is_whole)
    if Key(ConstructKind.NO_MODULE, 0) in found:
        return WITHOUT_MODULE
    return without_rest(len(stream.trailing)) if Key(ConstructKind.FILE_SIZE, 0) in found else ""


def _oldest_reader(verdicts: dict[int, Verdict]) -> int | None:
    """Return the oldest version from which on all newer versions read everything with its meaning."""
    needs = None
    for version in sorted(verdicts, reverse=True):
        if not verdicts[version].is_clean:
            break
        needs = version
    return needs


def _findings(modules: list[Module]) -> list[Finding]:
    """Return the violations of the rules of LLVM IR, as LLVM reads the modules."""
    types = TypeNodes()
    return [finding for module in modules for finding in verify(module) if not _is_stripped(finding, types)]


def _is_stripped(finding: Finding, types: TypeNodes) -> bool:
    """Return whether a finding is about a `!tbaa` tag of an instruction: LLVM's readers strip all if one is broken."""
    subject = finding.subject
    if not isinstance(subject, Instruction):
        return False
    tag = subject.metadata.get("tbaa")
    return tag is not None and finding.message in access_problems(subject, tag, types, repeats=True)


def _damage(columns: Columns, reading: Reading, *, has_sound_bits: bool) -> Damage:
    # A block that reaches past the end is refused where it begins, but can be read up to the place where it breaks off.
    fault, broken_off = reading.faults[0], columns.error
    fault = broken_off if broken_off is not None and broken_off.bit_offset > fault.bit_offset else fault
    place = fault.bit_offset
    blocks = sum(0 < end <= place for end in columns.blocks.end)
    records = sum(end <= place for end in columns.records.end)
    functions = reading.readable, reading.damaged
    return Damage(
        str(fault.reason), fault.reason.name, place, fault.block_path, blocks, records, *functions, has_sound_bits
    )
