"""Answers to SQL over tables, with DuckDB (`bitcodec[sql]`)."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bitcodec.corpus.run import tables_in
from bitcodec.corpus.tables import TABLES
from bitcodec.errors import BitcodecError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = ["Answer", "named_in", "query"]

_WORD = re.compile(r"[a-z_][a-z_0-9]*", re.IGNORECASE)
_COUNTED = re.compile(r"\(\s*\*\s*\)")
_TEXT = re.compile(r"'(?:[^']|'')*'")


class Answer(NamedTuple):
    """The answer to a query.

    Attributes:
        columns: names of the columns.
        rows: values of each row.
    """

    columns: list[str]
    rows: list[tuple[Any, ...]]


def named_in(sql: str) -> tuple[list[str], list[str]]:
    """Return the tables and the columns that a query may need: none means all.

    Words in the query are taken for their names; `*` needs all columns of the tables.
    """
    plain = _TEXT.sub("''", sql)
    words = {word.lower() for word in _WORD.findall(plain)}
    tables = [name for name in TABLES if name in words]
    if "*" in _COUNTED.sub("", plain) or "columns" in words:
        return tables, []
    columns = [
        f"{name}.{column.name}" for name in tables for column in TABLES[name].columns if column.name.lower() in words
    ]
    keys = [f"{name}.{TABLES[name].key[0]}" for name in tables]
    return tables, [*keys, *columns]


def query(sql: str, folder: str | os.PathLike[str]) -> Answer:
    """Return the answer to a query over tables that `write_tables` has written; each table is a view of its name.

    Args:
        sql: the query, as DuckDB has it.
        folder: the folder of the tables.

    Raises:
        BitcodecError: the folder contains no complete tables, or the query is wrong.
        ImportError: DuckDB is not installed.
    """
    import duckdb  # noqa: PLC0415 - an extra

    manifest = tables_in(folder)
    if manifest is None:
        raise BitcodecError(f"{os.fsdecode(folder)} contains no complete tables")
    with duckdb.connect(":memory:") as connection:
        for name in manifest["tables"]:
            _add_view(connection, name, sorted((Path(os.fsdecode(folder)) / name).glob("*.parquet")))
        try:
            found = connection.execute(sql)
            description = found.description or []
            return Answer([column[0] for column in description], found.fetchall() if description else [])
        except duckdb.Error as error:
            problem = str(error).partition("\n")[0]
            raise BitcodecError(f"DuckDB: {problem}{_help(error, sql, manifest['tables'])}") from error


def _help(error: Exception, sql: str, tables: Collection[str]) -> str:
    """Return the names a query may use, if one that it uses is unknown: DuckDB sees but a part of them."""
    named = named_in(sql)[0]
    if type(error).__name__ == "CatalogException":
        if any(name not in tables for name in named):
            return f" (the folder has {', '.join(tables)})"
        return f" (the tables are {', '.join(TABLES)})"
    if type(error).__name__ == "BinderException":
        return "".join(f" ({name} has {', '.join(each.name for each in TABLES[name].columns)})" for name in named)
    return ""


def _add_view(connection: Any, name: str, parts: Iterable[Path]) -> None:
    paths = ", ".join("'" + str(path).replace("'", "''") + "'" for path in parts)
    if paths:
        connection.execute(f'CREATE VIEW "{name}" AS SELECT * FROM read_parquet([{paths}])')  # noqa: S608 - own names
