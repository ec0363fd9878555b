"""`table`: tables and answers, and what is wrong in one line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from .documents import document
from .running import fail, run, succeed

EXAMPLES = Path(__file__).parents[2] / "examples"
HELLO, QUEUE = EXAMPLES / "hello.bc", EXAMPLES / "queue.bc"

pytest.importorskip("pyarrow")


def test_tables_and_their_summary(tmp_path: Path) -> None:
    (tmp_path / "list").write_text(f"'{HELLO}' {QUEUE}\n", "utf-8")
    options = ("-o", tmp_path / "out", "--tables", "modules, functions", "--columns", "name")
    text = succeed("table", f"@{tmp_path / 'list'}", *options).decode()
    assert text.splitlines()[0] == "2 files; 2 modules, 0 duplicates; 0 errors"
    assert "functions                  8 rows\n" in text
    manifest = json.loads((tmp_path / "out/manifest.json").read_text("utf-8"))
    assert manifest["tables"]["functions"]["columns"] == ["module", "function", "name"]
    assert "already contains tables; --resume" in fail("table", HELLO, "-o", tmp_path / "out")
    found = document(succeed("table", HELLO, "-o", tmp_path / "out", "--force", "--json"))
    assert (found["modules"], found["output"]) == (1, str(tmp_path / "out"))
    assert {"name": "calls", "rows": 1} in found["tables"]
    assert document(succeed("table", HELLO, "-o", tmp_path / "out", "--resume", "--json")) == found


def test_answers(tmp_path: Path) -> None:
    pytest.importorskip("duckdb")
    sql = "SELECT name, section, instructions > 5 AS big FROM functions WHERE name < 'q' ORDER BY name"
    assert succeed("table", HELLO, "--sql", sql) == b"name\tsection\tbig\nmain\t\ttrue\nprintf\t\tfalse\n"
    succeed("table", HELLO, "-o", tmp_path / "out")
    assert succeed("table", tmp_path / "out", "--sql", sql).count(b"\n") == 3
    found = document(succeed("table", tmp_path / "out", "--json", "--sql", "SELECT opcodes, 1.5::DECIMAL FROM graphs"))
    assert [type(value) for value in found["rows"][0]] == [list, str]
    assert succeed("table", HELLO, "--sql", "SELECT chr(10) || chr(27) AS x") == b"x\n\\0A\\1B\n"
    assert fail("table", HELLO, "--sql", "SELECT nonsense FROM functions").startswith("bitcodec: error: DuckDB: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected either -o/--output or --sql"),
        (["-o", "{}", "--sql", "SELECT 1"], "expected either -o/--output or --sql"),
        (["-o", "{}", "--tables", "nonsense"], "unknown table 'nonsense'"),
        (["-o", "{}", "--columns", "nonsense"], "no selected table has a column 'nonsense'"),
        (["-o", "{}", "--jobs", "0"], "'--jobs'"),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, tmp_path: Path) -> None:
    result = run("table", HELLO, *(word.replace("{}", str(tmp_path / "out")) for word in arguments))
    assert result.exit_code == 2
    assert message in result.stderr
    assert not (tmp_path / "out").exists()
    assert "through Daft" in run("table", "s3://bucket/a.bc", "-o", tmp_path / "out").stderr
    assert "standard input" in run("table", "-", "-o", tmp_path / "out").stderr


def test_nothing_could_be_read(tmp_path: Path) -> None:
    result = run("table", tmp_path / "missing", "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert result.stderr.startswith("bitcodec: error: no module could be read; ")
    assert fail("table", HELLO, "-o", HELLO / "out").endswith("Not a directory\n")
    assert "no run that can be resumed" in fail("table", HELLO, "-o", tmp_path / "other", "--resume")


def test_missing_extras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    assert "pip install 'bitcodec[sql]'" in fail("table", HELLO, "--sql", "SELECT 1")
    monkeypatch.setattr("bitcodec.corpus.run.find_spec", lambda _: None)
    assert "pip install 'bitcodec[arrow]'" in fail("table", HELLO, "-o", tmp_path / "out")
