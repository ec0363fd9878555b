"""Unified diffs, as `diff -u` has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.diff.alignment import aligned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["unified_lines"]


def unified_lines(before: Sequence[str], after: Sequence[str], context: int) -> Iterator[str]:
    """Yield the hunks of a unified diff, line by line, without headers and line ends.

    Args:
        before, after: the lines.
        context: how many lines to show around a change.
    """
    for hunk in _hunks(before, after, context):
        first, other_first = hunk[0][1:]
        removed = sum(sign != "+" for sign, _, _ in hunk)
        added = sum(sign != "-" for sign, _, _ in hunk)
        yield f"@@ -{_extent(first, removed)} +{_extent(other_first, added)} @@"
        for sign, index, other in hunk:
            yield f"{sign}{after[other] if sign == '+' else before[index]}"


def _steps(before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Yield the steps from line to line: a sign, and the positions in both texts."""
    index = other = 0
    for pair_index, pair_other in (*aligned(before, after), (len(before), len(after))):
        while index < pair_index:
            yield "-", index, other
            index += 1
        while other < pair_other:
            yield "+", index, other
            other += 1
        if index < len(before):
            yield " ", index, other
        index, other = index + 1, other + 1


def _hunks(before: Sequence[str], after: Sequence[str], context: int) -> Iterator[list[tuple[str, int, int]]]:
    """Yield changes with the lines around them; changes that are near each other together."""
    steps = list(_steps(before, after))
    changes = [number for number, (sign, _, _) in enumerate(steps) if sign != " "]
    start = end = 0
    for number in changes:
        if number - context > end > start:
            yield steps[start:end]
            start = end = 0
        if end == start:
            start = max(0, number - context)
        end = min(len(steps), number + context + 1)
    if end > start:
        yield steps[start:end]


def _extent(first: int, count: int) -> str:
    """Return where a hunk begins, from 1, and how many lines it has; an empty one begins in front of itself."""
    if count == 1:
        return str(first + 1)
    return f"{first + bool(count)},{count}"
