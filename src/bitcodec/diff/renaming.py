"""Which unnamed things of one text are which of another, so that the same ones can be shown with the same numbers."""

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
    """Return what is to stand for the marks of `after`: numbers of `before`, those of what is new with a `+` in front.

    Lines are aligned as they are but for marks, first those whose marks stand for what is used alike.
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
    """What is known so far.  Two marks of one text never get the same number."""

    def __init__(self) -> None:
        self.names: Marks = {}
        self._taken: set[str] = set()

    def add_lines(self, before: Iterable[str], after: Iterable[str]) -> None:
        """Take the marks of lines for the same ones, in order."""
        for (mark, number), (other, _) in zip(_marks(before), _marks(after), strict=False):
            self._add(mark, number, other)

    def add_definition(self, before: str, after: str) -> None:
        """Take what two lines define for the same."""
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
    """Whether a line defines what its first mark, which ends at `end`, stands for: a value or a block."""
    return line.startswith((" = ", ":"), end)


def _aligned(before: Sequence[str], after: Sequence[str]) -> list[Pair]:
    """Return which lines correspond: what is equal in more ways first, the rest in between."""
    pairs: list[Pair] = []
    for keys, others in zip(_keys(before), _keys(after), strict=True):
        rest = gaps(pairs, (0, len(before), 0, len(after)))
        pairs = sorted(pairs + [pair for gap in rest for pair in aligned(keys, others, gap)])
    return pairs


def _keys(lines: Sequence[str]) -> Iterator[Sequence[Hashable]]:
    """Yield what specifies which lines are equal, weaker each time: without uses of marks, without locations."""
    masked = [MARK.sub(_MASK, line) for line in lines]
    without_locations = [line.partition(_LOCATION)[0] for line in masked]
    for texts in (masked, without_locations):
        yield _with_uses(lines, texts)
        yield texts


def _with_uses(lines: Sequence[str], masked: Sequence[str]) -> list[int]:
    """Return what lines are, and how each of their marks is used elsewhere, as one number for each line."""
    uses: dict[str, int] = defaultdict(int)
    found = [[mark for mark, _ in _marks([line])] for line in lines]
    for marks, text in zip(found, masked, strict=True):
        for place, mark in enumerate(marks):
            uses[mark] += hash((text, place))  # a sum, since the order of uses does not count
    return [hash((text, *(uses[mark] for mark in marks))) for marks, text in zip(found, masked, strict=True)]
