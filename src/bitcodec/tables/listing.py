"""Long tables kept as text: rows, and the sorted names that they are for, each with the number of its row.

A name is looked for in the text itself, so that a table of ten thousands of names costs nothing to load.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Listing"]

R = TypeVar("R")

_MARK = "*"
"""May stand behind the number of a row."""


class Listing(Mapping[str, R], Generic[R]):
    """Rows by name.

    Args:
        path: the file: comments, rows, names with the numbers of their rows, empty lines between the three.
        row: makes a row of its text, and of whether a name has a mark (`*`).
    """

    def __init__(self, path: str, row: Callable[[str, bool], R]) -> None:
        self._path = path
        self._row = row
        self._known: dict[str, R | None] = {}

    @cached_property
    def _parts(self) -> tuple[list[str], str]:
        """The texts of rows, and the text of names."""
        with open(self._path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes longer to import than this to read
            _comments, rows, names = file.read().split("\n\n")
        return rows.split("\n"), names

    def __getitem__(self, name: str) -> R:
        if name not in self._known:
            self._known[name] = self._find(name)
        row = self._known[name]
        if row is None:
            raise KeyError(name)
        return row

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def _find(self, name: str) -> R | None:
        rows, names = self._parts
        number = _found(names, f"{name} ")
        return None if number is None else self._row(rows[int(number.removesuffix(_MARK))], number.endswith(_MARK))

    def __iter__(self) -> Iterator[str]:
        return (line.partition(" ")[0] for line in self._parts[1].splitlines())

    def __len__(self) -> int:
        return self._parts[1].count("\n")


def _found(lines: str, start: str) -> str | None:
    """Return the rest of the line that begins so, among sorted ones; None if there is none."""
    low, high = 0, len(lines)
    while low < high:
        begin = lines.rfind("\n", low, (low + high) // 2) + 1 or low
        end = lines.index("\n", begin)
        if lines.startswith(start, begin):
            return lines[begin + len(start) : end]
        if lines[begin:end] < start:
            low = end + 1
        else:
            high = begin
    return None
