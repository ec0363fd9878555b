"""Tables as functions for Daft, which runs them on one machine or, with Ray, on many (`bitcodec[corpus]`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.corpus.arrow import schema_of
from bitcodec.corpus.rows import chosen_columns, dictionaries, values_of_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.corpus.rows import Row

__all__ = ["daft_rows", "is_daft_expression"]

_LOCAL = "file://"


def is_daft_expression(file: object) -> bool:
    """Return whether something is an expression of Daft, which need not be installed."""
    kind = type(file)
    return kind.__name__ == "Expression" and kind.__module__.partition(".")[0] == "daft"


def daft_rows(table: str, files: Any, columns: Iterable[str]) -> Any:
    """Return a Daft expression with the rows of a table for each file, its columns unnested.

    Args:
        table: name of the table.
        files: an expression of paths or URLs, of files as `daft.functions.file` makes them, or of bytes.
        columns: names of columns. Default: all.

    Raises:
        ValueError: the table or a column does not exist.
    """
    import daft  # noqa: PLC0415 - an extra
    import pyarrow as pa  # noqa: PLC0415

    chosen = tuple(column.name for column in chosen_columns(table, columns))
    fields = list(schema_of(table, chosen_columns(table, columns)))
    plain = pa.struct([pa.field(field.name, field.type) for field in fields])

    def rows(file: Any) -> Iterator[Row]:
        yield from _rows_of(table, file, chosen)

    return daft.func(rows, return_dtype=daft.DataType.from_arrow_type(plain), unnest=True)(files)


def _rows_of(table: str, file: Any, names: Iterable[str]) -> Iterator[Row]:
    columns = chosen_columns(table, names)
    url = file if isinstance(file, str) else getattr(file, "path", "<bytes>")
    path = url.removeprefix(_LOCAL) if url.startswith(_LOCAL) else None
    yield from dictionaries(columns, values_of_file(table, columns, path or url, path, lambda: _read(file)))


def _read(file: Any) -> memoryview:
    """Return the bytes of a file; Daft's own errors become errors of the file.

    Raises:
        OSError: it cannot be read.
    """
    import daft  # noqa: PLC0415

    if isinstance(file, bytes):
        return memoryview(file)
    try:
        with (daft.File(file) if isinstance(file, str) else file).open() as opened:
            return memoryview(opened.read())
    except OSError:
        raise
    except Exception as error:
        raise OSError(str(error)) from error
