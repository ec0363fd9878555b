"""Contents of PC sections: entries and bytes by kind and by function, and the differences of two builds."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from operator import sub
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.pcsections.decoding.sections import DecodedSection

__all__ = ["Change", "Content", "Row", "changes", "contents_of"]


class Row(NamedTuple):
    """Part of a section that belongs to one function.

    Attributes:
        section: its name.
        function: the name of the function, "" if it is unknown.
        is_function: whether these are entries of the function itself, not of its instructions.
    """

    section: str
    function: str
    is_function: bool


class Content(NamedTuple):
    """Number of entries and bytes.

    Attributes:
        entries: number of PCs.
        size: bytes, constants included.
    """

    entries: int
    size: int

    def joined(self, other: Content) -> Content:
        """Return both together."""
        return Content(self.entries + other.entries, self.size + other.size)


class Change(NamedTuple):
    """A difference between two builds.

    Attributes:
        row: the row that differs.
        before, after: how much there is in each.
    """

    row: Row
    before: Content
    after: Content


_NOTHING = Content(0, 0)


def contents_of(sections: Iterable[DecodedSection]) -> dict[Row, Content]:
    """Return how much there is of each function in each section."""
    found: dict[Row, Content] = {}
    for section in sections:
        for (function, is_function), (entries, size) in _counts(section).items():
            name = section.code.name(function) if function >= 0 else ""
            row = Row(section.name, name, is_function)
            found[row] = found.get(row, _NOTHING).joined(Content(entries, size))
    return found


def _counts(section: DecodedSection) -> dict[tuple[int, bool], list[int]]:
    """Return entries and bytes by the row of the function; constants belong to the last PC that shares them."""
    columns = section.columns
    functions = [kind.is_function for kind in section.kinds] + [False]
    ends = chain(columns.place[1:], [len(section.data)])
    cells = Counter(zip(columns.function, columns.kind, map(sub, ends, columns.place), strict=True))
    counts: dict[tuple[int, bool], list[int]] = {}
    for (function, kind, size), count in cells.items():
        total = counts.setdefault((function, functions[kind]), [0, 0])
        total[0] += count
        total[1] += count * size
    return counts


def changes(before: dict[Row, Content], after: dict[Row, Content]) -> Iterator[Change]:
    """Yield the differences, in the order of the earlier build; new rows come last."""
    for row in dict.fromkeys((*before, *after)):
        change = Change(row, before.get(row, _NOTHING), after.get(row, _NOTHING))
        if change.before != change.after:
            yield change
