"""Rows of one file: for programs that walk through files themselves, and for engines that call a function for each."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from bitcodec.containers import check_module_head
from bitcodec.corpus.extracting import error_rows, places_in, stream_of, values_of
from bitcodec.corpus.opened import OpenedModule
from bitcodec.corpus.problems import problem_of
from bitcodec.corpus.tables import TABLES
from bitcodec.corpus.tables.errors import ErrorRow
from bitcodec.corpus.texts import clean
from bitcodec.errors import BitcodecError
from bitcodec.files import read_file, read_stream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import BinaryIO, TypeAlias

    import pyarrow as pa
    from typing_extensions import Buffer

    from bitcodec.corpus.columns import Column

    File: TypeAlias = str | os.PathLike[str] | BinaryIO | Buffer
    Row: TypeAlias = dict[str, Any]
    Values: TypeAlias = tuple[Any, ...]

__all__ = ["chosen_columns", "dictionaries", "read_rows", "to_arrow", "values_of_file"]

_FROM_BYTES = "<bytes>"


def read_rows(table: str, file: File, columns: Iterable[str] = ()) -> Iterator[Row]:
    """Yield the rows of a table for a file, as dictionaries.

    Malformed parts do not raise: values that cannot be read are None, and the table `errors` contains the reasons.

    Args:
        table: name of the table.
        file: path of the file, a file that is open in binary mode and is read to its end, or the bytes themselves.
        columns: names of columns; the key's are always included. Default: all.

    Raises:
        ValueError: the table or a column does not exist.

    >>> from bitcodec import corpus
    >>> [(row["function"], row["name"]) for row in corpus.read_rows("functions", "examples/hello.bc", ["name"])]
    [(0, 'main'), (1, 'printf')]
    """
    chosen = chosen_columns(table, columns)
    return dictionaries(chosen, _values_in(table, file, chosen))


def dictionaries(columns: Sequence[Column], rows: Iterable[Values]) -> Iterator[Row]:
    """Yield rows as dictionaries of numbers, texts and lists."""
    names = [column.name for column in columns]
    for values in rows:
        yield dict(zip(names, map(_plain, values), strict=True))


def to_arrow(table: str, files: Iterable[File], columns: Iterable[str] = ()) -> pa.Table:
    """Return the rows of a table for files as an Arrow table; `write_tables` does the same with many processes.

    Args:
        table: name of the table.
        files: the files, as for `read_rows`.
        columns: names of columns; the key's are always included. Default: all.

    Raises:
        ValueError: the table or a column does not exist.
        ImportError: pyarrow is not installed.

    >>> from bitcodec import corpus
    >>> corpus.to_arrow("instructions", ["examples/hello.bc"], ["count"]).num_rows
    8
    """
    import pyarrow as pa  # noqa: PLC0415 - an extra

    from bitcodec.corpus.arrow import batch_of, schema_of  # noqa: PLC0415

    chosen = chosen_columns(table, columns)
    schema = schema_of(table, chosen)
    batches = [batch_of(schema, list(_values_in(table, file, chosen))) for file in files]
    return pa.Table.from_batches(batches, schema)


def chosen_columns(table: str, names: Iterable[str]) -> tuple[Column, ...]:
    """Return the columns of some names, or all of a table.

    Raises:
        ValueError: the table or a column does not exist.
    """
    if table not in TABLES:
        raise ValueError(f"unknown table {table!r}; the tables are {', '.join(TABLES)}")
    return TABLES[table].select(names)


def _values_in(table: str, file: File, columns: Sequence[Column]) -> Iterator[Values]:
    name = _name_of(file)
    path = name if isinstance(file, str | os.PathLike) else None
    return values_of_file(table, columns, name, path, lambda: _read(file))


def values_of_file(
    table: str, columns: Sequence[Column], name: str, path: str | None, read: Callable[[], memoryview]
) -> Iterator[Values]:
    """Yield the rows of a table for a file.

    Args:
        table: name of the table.
        columns: the columns that are wanted.
        name: name of the file.
        path: where it is, for the members of a thin archive; None if it is not on this machine.
        read: returns its bytes.
    """
    try:
        streams, errors = places_in(name, read(), path)
    except (BitcodecError, OSError) as error:
        streams, errors = [], [ErrorRow(name, None, None, None, problem_of(error))]
    if table == "errors":
        yield from (_cells(columns, error) for error in errors)
    for found, places in streams:
        if table == "files":
            yield from (_cells(columns, place) for place in places)
            continue
        stream = stream_of(name, found)
        for place in places:
            if place.module is not None:
                opened = OpenedModule(place, stream)
                if table == "errors":
                    yield from (_cells(columns, error) for error in _all_errors(opened))
                else:
                    yield from values_of(table, columns, opened)


def _all_errors(opened: OpenedModule) -> list[ErrorRow]:
    """Return the errors that all tables meet in a module."""
    for name, table in TABLES.items():
        if table.subjects is not None:
            for _ in values_of(name, table.columns, opened):
                pass
    return error_rows(opened)


def _cells(columns: Sequence[Column], subject: object) -> Values:
    return tuple([column.value(subject) for column in columns])


def _plain(value: Any) -> Any:
    """Return a value as text, number or list."""
    if value is None or isinstance(value, int):
        return value
    return clean(value) if isinstance(value, str) else [_plain(each) for each in value]


def _name_of(file: File) -> str:
    if isinstance(file, str | os.PathLike):
        return os.fsdecode(file)
    for name in ("path", "name"):
        with suppress(Exception):
            found = getattr(file, name)
            if isinstance(found, str):
                return found
    return _FROM_BYTES


def _read(file: File) -> memoryview:
    """Return the bytes of a file.

    Raises:
        OSError: it cannot be read.
        BitcodecError: it contains no bitcode, judging by its beginning.
    """
    if isinstance(file, str | os.PathLike):
        return read_file(file, check_head=check_module_head)
    if hasattr(file, "read"):
        return read_stream(cast("BinaryIO", file), check_head=check_module_head)
    return memoryview(cast("bytes", file)).cast("B")
