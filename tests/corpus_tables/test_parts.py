"""Parts of tables are written in groups of rows, so that memory holds few of them."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from bitcodec.corpus import parts
from bitcodec.corpus.columns import Column, Reads, from_subject

pq = pytest.importorskip("pyarrow.parquet")

ROWS = 8
NUMBER = Column("number", "int64", Reads.MODULE, "A number.", from_subject("number"))
NUMBERS = Column("numbers", "list<int64>", Reads.MODULE, "Numbers.", from_subject("numbers"))


def groups_of(folder: Path, table: str, row: tuple[object, ...], columns: list[Column]) -> list[int]:
    """Return how many rows each group has after equal rows are written."""
    with parts.PartWriter(str(folder), "part", {table: columns}, writes_empty=False) as writer:
        for _ in range(ROWS):
            writer.add(table, row)
        files = writer.finish()
    assert writer.counts == {table: ROWS}
    return groups_in(folder / files[table])


def groups_in(path: Path) -> list[int]:
    metadata = pq.ParquetFile(path).metadata
    return [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]


def test_a_group_ends_with_the_row_that_exceeds_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_MAX_LIST_ITEMS", 4)

    assert groups_of(tmp_path, "graphs", (array("q", [1, 2]),), [NUMBERS]) == [3, 3, 2]


def test_a_group_has_at_most_so_many_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_MAX_CELLS", 7)

    assert groups_of(tmp_path, "modules", (1, 2), [NUMBER, NUMBER._replace(name="other")]) == [3, 3, 2]


def test_a_table_that_is_written_leaves_the_items_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_MAX_LIST_ITEMS", 4)
    monkeypatch.setattr(parts, "_MAX_CELLS", 6)
    columns = {"graphs": [NUMBERS], "modules": [NUMBER, NUMBER._replace(name="second"), NUMBER._replace(name="third")]}
    with parts.PartWriter(str(tmp_path), "part", columns, writes_empty=False) as writer:
        for _ in range(5):
            writer.add("modules", (1, 2, 3))
            writer.add("graphs", (array("q", [1, 2]),))
        files = writer.finish()
    assert groups_in(tmp_path / files["graphs"]) == [3, 2]
    assert groups_in(tmp_path / files["modules"]) == [2, 2, 1]
