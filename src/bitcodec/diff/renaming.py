"""Matches unnamed things of two texts, so that the same ones can be shown with the same numbers."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from bitcodec.diff.alignment import aligned, gaps
from bitcodec.diff.marks import MARK

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from bitcodec.diff.alignment import Pair
    from bitcodec.diff.marks import Marks

__all__ = ["renamed"]

_MASK = "\x01"
_LOCATION = ", !dbg !"


def renamed(before: Sequence[str], after: Sequence[str]) -> Marks:
    """Return the replacements of the marks of `after`: numbers of `before`, for new things numbers with a `+` in front.

    Lines are aligned by their text except marks, first lines with marks of things that are used alike.
    """
    found = _Renaming()
    if len(list(_marks(before[:1]))) == len(list(_marks(after[:1]))):
        found.add_lines(before[:1], after[:1])  # parameters are the same ones, whatever else is said of them
    pairs = _aligned(before, after)
    for index, other in pairs:
        found.add_definition(before[index], after[other])
    for index, other in pairs:
        found.add_lines([before[index]], [after[other]])
    return {mark: found.names.get(mark, f"+{number}") for mark, number in _marks(after)}


class _Renaming:
    """The matches so far.  Two marks of one text never get the same number."""

    def __init__(self) -> None:
        self.names: Marks = {}
        self._taken: set[str] = set()

    def add_lines(self, before: Iterable[str], after: Iterable[str]) -> None:
        """Take the marks of lines for the same ones, in order."""
        for (mark, number), (other, _) in zip(_marks(before), _marks(after), strict=False):
            self._add(mark, number, other)

    def add_definition(self, before: str, after: str) -> None:
        """Match the things that two lines define."""
        mark, other = MARK.search(before), MARK.search(after)
        if mark and other and _defines(before, mark.end()):
            self._add(mark[0], mark[2], other[0])

    def _add(self, mark: str, number: str, other: str) -> None:
        if mark[0] == other[0] and other not in self.names and mark not in self._taken:
            self.names[other] = number
            self._taken.add(mark)


def _marks(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        for mark in MARK.finditer(line):
            yield mark[0], mark[2]


def _defines(line: str, end: int) -> bool:
    """Whether a line defines the thing of its first mark, which ends at `end`: a value or a block."""
    return line.startswith((" = ", ":"), end)


def _aligned(before: Sequence[str], after: Sequence[str]) -> list[Pair]:
    """Return the lines that correspond: lines that are equal in more ways first, the rest in between."""
    pairs: list[Pair] = []
    for keys, others in zip(_keys(before), _keys(after), strict=True):
        rest = gaps(pairs, (0, len(before), 0, len(after)))
        pairs = sorted(pairs + [pair for gap in rest for pair in aligned(keys, others, gap)])
    return pairs


def _keys(lines: Sequence[str]) -> Iterator[Sequence[Hashable]]:
    """Yield keys by which lines are compared, weaker each time: without uses of marks, without locations."""
    masked = [MARK.sub(_MASK, line) for line in lines]
    without_locations = [line.partition(_LOCATION)[0] for line in masked]
    for texts in (masked, without_locations):
        yield _with_uses(lines, texts)
        yield texts


def _with_uses(lines: Sequence[str], masked: Sequence[str]) -> list[int]:
    """Return one number for each line, from its text and from the uses of each of its marks elsewhere."""
    uses: dict[str, int] = defaultdict(int)
    found = [[mark for mark, _ in _marks([line])] for line in lines]
    for marks, text in zip(found, masked, strict=True):
        for place, mark in enumerate(marks):
            uses[mark] += hash((text, place))  # a sum, since the order of uses does not count
    return [hash((text, *(uses[mark] for mark in marks))) for marks, text in zip(found, masked, strict=True)]
