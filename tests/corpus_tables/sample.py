"""The files that these tests read, and tables as Python has them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
DATA = ROOT / "tests/data"
HELLO, QUEUE, TAGGED = (EXAMPLES / f"{name}.bc" for name in ("hello", "queue", "tagged"))
MODULES = [
    *(HELLO, QUEUE, TAGGED),
    *(DATA / f"{name}.bc" for name in ("atomics-O2-22", "control-O2-16", "exceptions-O2-19", "ir_metadata-22")),
    *(DATA / f"{name}.bc" for name in ("ir_types-22", "structs-i386-14", "wrapper-darwin-22")),
]
"""Modules of several producers and targets; LLVM's tools read them all."""

Rows = list[dict[str, Any]]


def rows_in(folder: Path, table: str) -> Rows:
    """Return the rows of a table that was written."""
    pq = pytest.importorskip("pyarrow.parquet")
    found: Rows = []
    for part in sorted((folder / table).glob("*.parquet"), key=lambda path: path.name):
        found += pq.read_table(part).to_pylist()
    return found


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files of tables with their content, without the manifest."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "manifest.json"
    }


def manifest_of(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def grouped(rows: Rows, key: str) -> Iterator[tuple[Any, Rows]]:
    """Yield the rows of each value of a column."""
    for value in dict.fromkeys(row[key] for row in rows):
        yield value, [row for row in rows if row[key] == value]
