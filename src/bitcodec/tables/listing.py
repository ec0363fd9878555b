"""Long tables kept as text: columns of texts, and the sorted names that they are for, each with numbers of texts.

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


class Listing(Mapping[str, R], Generic[R]):
    """Rows by name.

    Args:
        path: the file: comments, columns of texts, and names with a number of each column; empty lines between them.
        row: makes a row of a text of each column.
    """

    def __init__(self, path: str, row: Callable[..., R]) -> None:
        self._path = path
        self._row = row
        self._known: dict[str, R | None] = {}

    @cached_property
    def _parts(self) -> tuple[list[list[str]], str]:
        """The texts of each column, and the text of names."""
        with open(self._path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes longer to import than this to read
            _comments, *columns, names = file.read().split("\n\n")
        return [column.split("\n") for column in columns], names

    def __getitem__(self, name: str) -> R:
        if name not in self._known:
            self._known[name] = self._find(name)
        row = self._known[name]
        if row is None:
            raise KeyError(name)
        return row

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def has_beginning(self, text: str) -> bool:
        """Return whether a name begins with a text."""
        return _found(self._parts[1], text) is not None

    def _find(self, name: str) -> R | None:
        columns, names = self._parts
        found = _found(names, f"{name} ")
        if found is None:
            return None
        return self._row(*(column[int(number)] for column, number in zip(columns, found.split(), strict=True)))

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
