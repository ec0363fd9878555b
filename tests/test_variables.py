"""CONTRIBUTING lists the variables that tests read, and the files outside the edit-test loop exist."""

from __future__ import annotations

import re
from pathlib import Path

import quick

TESTS = Path(__file__).parent
READ = re.compile(r"\b(BITCODEC_[A-Z]+(?:_[A-Z]+)*)\b")
LISTED = re.compile(r"^\| (`BITCODEC_.*?) \| ", re.MULTILINE)


def test_contributing_lists_the_variables_that_tests_read() -> None:
    read = {name for file in TESTS.rglob("*.py") for name in READ.findall(file.read_text(encoding="utf-8"))}
    text = (TESTS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = {name for row in LISTED.findall(text) for name in re.findall("BITCODEC_[A-Z_]+", row)}
    assert listed == read


def test_files_outside_the_loop_exist() -> None:
    assert [place for place in sorted(quick.SLOW) if not (TESTS / place).is_file()] == []
