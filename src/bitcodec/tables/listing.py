"""Long tables kept as text: columns of texts, and the names that they are for, each with numbers of texts.

A section contains the names whose first word is the same (words end with dots), and is read when one of its names is
looked for.  So a table of ten thousands of names costs little to load.
"""

from __future__ import annotations

from bisect import bisect_left
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
            A name is written as the number of words that it shares with the name before it, and its other words.
        row: makes a row of a text of each column.
    """

    def __init__(self, path: str, row: Callable[..., R]) -> None:
        self._path = path
        self._row = row
        self._known: dict[str, R | None] = {}
        self._opened: dict[str, _Section] = {}

    @cached_property
    def _parts(self) -> tuple[list[list[str]], dict[str, str]]:
        """The texts of each column, and the texts of sections by their first words."""
        with open(self._path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib takes longer to import than this to read
            _comments, *columns, names = file.read().split("\n\n")
        sections = f"\n{names.rstrip()}".split("\n0")[1:]
        texts = {text.partition(" ")[0].partition(".")[0]: text for text in sections}
        return [column.split("\n") for column in columns], texts

    @cached_property
    def _words(self) -> list[str]:
        """The first words of names, sorted."""
        return sorted(self._parts[1])

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
        word, dot, _ = text.partition(".")
        names = self._section(word).names if dot else self._words
        place = bisect_left(names, text)
        return place < len(names) and names[place].startswith(text)

    def _find(self, name: str) -> R | None:
        numbers = self._section(name.partition(".")[0]).numbers.get(name)
        if numbers is None:
            return None
        return self._row(*(column[int(number)] for column, number in zip(self._parts[0], numbers.split(), strict=True)))

    def _section(self, word: str) -> _Section:
        """Return the names that begin with a word, and a dot if more words follow."""
        section = self._opened.get(word)
        if section is None:
            text = self._parts[1].get(word)
            if text is None:
                return _NO_NAMES
            section = self._opened[word] = _Section(text)
        return section

    def __iter__(self) -> Iterator[str]:
        return (name for word in self._parts[1] for name in self._section(word).numbers)

    def __len__(self) -> int:
        return sum(text.count("\n") + 1 for text in self._parts[1].values())


class _Section:
    """Names with the same first word.

    Attributes:
        numbers: the numbers of each name, one for each column, with spaces between them.
        names: the names, sorted.
    """

    def __init__(self, text: str) -> None:
        self.numbers: dict[str, str] = {}
        words: list[str] = []
        for line in f"0{text}".splitlines() if text else ():
            end, _, numbers = line[1:].partition(" ")
            words[int(line[0]) :] = end.split(".")
            self.numbers[".".join(words)] = numbers
        self.names = sorted(self.numbers)


_NO_NAMES = _Section("")
