"""Long tables kept as text: headings, and below each, indented by one blank, the names that it is for.

A group of names is taken in at once, so that ten thousands of them are there in a few milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Listing"]

R = TypeVar("R")


_GROUP = re.compile(r"^(?![ #])(.*)\n((?: .*\n)+)", re.MULTILINE)
_MARK = "*"
"""May stand behind a name."""


class Listing(Mapping[str, R], Generic[R]):
    """Rows by name.

    Args:
        path: the file; lines that begin with `#` are comments.
        row: makes a row of a heading, and of whether a mark (`*`) stands behind the name.
    """

    def __init__(self, path: Path, row: Callable[[str, bool], R]) -> None:
        self._path = path
        self._row = row

    @cached_property
    def _headings(self) -> dict[str, str]:
        """The heading of each name, its mark with it."""
        headings: dict[str, str] = {}
        for match in _GROUP.finditer(self._path.read_text(encoding="ascii")):
            headings.update(dict.fromkeys(match[2][1:-1].split("\n "), match[1]))
        return headings

    def __getitem__(self, name: str) -> R:
        headings = self._headings
        heading = headings.get(name)
        return self._row(headings[name + _MARK], True) if heading is None else self._row(heading, False)  # noqa: FBT003

    def __iter__(self) -> Iterator[str]:
        return (name.removesuffix(_MARK) for name in self._headings)

    def __len__(self) -> int:
        return len(self._headings)
