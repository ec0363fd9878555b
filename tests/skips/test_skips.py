"""Skips that the list does not name make a run fail, those of whole files and of workers too."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .__main__ import unused
from .lines import LISTED, Line, Skip, parse_lines, unlisted

TESTS = Path(__file__).parents[1]
SAMPLE = """
import pytest

@pytest.mark.skip(reason="it takes a folder")
def test_listed(): pass

@pytest.mark.skip(reason="a reason of its own")
def test_unlisted(): pass

@pytest.mark.xfail(reason="it fails")
def test_expected_failure(): assert False

def test_that_runs(): pass
"""
RUNS = {"compiled", "interpreted", "style", "pages", "user", "no-shared", "*"}


def test_lines_name_runs_that_exist() -> None:
    lines = parse_lines(LISTED.read_text(encoding="utf-8"))

    assert {name for line in lines for name in line.runs} == RUNS
    assert len({line[:3] for line in lines}) == len(lines)


def test_a_line_holds_for_its_runs_tests_and_reasons() -> None:
    lines = parse_lines("# comment\n\na user | cli/* | no * here | because\n* | ir/test_x.py::* | never | because\n")
    listed, other, always = (
        Skip("cli/t.py::x", "no jq here"),
        Skip("ir/t.py", "no jq here"),
        Skip("ir/test_x.py::y", "never"),
    )

    assert unlisted([listed, other, always], lines, ["a"]) == [other]
    assert unlisted([listed, other, always], lines, ["b"]) == [listed, other]


def test_a_line_without_its_parts_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"listed.txt:2: expected RUNS \| TESTS \| REASON \| CAUSE, got 'user \| \* \| x'"
    ):
        parse_lines("# comment\nuser | * | x\n")


@pytest.mark.parametrize("workers", ["0", "1"])
def test_runs(workers: str, tmp_path: Path) -> None:
    (tmp_path / "tests/cli").mkdir(parents=True)
    (tmp_path / "tests/cli/test_paths.py").write_text(SAMPLE)
    (tmp_path / "tests/test_file.py").write_text("import pytest\npytest.importorskip('no_such_module')\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "skips.plugin", "-n", workers, "tests"]
    environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_ADDOPTS": ""}
    options = ["--listed-skips=compiled", "--write-skips=skips.json"]

    runs = {
        code: subprocess.run(
            [*command, *more], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        for code, more in [(0, []), (1, options)][int(workers) :]
    }

    for code, run in runs.items():
        assert run.returncode == code, run.stdout + run.stderr
        assert [line for line in run.stdout.splitlines() if line.startswith("UNLISTED")] == [
            "UNLISTED cli/test_paths.py::test_unlisted: a reason of its own",
            "UNLISTED test_file.py: could not import 'no_such_module': No module named 'no_such_module'",
        ]
    lines = [
        line._replace(runs=frozenset(["compiled"]))
        for line in parse_lines("x | cli/* | it takes* | y\nx | ir/* | z | y")
    ]
    elsewhere = Line(frozenset(["interpreted"]), "ir/*", "z", "y")
    assert unused([*lines, elsewhere], [tmp_path / "skips.json"]) == lines[1:]
