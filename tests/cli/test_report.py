"""`report`: the page, the document, growth and its limits, exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from report.files import DATA, HELLO, HOSTILE, QUEUE, TAGGED, bytes_of

from .documents import document
from .running import fail, run, succeed


def test_a_page_is_written(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    assert succeed("report", QUEUE, "-o", path) == b""
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert succeed("report", QUEUE, "-o", "-") == path.read_bytes()
    assert succeed("report", "-", "-o", "-", stdin=QUEUE.read_bytes()).startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize("files", [[QUEUE], [HELLO, TAGGED], [DATA / "lib-gnu.a"], [DATA / "embed-elf-22.o", QUEUE]])
def test_sizes_of_the_document_add_up(files: list[Path]) -> None:
    found = document(succeed("report", "--json", *files))

    assert found["bytes"] == sum(path.stat().st_size for path in files)
    assert sum(row["bits"] for row in found["sizes"]) == found["bytes"] * 8
    assert [row["file"] for row in found["files"]] == [str(path) for path in files]


def test_names_are_demangled_on_request(tmp_path: Path) -> None:
    pytest.importorskip("pycxxfilt")
    path = tmp_path / "a.bc"
    path.write_bytes(bytes_of("_ZN5queue4pushEi", "main"))
    plain, demangled = (document(succeed("report", "--json", *option, path)) for option in ([], ["-C"]))

    assert "demangled" not in plain["functions"][0]
    assert [row["demangled"] for row in demangled["functions"]] == ["queue::push(int)", None]
    assert "queue::push(int)" in succeed("report", path, "-o", "-").decode()


def test_growth_is_printed(tmp_path: Path) -> None:
    old, new = tmp_path / "old.bc", tmp_path / "new.bc"
    old.write_bytes(bytes_of("same", "gone"))
    new.write_bytes(bytes_of("same", "_Z3newv", "third"))
    text = succeed("report", "--compare", old, new).decode()
    sizes = [path.stat().st_size for path in (old, new)]
    change = sizes[1] - sizes[0]

    assert text.splitlines()[0] == f"{sizes[0]:,} -> {sizes[1]:,} bytes: {change:+,} ({change * 100 / sizes[0]:+.2f}%)"
    assert "  _Z3newv (new)\n" in text
    assert "  gone (gone)\n" in text
    assert "same" not in text


def test_the_same_files_have_not_grown() -> None:
    size = QUEUE.stat().st_size
    assert succeed("report", "--compare", QUEUE, QUEUE, "--fail-over", "0%") == (
        f"{size:,} -> {size:,} bytes: 0 (+0.00%)\n".encode()
    )


@pytest.mark.parametrize(
    ("limit", "code"), [("1000%", 0), ("75%", 1), ("0%", 1), ("2.5%", 1), ("100000", 0), ("100", 1), ("0", 1)]
)
def test_limits(limit: str, code: int, tmp_path: Path) -> None:
    for output in ([], ["--json"], ["-o", str(tmp_path / "growth.html")]):
        result = run("report", "--compare", HELLO, QUEUE, "--fail-over", limit, *output)
        assert (result.exit_code, result.stderr) == (code, "")
    assert run("report", "--compare", QUEUE, HELLO, "--fail-over", limit).exit_code == 0


def test_several_files_on_both_sides() -> None:
    found = document(succeed("report", "--json", "--compare", HELLO, "--compare", QUEUE, QUEUE, HELLO))

    assert found["comparison"]["old_bytes"] == found["comparison"]["new_bytes"]
    assert found["comparison"]["functions"] == []


def test_a_document_is_an_older_build(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_bytes(succeed("report", "--json", HELLO, QUEUE))
    files = ["--compare", HELLO, "--compare", QUEUE]

    assert succeed("report", "--compare", path, TAGGED) == succeed("report", *files, TAGGED)
    assert succeed("report", "--compare", path, HELLO, QUEUE, "--fail-over", "0%").count(b"\n") == 1
    path.write_bytes(succeed("report", "--json", HELLO))
    assert succeed("report", "--compare", path, "--compare", QUEUE, TAGGED) == succeed("report", *files, TAGGED)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "{}",
        '{"schema": "bitcodec/info/1"}',
        '{"schema": "bitcodec/report/1"}',
        '{"schema": "bitcodec/report/1", "bytes": "x", "functions": [], "sizes": []}',
        '{"schema": "bitcodec/report/1", "bytes": 1, "functions": [{"name": [], "bits": 1}], "sizes": []}',
        '{"schema": "bitcodec/report/1", "bytes": 1, "functions": [], "sizes": [{"path": [1], "bits": 1}]}',
        '{"schema": "bitcodec/report/1", "bytes": 1, "functions": [{"name": 1, "bits": 1}], "sizes": []}',
        '{"schema": "bitcodec/report/1", "bytes": Infinity, "functions": [], "sizes": []}',
        '{"a":' * 100_000,
        "{\xff",
    ],
)
def test_malformed_documents(text: str, tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_bytes(text.encode("latin-1"))
    assert fail("report", "--compare", path, HELLO, code=2).startswith(f"bitcodec: error: {path}: ")


def test_a_page_of_a_comparison(tmp_path: Path) -> None:
    path = tmp_path / "growth.html"
    succeed("report", "--compare", HELLO, QUEUE, "-o", path)
    assert '"comparison":{' in path.read_text(encoding="utf-8")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing, cut, page = tmp_path / "missing", tmp_path / "cut.bc", tmp_path / "report.html"
    cut.write_bytes(QUEUE.read_bytes()[:4000])

    assert fail("report", missing, "-o", page) == f"bitcodec: error: {missing}: No such file or directory\n"
    assert not page.exists()
    assert fail("report", HELLO, cut, "-o", page).startswith(f"bitcodec: error: {cut}: ")
    assert page.exists()
    assert fail("report", "--compare", missing, QUEUE, code=2)
    assert fail("report", "--compare", QUEUE, missing, "--fail-over", "2%", code=2)
    assert document(run("report", "--json", cut, HELLO).stdout)["files"][0]["errors"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "specify the output: -o FILE for a page, or --json"),
        (["--json", "-o", "x"], "--json prints a document, -o writes a page; use one of them"),
        (["--json", "--fail-over", "2%"], "--fail-over needs an older build: --compare FILE"),
        (["--compare", str(QUEUE), "--fail-over", "2"], None),
        (
            ["--compare", str(QUEUE), "--fail-over", "two"],
            "--fail-over: expected a percentage such as 2% or a number of",
        ),
        (["--compare", str(QUEUE), "--fail-over", "-2%"], None),
    ],
)
def test_wrong_usage(arguments: list[str], message: str | None) -> None:
    result = run("report", QUEUE, *arguments)
    if message is not None:
        assert result.exit_code == 2
        assert message in result.stderr


def test_names_from_files_are_printed_safely(tmp_path: Path) -> None:
    path = tmp_path / "hostile.bc"
    path.write_bytes(bytes_of(*HOSTILE))
    text = succeed("report", "--compare", HELLO, path).decode()

    assert all(line.isprintable() for line in text.splitlines())
    document(succeed("report", "--json", path))
