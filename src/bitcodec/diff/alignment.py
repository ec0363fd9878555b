"""Aligns equal lines of two texts, in time that does not grow with the square of their lengths.

Lines that occur once in both texts are anchors; the parts between two of them are examined separately, and compared
line by line only where they are short.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

__all__ = ["Pair", "aligned", "gaps"]

Pair: TypeAlias = tuple[int, int]
"""Indices of a line in two texts."""
Range: TypeAlias = tuple[int, int, int, int]
"""Start and end of a part of one text, and of a part of another."""

_MOST_COMPARISONS = 1 << 16
"""Maximum of lines of one part times lines of the other, to compare each with each."""
_LEAST_BUDGET = 1 << 22
_BUDGET_PER_LINE = 1 << 8
"""Maximum number of comparisons of lines in all; the rest stays unaligned then."""


def aligned(before: Sequence[Hashable], after: Sequence[Hashable], within: Range | None = None) -> list[Pair]:
    """Return pairs of equal lines, in order.

    Args:
        before, after: the lines, or keys by which they are compared.
        within: the parts to align, if not all.
    """
    pairs: list[Pair] = []
    pending = [within or (0, len(before), 0, len(after))]
    budget = _LEAST_BUDGET + _BUDGET_PER_LINE * (len(before) + len(after))
    while pending and budget > 0:
        start, end, other_start, other_end = pending.pop()
        while start < end and other_start < other_end and before[start] == after[other_start]:
            pairs.append((start, other_start))
            start += 1
            other_start += 1
        while start < end and other_start < other_end and before[end - 1] == after[other_end - 1]:
            end -= 1
            other_end -= 1
            pairs.append((end, other_end))
        found = (start, end, other_start, other_end)
        budget -= end - start + other_end - other_start
        anchors = _anchors(before, after, found)
        if anchors:
            pairs += anchors
            pending += gaps(anchors, found)
        elif (end - start) * (other_end - other_start) <= _MOST_COMPARISONS:
            budget -= (end - start) * (other_end - other_start)
            pairs += _compared(before, after, found)
    return sorted(pairs)


def gaps(pairs: Sequence[Pair], within: Range) -> list[Range]:
    """Return the ranges between pairs that are not empty in either text."""
    start, end, other_start, other_end = within
    found = []
    for index, other_index in (*pairs, (end, other_end)):
        if start < index and other_start < other_index:
            found.append((start, index, other_start, other_index))
        start, other_start = index + 1, other_index + 1
    return found


def _compared(before: Sequence[Hashable], after: Sequence[Hashable], within: Range) -> list[Pair]:
    start, end, other_start, other_end = within
    if start == end or other_start == other_end:
        return []
    matcher = SequenceMatcher(None, before[start:end], after[other_start:other_end], autojunk=False)
    return [
        (start + block.a + offset, other_start + block.b + offset)
        for block in matcher.get_matching_blocks()
        for offset in range(block.size)
    ]


def _anchors(before: Sequence[Hashable], after: Sequence[Hashable], within: Range) -> list[Pair]:
    """Return the longest run of pairs of lines that occur once in each of two parts."""
    start, end, other_start, other_end = within
    counts, other_counts = Counter(before[start:end]), Counter(after[other_start:other_end])
    places = {line: index for index, line in enumerate(after[other_start:other_end], other_start)}
    pairs = [
        (index, places[line])
        for index, line in enumerate(before[start:end], start)
        if counts[line] == 1 and other_counts.get(line) == 1
    ]
    return _longest_rising(pairs)


def _longest_rising(pairs: Sequence[Pair]) -> list[Pair]:
    """Return as many of the pairs as are in order in both texts: the longest rising subsequence, by patience."""
    tops: list[int] = []
    holders: list[int] = []
    previous: list[int] = []
    for number, (_, place) in enumerate(pairs):
        pile = bisect_left(tops, place)
        previous.append(holders[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(place)
            holders.append(number)
        else:
            tops[pile], holders[pile] = place, number
    found = []
    number = holders[-1] if holders else -1
    while number >= 0:
        found.append(pairs[number])
        number = previous[number]
    return found[::-1]
