"""Advice about versions that do not read a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bitcodec.doctor.rule import Remedy
from bitcodec.doctor.rules import NEWEST

if TYPE_CHECKING:
    from bitcodec.doctor.downgrading import Downgrades
    from bitcodec.doctor.findings import Verdict

__all__ = ["advice_for"]

_OPAQUE_POINTER_MODE = 14


def advice_for(verdict: Verdict, needs: int | None, repair: str, downgrades: Downgrades | None) -> Verdict:
    """Return a verdict with advice.

    Args:
        verdict: without advice.
        needs: the oldest version that reads everything, None if no version does.
        repair: advice about a malformed file, "" for a sound one.
        downgrades: versions that the file can be written for, None if it cannot be read.
    """
    if verdict.is_clean:
        return verdict
    return replace(verdict, advice=tuple(_lines(verdict, needs, repair, downgrades)))


def _lines(verdict: Verdict, needs: int | None, repair: str, downgrades: Downgrades | None) -> list[str]:
    if repair:
        return [repair]
    found = (*verdict.obstacles, *verdict.misread, *verdict.rejected)
    remedies = {obstacle.remedy for obstacle in found}
    lines = []
    if remedies == {Remedy.OPAQUE_POINTER_MODE} and verdict.version == _OPAQUE_POINTER_MODE:
        lines.append("option -opaque-pointers of LLVM 14's tools")
    target = verdict.version if downgrades is None else downgrades.target(verdict.version)
    refusal = None if downgrades is None else downgrades.refusal(target)
    if refusal == "":
        lines.append(f"bitcodec downgrade --llvm {target}")
    elif remedies & {Remedy.TYPED_POINTERS, Remedy.OPAQUE_POINTER_MODE}:
        lines.append("compile with clang 15 or 16 and -Xclang -no-opaque-pointers, or with an older clang")
    if remedies == {Remedy.STRIP}:
        # bitcodec itself strips to bitcode of LLVM 22.
        lines.append("opt --strip-debug of the LLVM that wrote it")
    if refusal:
        lines.append(f"bitcodec downgrade refuses it: {refusal}")
    if needs is not None and needs > verdict.version:
        lines.append(f"use LLVM {needs}" + (" or newer" if needs < NEWEST else ""))
    return lines
