"""A diagnosis as text."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.bitcode.summary import ModuleSummary
    from bitcodec.doctor import Damage, Diagnosis, Obstacle, Verdict

__all__ = ["screen_of"]

_INDENT = " " * 4
_MOST_NAMES = 3


def screen_of(title: str, diagnosis: Diagnosis, *, is_detailed: bool, is_assembly: bool = False) -> Iterator[str]:
    """Yield the lines of a diagnosis.

    Args:
        title: the name of the file.
        diagnosis: the diagnosis to print.
        is_detailed: whether every construct gets a line, not only the first that a version does not read.
        is_assembly: whether the file is text, and the diagnosis is about its bitcode.
    """
    for line in _lines(title, diagnosis, is_detailed=is_detailed, is_assembly=is_assembly):
        yield one_line(line) + "\n"


def _lines(title: str, diagnosis: Diagnosis, *, is_detailed: bool, is_assembly: bool) -> Iterator[str]:
    yield title
    for module in diagnosis.modules:
        yield f"  {_assembly(module)}" if is_assembly else f"  written by {_writer(module)}"
    if diagnosis.needs is not None:
        yield f"  needs LLVM {diagnosis.needs} or newer"
    for remark in diagnosis.unusual:
        yield f"  unusual: {remark}"
    if diagnosis.damage is not None:
        yield from _damage(diagnosis.damage)
    verdicts = diagnosis.verdicts if is_detailed else [_shortened(each, diagnosis.needs) for each in diagnosis.verdicts]
    for _, group in groupby(verdicts, key=_reason):
        yield from _verdicts(list(group), is_detailed=is_detailed)
    for verdict in diagnosis.profiles:
        yield from _verdicts([verdict], is_detailed=is_detailed)


def _shortened(verdict: Verdict, needs: int | None) -> Verdict:
    """Return a verdict without the parts behind a refusal, and in the title: details of one version have these."""
    advice = tuple(line for line in verdict.advice if not line.startswith(f"use LLVM {needs}")) or verdict.advice
    if verdict.reads:
        return replace(verdict, advice=advice)
    return replace(verdict, misread=(), rejected=(), advice=advice)


def _writer(module: ModuleSummary) -> str:
    producer = module.producer or "an unnamed writer"
    parts = [producer, *([f"epoch {module.epoch}"] if module.epoch is not None else [])]
    return ", ".join([*parts, *([f"for {module.triple}"] if module.triple else [])])


def _assembly(module: ModuleSummary) -> str:
    target = f" for {module.triple}" if module.triple else ""
    return f"LLVM assembly{target}; what follows is about the bitcode that `bitcodec as` makes of it"


def _damage(damage: Damage) -> Iterator[str]:
    what = "sound bits, but a rule is broken" if damage.has_sound_bits else "damaged"
    yield f"  {what} at bit {damage.bit_offset} (byte {damage.bit_offset // 8}): {damage.reason}"
    yield f"{_INDENT}intact before it: {damage.intact_blocks} blocks, {damage.intact_records} records"
    names = damage.damaged_functions
    if damage.intact_functions or names:
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        which = f", not {', '.join(names[:_MOST_NAMES])}{more}" if names else ""
        yield f"{_INDENT}readable function bodies: {damage.intact_functions}{which}"


def _reason(verdict: Verdict) -> tuple[object, ...]:
    """Return the common part of verdicts that are printed together; advice names the version."""
    names = [
        tuple((each.rule, each.message, each.bit_offset) for each in group[:1])
        for group in (verdict.obstacles, verdict.misread, verdict.rejected)
    ]
    advice = tuple(line.replace(f"--llvm {verdict.version}", "--llvm N") for line in verdict.advice)
    return (*names, advice)


def _verdicts(group: list[Verdict], *, is_detailed: bool) -> Iterator[str]:
    first, last = group[0], group[-1]
    is_one = first is last
    joint = "and" if last.version == first.version + 1 else "to"
    who = first.reader or (f"LLVM {first.version}" if is_one else f"LLVM {first.version} {joint} {last.version}")
    yield f"  {who}: {_summary(first, is_one=is_one)}"
    for obstacles in (first.obstacles, first.misread, first.rejected):
        shown = _different(obstacles) if is_detailed else obstacles[:1]
        for obstacle in shown:
            yield f"{_INDENT}{_described(obstacle)}"
        if len(obstacles) > 1 and not is_detailed:
            names = [each.construct.rstrip(",") for each in _different(obstacles)[1:]]
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            if names:
                yield f"{_INDENT}also: {'; '.join(names[:_MOST_NAMES])}{more}"
    if first.advice:
        advice = "; ".join(first.advice)
        yield f"{_INDENT}do: {advice if is_one else advice.replace(f'--llvm {first.version}', '--llvm N')}"


def _different(obstacles: Sequence[Obstacle]) -> list[Obstacle]:
    """Return the first of the obstacles that have the same construct."""
    return list({each.construct: each for each in reversed(obstacles)}.values())[::-1]


def _summary(verdict: Verdict, *, is_one: bool) -> str:
    if verdict.obstacles:
        message = verdict.obstacles[0].message
        return f"{'refuses' if is_one else 'refuse'} it" + (f": {message}" if message else ", without a message")
    reads = f"{'reads' if is_one else 'read'} it"
    if verdict.misread:
        return f"{reads} as something else"
    if verdict.rejected:
        message = verdict.rejected[0].message
        return f"{reads}, but the verifier rejects it" + (f": {message}" if message else "")
    return reads


def _described(obstacle: Obstacle) -> str:
    times = f", {obstacle.count} times, first" if obstacle.count > 1 else ""
    return f"{obstacle.construct.rstrip(',')}{times} in {obstacle.record} at bit {obstacle.bit_offset}"
