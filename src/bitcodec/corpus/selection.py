"""Selection of tables and columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.corpus.tables import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.corpus.columns import Column

__all__ = ["ALWAYS", "TableSelection"]

ALWAYS = ("files", "errors")
"""Tables that every run writes."""


class TableSelection:
    """Tables and their columns.

    Args:
        tables: names of tables. Default: all. The tables `files` and `errors` are always part of a run.
        columns: names of columns, as `COLUMN` or `TABLE.COLUMN`; a table without a named column has all of its columns.
            The columns of its key are always part of a table.

    Raises:
        ValueError: a table or column does not exist.
    """

    def __init__(self, tables: Iterable[str] = (), columns: Iterable[str] = ()) -> None:
        named = list(tables)
        if unknown := [name for name in named if name not in TABLES]:
            raise ValueError(f"unknown table {unknown[0]!r}; the tables are {', '.join(TABLES)}")
        chosen = {name for name in TABLES if name in named or name in ALWAYS or not named}
        wanted: dict[str, list[str]] = {name: [] for name in chosen}
        for column in columns:
            for table, name in _places_of(column, chosen):
                wanted[table].append(name)
        self.columns: Mapping[str, tuple[Column, ...]] = {
            name: table.select(wanted[name]) for name, table in TABLES.items() if name in chosen
        }

    @property
    def names(self) -> dict[str, list[str]]:
        """Names of the columns by name of the table."""
        return {table: [column.name for column in columns] for table, columns in self.columns.items()}

    @classmethod
    def of_names(cls, names: Mapping[str, Iterable[str]]) -> TableSelection:
        """Return the selection from the result of `names`."""
        return cls(names, [f"{table}.{column}" for table, columns in names.items() for column in columns])


def _places_of(column: str, chosen: Iterable[str]) -> list[tuple[str, str]]:
    """Return the tables that have a column, with its name."""
    table, dot, name = column.rpartition(".")
    if dot:
        if table not in chosen:
            raise ValueError(f"column {column!r} is in no selected table")
        return [(table, name)]
    found = [(each, column) for each in chosen if column in {row.name for row in TABLES[each].columns}]
    if not found:
        raise ValueError(f"no selected table has a column {column!r}")
    return found
