"""Runs over many files: duplicates, files that cannot be read, limits, and what a kill leaves behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from amounts import some
from bitcodec import corpus
from bitcodec.corpus import Limits, run
from bitcodec.errors import BitcodecError
from bits import Bits
from containers.builders import gnu_archive

from .sample import DATA, HELLO, MODULES, QUEUE, files_in, manifest_of, rows_in

pytest.importorskip("pyarrow")

needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
needs_proc = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
PROGRAM = """
import sys
from bitcodec.corpus import run, write_tables
run._MAX_FILES, run._MAX_MODULES = 3, 2
write_tables(sys.argv[2:], sys.argv[1], jobs=1)
"""
TABLES = ["functions"]


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_MAX_FILES", 3)
    monkeypatch.setattr(run, "_MAX_MODULES", 2)


@pytest.mark.usefixtures("small_parts")
def test_tables_have_the_rows_of_each_file(tmp_path: Path) -> None:
    names = [str(path) for path in MODULES]
    progress: list[tuple[object, ...]] = []
    summary = corpus.write_tables(names, tmp_path, jobs=2, on_progress=lambda *step: progress.append(step))

    assert (summary.files, summary.modules, summary.duplicates, summary.errors) == (10, 10, 0, 0)
    for table in corpus.TABLES:
        expected = [row for name in names for row in corpus.read_rows(table, name)]
        assert rows_in(tmp_path, table) == expected, table
        assert summary.rows[table] == len(expected)
    assert manifest_of(tmp_path)["tables"]["flags"]["rows"] == summary.rows["flags"]
    assert sorted({step[0] for step in progress}) == ["finding modules", "reading modules"]
    assert progress[-1][1:3] == progress[-1][3:]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*corpus.TABLES, "manifest.json"])


@pytest.mark.usefixtures("small_parts")
def test_the_number_of_processes_does_not_matter(tmp_path: Path) -> None:
    names = [str(path) for path in MODULES[:6]]
    for jobs in (1, 3):
        corpus.write_tables(names, tmp_path / str(jobs), jobs=jobs)
    assert files_in(tmp_path / "1") == files_in(tmp_path / "3")


def test_folders_archives_and_duplicates(tmp_path: Path) -> None:
    build = tmp_path / "build"
    (build / "inner").mkdir(parents=True)
    shutil.copy(HELLO, build / "b.bc")
    shutil.copy(HELLO, build / "inner/copy.bc")
    (build / "lib.a").write_bytes(gnu_archive(("m.o", QUEUE.read_bytes()), ("n.o", HELLO.read_bytes())))
    (build / "notes.txt").write_text("nothing", "utf-8")
    (build / "empty").touch()
    shutil.copy(DATA / "multi-cat-22.bc", build / "inner")

    output = build / "tables"
    summary = corpus.write_tables([str(build), str(tmp_path / "build/*.bc")], output, tables=TABLES)

    assert (summary.files, summary.passed_over, summary.duplicates, summary.errors) == (4, 2, 2, 0)
    places = [(row["file"].removeprefix(f"{build}/"), row["member"], row["number"]) for row in rows_in(output, "files")]
    assert places == [
        ("b.bc", "", 1),
        ("lib.a", "m.o", 1),
        ("lib.a", "n.o", 1),
        ("inner/copy.bc", "", 1),
        ("inner/multi-cat-22.bc", "", 1),
        ("inner/multi-cat-22.bc", "", 2),
    ]
    keys = [row["module"] for row in rows_in(output, "files")]
    assert keys[0] == keys[2] == keys[3]
    assert keys[5] == f"{keys[4]}#2"
    assert len({row["module"] for row in rows_in(output, "functions")}) == summary.modules == 4
    again = corpus.write_tables([str(build)], output, tables=TABLES, replace=True)
    assert again.modules == 4


def test_errors_are_rows(tmp_path: Path) -> None:
    hello = HELLO.read_bytes()
    (tmp_path / "cut.bc").write_bytes(hello[: len(hello) // 2])
    (tmp_path / "text").write_text("no bitcode", "utf-8")
    (tmp_path / "no module.bc").write_bytes(Bits().enter_block(9).end_block().stream())
    names = [str(tmp_path / name) for name in ("cut.bc", "missing", "text", "no module.bc")]
    summary = corpus.write_tables([*names, str(HELLO)], tmp_path / "out", tables=TABLES)

    rows = rows_in(tmp_path / "out", "errors")
    kinds = {Path(row["file"]).name: row["kind"] for row in rows}
    assert kinds["missing"] == "file"
    assert kinds["text"] == "no-bitcode"
    assert kinds["cut.bc"] == "malformed"
    assert summary.errors == len(rows)
    assert {row["name"] for row in rows_in(tmp_path / "out", "functions")} >= {"main", "printf"}


def test_what_is_malformed_is_null() -> None:
    path = DATA / "hostile"
    found = [file for file in sorted(path.rglob("*")) if file.is_file() and file.suffix == ".bc"]
    assert found
    for file in found:
        for table in corpus.TABLES:
            for row in corpus.read_rows(table, file):
                assert list(row) == [column.name for column in corpus.TABLES[table].columns]


def test_hostile_names(tmp_path: Path) -> None:
    names = ["a\nb.bc", "\x1b[31m.bc", "-o", "üñí.bc", os.fsdecode(b"\xff.bc"), "x'y\".bc", "*.bc", "a b.bc"]
    for name in names:
        (tmp_path / name).write_bytes(HELLO.read_bytes() + b"\0" * 4 * names.index(name))
    summary = corpus.write_tables([str(tmp_path)], tmp_path / "out", tables=["modules"])

    assert (summary.modules, summary.errors) == (len(names), 0)
    shown = {Path(row["file"]).name for row in rows_in(tmp_path / "out", "modules")}
    assert shown == {name.replace("\udcff", "\\xff") for name in names}


def test_a_folder_with_tables_is_not_touched(tmp_path: Path) -> None:
    corpus.write_tables([str(HELLO)], tmp_path, tables=TABLES)
    before = files_in(tmp_path)
    with pytest.raises(BitcodecError, match="already contains tables"):
        corpus.write_tables([str(QUEUE)], tmp_path, tables=TABLES)
    with pytest.raises(ValueError, match="unknown table"):
        corpus.write_tables([str(QUEUE)], tmp_path, tables=["nonsense"], replace=True)
    assert files_in(tmp_path) == before
    assert corpus.write_tables([str(HELLO)], tmp_path, resume=True).modules == 1
    with pytest.raises(BitcodecError, match="no run that can be resumed"):
        corpus.write_tables([str(HELLO)], tmp_path / "other", resume=True)


def test_other_files_of_the_folder_stay(tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine", "utf-8")
    for _ in range(2):
        corpus.write_tables([str(HELLO)], tmp_path, tables=TABLES, replace=True)
    assert (tmp_path / "notes").read_text("utf-8") == "mine"


@needs_pipes
@pytest.mark.parametrize("reason", some(["time", "crash", "memory"], 2))
def test_a_file_that_cannot_be_read_to_its_end_is_given_up(reason: str, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    if reason != "time" and not Path("/proc/self/statm").exists():
        pytest.skip("needs /proc")
    ended = threading.Event()

    def feed() -> None:
        with pipe.open("wb", buffering=0) as file:
            file.write(HELLO.read_bytes())
            try:
                while not ended.is_set():
                    file.write(bytes(1 << 20)) if reason == "memory" else time.sleep(0.05)
                    if reason == "crash":
                        kill_readers(pipe)
            except BrokenPipeError:
                pass

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    limits = Limits(seconds=1.0 if reason == "time" else 60.0, memory=96 << 20)
    summary = corpus.write_tables(
        [str(QUEUE), str(pipe), str(HELLO)], tmp_path / "out", tables=TABLES, jobs=1, limits=limits
    )
    ended.set()
    feeder.join()

    assert (summary.modules, summary.errors) == (2, 1)
    (row,) = rows_in(tmp_path / "out", "errors")
    assert (row["file"], row["kind"]) == (str(pipe), reason)
    assert {row["name"] for row in rows_in(tmp_path / "out", "functions")} >= {"main", "push"}


def kill_readers(pipe: Path) -> None:
    """Kill the workers that read a pipe."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            is_reader = any(os.path.realpath(link) == str(pipe) for link in (process / "fd").iterdir())
        except OSError:
            continue
        if b"bitcodec.corpus.worker" in command and is_reader:
            os.kill(int(process.name), signal.SIGKILL)


