"""`bitcodec doctor`: which versions of LLVM read a file, and why the others do not."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from bitcodec.cli.declaring import IntRange, WordChoice, argument, command, option
from bitcodec.cli.doctor_text import screen_of
from bitcodec.cli.files import Files
from bitcodec.cli.inputs import contents, label, llvm_ir
from bitcodec.cli.json_documents import json_option, place, print_document
from bitcodec.cli.outputs import STANDARD_OUTPUT, write_text
from bitcodec.cli.problems import Trouble, UsageError, answering
from bitcodec.cli.progress import shown_while

if TYPE_CHECKING:
    from bitcodec.containers import FoundStream
    from bitcodec.doctor import Diagnosis, Obstacle, Verdict

__all__ = ["doctor"]

PROFILES = ("nvvm", "spirv-14", "spirv-15", "spirv-16")
"""Readers with further rules; a test compares them with the library's."""
_OLDEST, _NEWEST = 4, 24
"""The versions whose readers are known; a test compares them with the library's."""


@command(short_help="Report which versions of LLVM read a file, and why others refuse it.")
@argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "--llvm",
    "version",
    type=IntRange(_OLDEST, _NEWEST),
    metavar="N",
    help=f"Major version of LLVM, {_OLDEST} to {_NEWEST}. Default: all of them.",
)
@option(
    "--for",
    "profile",
    type=WordChoice(PROFILES),
    metavar="READER",
    help=f"Reader with rules of its own: {', '.join(PROFILES)}. Default: those for the target of the file.",
)
@json_option
@answering()
def doctor(files: tuple[str, ...], version: int | None, profile: str | None, *, as_json: bool) -> None:
    """Report the producer of each FILE, its unusual properties, and the versions of LLVM, 4 to 24, that read it.

    For each version that does not, print its own message, the construct that it does not know, the record and its bit
    offset, and advice.  For a damaged file, print where the damage begins and which parts are intact.  LLVM assembly is
    examined as the bitcode that `bitcodec as` writes for it.

    --for names one reader with further rules, instead of versions of LLVM: nvvm is libNVVM of CUDA 12, spirv-N is
    the translator llvm-spirv of LLVM N.  For files for GPUs, the report includes these readers by default.

    The exit code is 0 if every version (with --llvm or --for: that one) reads all files, 1 if one does not, 2 if a file
    could not be read or contains no LLVM IR.

    \b
    Examples:
      bitcodec doctor module.bc
      bitcodec doctor --llvm 16 module.bc || bitcodec downgrade module.bc --llvm 16 -o old.bc
      bitcodec doctor --for nvvm kernels.bc || bitcodec downgrade kernels.bc --for nvvm -o nvvm.bc
      bitcodec doctor --json *.bc | jq -r '.streams[] | [.file, .needs] | @tsv'
    """
    if version is not None and profile is not None:
        raise UsageError("give either --llvm N or --for READER")
    results: list[dict[str, Any]] = []
    all_files = Files(files)
    is_refused = False

    def examine(file: str) -> None:
        nonlocal is_refused
        content = contents(file)
        for found in llvm_ir(file, content):
            with shown_while("examining"):
                diagnosis = _diagnosis(found, version, profile)
            asked = diagnosis.verdicts if profile is None else diagnosis.profiles
            is_refused |= not all(verdict.reads for verdict in asked)
            if as_json:
                results.append({**place(file, found.path), **_as_json(diagnosis)})
            else:
                lines = screen_of(
                    label(file, found.path),
                    diagnosis,
                    is_detailed=bool(version or profile),
                    is_assembly=content.is_assembly,
                )
                write_text(STANDARD_OUTPUT, lines)

    all_files.each(examine, "examining")
    if as_json:
        print_document("doctor", {"streams": results})
    all_files.finish(is_found=is_refused, trouble=Trouble.exit_code)


def _diagnosis(found: FoundStream, version: int | None, profile: str | None) -> Diagnosis:
    from bitcodec.doctor import VERSIONS, diagnose_stream  # noqa: PLC0415 - `--help` need not wait for the tables

    if profile is not None:
        return diagnose_stream(found.stream, found.path, (), (profile,))
    if version is not None:
        return diagnose_stream(found.stream, found.path, (version,), ())
    return diagnose_stream(found.stream, found.path, VERSIONS)


def _as_json(diagnosis: Diagnosis) -> dict[str, Any]:
    damage = diagnosis.damage
    return {
        "needs": diagnosis.needs,
        "modules": [dataclasses.asdict(module) for module in diagnosis.modules],
        "unusual": list(diagnosis.unusual),
        "damage": None if damage is None else dataclasses.asdict(damage),
        "versions": [_verdict_as_json(verdict) for verdict in diagnosis.verdicts],
        "profiles": [
            {"profile": verdict.profile, "reader": verdict.reader, **_verdict_as_json(verdict)}
            for verdict in diagnosis.profiles
        ],
    }


def _verdict_as_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "llvm_version": verdict.version,
        "reads": verdict.reads,
        "message": verdict.message or None,
        "obstacles": [_obstacle_as_json(each) for each in verdict.obstacles],
        "misread": [_obstacle_as_json(each) for each in verdict.misread],
        "rejected": [_obstacle_as_json(each) for each in verdict.rejected],
        "advice": list(verdict.advice),
    }


def _obstacle_as_json(obstacle: Obstacle) -> dict[str, Any]:
    return {
        "rule": obstacle.rule,
        "effect": obstacle.effect.value,
        "message": obstacle.message or None,
        "construct": obstacle.construct,
        "record": obstacle.record,
        "bit_offset": obstacle.bit_offset,
        "count": obstacle.count,
    }
