"""Phrases that read as if translated stay out of sources and pages; CONTRIBUTING.md lists them, with better words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROW = re.compile(r"^\| `([^`]+)` \| .+ \| (\d+) \|$", re.MULTILINE)
"""A row of the list: a regular expression, better words, and how many lines may still contain it."""


def rows() -> list[tuple[str, int]]:
    found = ROW.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    return [(expression.replace("\\|", "|"), int(most)) for expression, most in found]


def test_there_is_a_list() -> None:
    assert len(rows()) >= 6


@pytest.mark.parametrize(("expression", "most"), rows())
def test_phrases_do_not_come_back(expression: str, most: int) -> None:
    phrase = re.compile(rf"\b({expression})\b", re.IGNORECASE)
    files = [*sorted((ROOT / "src").rglob("*.py")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "README.md"]
    lines = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if phrase.search(line)
    ]
    assert len(lines) <= most, "\n".join(["rephrase:", *lines])