@needs_proc
@pytest.mark.usefixtures("small_parts")
@pytest.mark.parametrize("parts", some([2, 0], 1))
def test_a_killed_run_is_resumed(parts: int, tmp_path: Path) -> None:
    names = [str(path) for path in MODULES[:5]]
    corpus.write_tables(names, tmp_path / "whole", jobs=1)
    killed = tmp_path / "killed"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(killed), *names])
    while not (killed / "_run/plan.json").exists() or len([*killed.glob("_run/*-*.json")]) < parts:
        assert process.poll() is None
        time.sleep(0.002)
    process.kill()
    process.wait()

    if (killed / "_run/plan.json").exists():
        with pytest.raises(BitcodecError, match="other files"):
            corpus.write_tables([str(HELLO)], killed, resume=True)
    corpus.write_tables(
        names, killed, resume=(killed / "_run/plan.json").exists() or (killed / "manifest.json").exists()
    )
    assert files_in(killed) == files_in(tmp_path / "whole")
    assert manifest_of(killed) == manifest_of(tmp_path / "whole")
    assert not [path for path in killed.iterdir() if path.name.startswith(".")]


def test_a_file_that_changes_in_between(tmp_path: Path) -> None:
    path = tmp_path / "a.bc"
    path.write_bytes(HELLO.read_bytes())

    def change(title: str, done: int, *_: int) -> None:
        if title == "reading modules" and not done:
            path.write_bytes(QUEUE.read_bytes())

    summary = corpus.write_tables([str(path)], tmp_path / "out", tables=TABLES, on_progress=change)
    assert [row["kind"] for row in rows_in(tmp_path / "out", "errors")] == ["changed"]
    assert summary.rows["functions"] == 0
