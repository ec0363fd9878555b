"""Parts of tables as Parquet files, written under temporary names and renamed when all files of a part are complete."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from bitcodec.corpus.arrow import batch_of, schema_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from bitcodec.corpus.columns import Column

__all__ = ["TEMPORARY", "PartWriter", "commit_part", "remove_temporary_files"]

TEMPORARY = ".bitcodec-"
"""How temporary names begin."""
_MAX_CELLS = 1 << 16
_MAX_LIST_ITEMS = 1 << 20
"""Cells, and items of lists, that are held before they are written."""
_SUFFIX = ".parquet"


class PartWriter:
    """Writes one part of several tables.

    Args:
        folder: where the tables are.
        name: of the part, such as `part-00003`.
        columns: the columns by name of the table.
        writes_empty: whether tables without rows get a file too, so that their schema is known.

    Attributes:
        counts: rows by name of the table.
    """

    def __init__(self, folder: str, name: str, columns: Mapping[str, Sequence[Column]], *, writes_empty: bool) -> None:
        self.counts: dict[str, int] = dict.fromkeys(columns, 0)
        self._folder = Path(folder)
        self._name = name
        self._token = os.urandom(8).hex()
        self._schemas = {table: schema_of(table, chosen) for table, chosen in columns.items()}
        self._rows: dict[str, list[tuple[Any, ...]]] = {table: [] for table in columns}
        self._items = 0
        self._limits = {table: max(_MAX_CELLS // len(chosen), 1) for table, chosen in columns.items()}
        self._writers: dict[str, Any] = {}
        self._writes_empty = writes_empty

    def add(self, table: str, row: tuple[Any, ...]) -> None:
        """Add a row to a table.

        Raises:
            OSError: it cannot be written.
        """
        rows = self._rows[table]
        rows.append(row)
        if table == "graphs":
            self._items += sum([len(value) for value in row if value is not None and not isinstance(value, str | int)])
        if len(rows) >= self._limits[table] or self._items > _MAX_LIST_ITEMS:
            self._flush(table)

    def finish(self) -> dict[str, str]:
        """Write the remaining rows, and return the temporary names of the files by table.

        Raises:
            OSError: they cannot be written.
        """
        for table in self._rows:
            if self._rows[table] or (self._writes_empty and table not in self._writers):
                self._flush(table)
        for writer in self._writers.values():
            writer.close()
        return {table: self._temporary(table) for table in self._writers}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.discard()

    def discard(self) -> None:
        """Remove the files written so far."""
        for table, writer in self._writers.items():
            with suppress(Exception):
                writer.close()
            with suppress(OSError):
                (self._folder / self._temporary(table)).unlink()

    def _flush(self, table: str) -> None:
        import pyarrow.parquet as pq  # noqa: PLC0415 - an extra

        schema = self._schemas[table]
        if table not in self._writers:
            path = self._folder / self._temporary(table)
            self._writers[table] = pq.ParquetWriter(path, schema, compression="zstd")
        rows, self._rows[table] = self._rows[table], []
        if table == "graphs":
            self._items = 0
        self.counts[table] += len(rows)
        self._writers[table].write_batch(batch_of(schema, rows))

    def _temporary(self, table: str) -> str:
        return f"{TEMPORARY}{self._token}-{self._name}-{table}"


def commit_part(folder: Path, name: str, files: Mapping[str, str]) -> None:
    """Give the files of a part their names.

    Raises:
        OSError: one cannot be renamed.
    """
    for table, temporary in files.items():
        (folder / table).mkdir(exist_ok=True)
        (folder / temporary).replace(folder / table / f"{name}{_SUFFIX}")


def remove_temporary_files(folder: Path) -> None:
    """Remove the temporary files that a process left behind that was killed."""
    for path in folder.glob(f"{TEMPORARY}*"):
        with suppress(OSError):
            path.unlink()
