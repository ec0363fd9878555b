"""Columns and tables: the one statement from which rows, options, documentation and tests are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.named_tuple import NamedTuple
from bitcodec.plain_enum import PlainEnum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.corpus.opened import OpenedModule

__all__ = ["KEY", "Column", "Reads", "Table", "from_subject"]


class Reads(PlainEnum):
    """Parts of a file that must be read for a column, from little to much.  Each includes the ones before it."""

    STREAM = "stream"
    """The top-level blocks of the stream."""
    MODULE = "module"
    """The records of the module: types, globals, names, attributes."""
    METADATA = "metadata"
    """Metadata of the module, such as its flags."""
    BODIES = "bodies"
    """Bodies of functions."""
    EVERYTHING = "everything"
    """The whole module with its metadata."""
    RECORDS = "records"
    """Every record of the stream is decoded; no module is opened."""


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        name: the name, which stays the same from version to version.
        type: Arrow type, as in `string`, `int64` or `list<uint8>`.
        reads: the parts that must be read for it.
        meaning: one sentence for the documentation.
        value: returns the value for a subject of the table; None is null.
        unit: of a number, "" if it is a count or a number without unit.
    """

    name: str
    type: str
    reads: Reads
    meaning: str
    value: Callable[[Any], object]
    unit: str = ""


def from_subject(name: str) -> Callable[[Any], object]:
    """Return a function that returns an attribute of a subject."""

    def value(subject: Any) -> object:
        return getattr(subject, name)

    return value


KEY = Column(
    "module",
    "string",
    Reads.STREAM,
    "SHA-256 of the bitcode; modules after the first of one stream have `#2`, `#3`, ... behind it. Joins all tables.",
    from_subject("key"),
)
"""The first column of most tables."""


class Table(NamedTuple):
    """A table.

    Attributes:
        name: the name, which stays the same from version to version.
        meaning: the meaning of a row.
        columns: in order.
        subjects: yields the subjects of the rows of a module; None for tables about files.
        key: the columns that identify a row, for joins.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]
    subjects: Callable[[OpenedModule], Iterable[Any]] | None
    key: tuple[str, ...] = ("module",)

    def select(self, names: Iterable[str]) -> tuple[Column, ...]:
        """Return the columns of some names, in the order of the table, with the key's; all without names.

        Raises:
            ValueError: the table has no column of that name.
        """
        wanted = set(names)
        if unknown := sorted(wanted - {column.name for column in self.columns}):
            known = ", ".join(column.name for column in self.columns)
            raise ValueError(f"table {self.name} has no column {unknown[0]!r}; its columns are {known}")
        kept = wanted | set(self.key) if wanted else {column.name for column in self.columns}
        return tuple(column for column in self.columns if column.name in kept)
