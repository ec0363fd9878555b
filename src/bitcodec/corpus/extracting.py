"""Rows of tables, from bytes: unrequested parts are not read, and malformed ones become null and an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.assembling import module_streams
from bitcodec.bitstream.magic import StreamKind
from bitcodec.corpus.columns import KEY
from bitcodec.corpus.opened import OpenedStream, places_of
from bitcodec.corpus.problems import CorpusProblem, problem_of
from bitcodec.corpus.tables import TABLES
from bitcodec.corpus.tables.errors import ErrorRow
from bitcodec.errors import BitcodecError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from bitcodec.containers import FoundStream
    from bitcodec.corpus.columns import Column
    from bitcodec.corpus.opened import OpenedModule, Place

    Values = tuple[Any, ...]
    Take = Callable[[str, Values], object]

__all__ = ["error_rows", "extract", "places_in", "stream_of", "values_of"]


def places_in(
    file: str, data: memoryview, path: str | None
) -> tuple[list[tuple[FoundStream, list[Place]]], list[ErrorRow]]:
    """Return the bitstreams in a file with the places of their modules, and the errors.

    Args:
        file: its name in the rows.
        data: its bytes.
        path: where it is, for the members of a thin archive; None if it is not a file.
    """
    found: list[tuple[FoundStream, list[Place]]] = []
    errors = []
    try:
        streams = module_streams(data, file, path)
    except (BitcodecError, OSError) as error:
        return [], [ErrorRow(file, None, None, None, problem_of(error))]
    for stream in streams:
        try:
            places = places_of(file, stream)
        except BitcodecError as error:
            errors.append(ErrorRow(file, stream.path, None, None, problem_of(error)))
            continue
        if not places and stream.stream.kind is StreamKind.LLVM_IR:
            reason = CorpusProblem("malformed", "the bitstream contains no module")
            errors.append(ErrorRow(file, stream.path, None, None, reason))
        found.append((stream, places))
    return found, errors


def extract(opened: OpenedModule, columns: Mapping[str, Sequence[Column]], take: Take) -> list[ErrorRow]:
    """Make the rows of a module, and return the errors.

    Args:
        opened: the module.
        columns: the columns by name of the table; tables about files are left out.
        take: called with the name of a table and the values of each row.
    """
    for name, chosen in columns.items():
        if TABLES[name].subjects is not None:
            for row in values_of(name, chosen, opened):
                take(name, row)
    return error_rows(opened)


def stream_of(file: str, found: FoundStream) -> OpenedStream:
    """Return a stream of a file, to open its modules."""
    return OpenedStream(found, f"{file}({found.path})" if found.path else file)


def error_rows(opened: OpenedModule) -> list[ErrorRow]:
    """Return the errors that occurred while a module was read."""
    place = opened.place
    return [
        ErrorRow(place.file, place.member, place.number, place.module, problem) for problem in opened.problems.values()
    ]


def values_of(name: str, columns: Sequence[Column], opened: OpenedModule) -> Iterator[Values]:
    """Yield the rows of a table for a module."""
    table = TABLES[name]
    if table.subjects is None:
        raise ValueError(f"table {name} has no rows for a module")
    key = opened.key
    readers = tuple(_constant(key) if column is KEY else column.value for column in columns)
    try:
        for subject in table.subjects(opened):
            try:
                row = tuple([read(subject) for read in readers])
            except BitcodecError:
                row = tuple([_cell(name, read, subject, opened) for read in readers])
            yield row
    except BitcodecError as error:
        opened.report(name, error)


def _cell(name: str, read: Callable[[Any], object], subject: Any, opened: OpenedModule) -> object:
    """Return the value of a column for a subject; None if it is malformed, which is reported."""
    try:
        return read(subject)
    except BitcodecError as error:
        position = getattr(subject, "position", None)
        opened.report(name, error, position if name != "globals" else None)
        return None


def _constant(value: object) -> Callable[[Any], object]:
    return lambda _: value
