"""SQL over tables, and which tables and columns a query needs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitcodec import corpus
from bitcodec.corpus.querying import named_in
from bitcodec.errors import BitcodecError

from .sample import HELLO, QUEUE


@pytest.mark.parametrize(
    ("sql", "tables", "columns"),
    [
        ("SELECT count(*) FROM functions", ["functions"], ["functions.module"]),
        ("select NAME from Functions", ["functions"], ["functions.module", "functions.name"]),
        ("SELECT * FROM modules", ["modules"], []),
        ("SELECT '*, calls' FROM flags", ["flags"], ["flags.module"]),
        ("SELECT 1", [], []),
        (
            "SELECT m.file, c.line FROM calls AS c JOIN modules AS m USING (module)",
            ["modules", "calls"],
            ["modules.module", "calls.module", "modules.module", "modules.file", "calls.module", "calls.line"],
        ),
    ],
)
def test_what_a_query_needs(sql: str, tables: list[str], columns: list[str]) -> None:
    found = named_in(sql)
    assert (found[0], set(found[1])) == (tables, set(columns))


def test_answers(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    folder = tmp_path / "it's a folder"
    with pytest.raises(BitcodecError, match="no complete tables"):
        corpus.query("SELECT 1", folder)
    corpus.write_tables([str(HELLO), str(QUEUE)], folder, tables=["functions", "graphs"])
    answer = corpus.query("SELECT name, instructions FROM functions WHERE line = 5", folder)
    assert answer == (["name", "instructions"], [("main", 13)])
    assert corpus.query("SELECT len(opcodes) FROM graphs LIMIT 1", folder).rows == [(13,)]
    for wrong, message in (
        ("SELECT nonsense FROM functions", r"Binder Error: .*nonsense.* \(functions has module, .*bytes.*\)$"),
        ("SELECT", r"DuckDB: Parser Error: .*[^)]$"),
        ("SELECT name FROM calls", r"Catalog Error: .*calls.* \(the folder has .*functions, graphs.*\)$"),
        ("SELECT name FROM moduls", r"Catalog Error: .*moduls.* \(the tables are files, modules, .*\)$"),
    ):
        with pytest.raises(BitcodecError, match=message):
            corpus.query(wrong, folder)
