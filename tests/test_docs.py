"""The README and the pages in `docs` say what is so: their sessions are run, and their links lead somewhere."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

from cli.sessions import answer_or_run, run_session

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
SESSION = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)\)")
JQ = re.compile(r"(?:^|\| )jq ")
EXTRAS = {
    "llvmlite": re.compile(r"^>>> (?:import|from) llvmlite", re.MULTILINE),
    "duckdb": re.compile(r"^>>> .*corpus\.query\(", re.MULTILINE),
    "numpy": re.compile(r"^>>> import numpy", re.MULTILINE),
    "pyarrow": re.compile(r"^>>> .*corpus\.(?:query|to_arrow|write_tables)\(", re.MULTILINE),
}
"""Extras that a page's Python sessions need."""
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
ODD_PHRASES = re.compile(
    r"\b(tells?|told|ask(?:s|ed|ing)? for|all that|none of|anew|stands? in|as good as none)\b", re.IGNORECASE
)
"""Phrases that read as if translated."""
CODE_GENERATOR = re.compile(r"bitcodec pcsections (compile|map) ")


def pages() -> list[pytest.param]:
    """Return all pages; one whose Python sessions need an extra that is missing is skipped."""
    return [pytest.param(page, id=page.name, marks=page_skips(page.read_text(encoding="utf-8"))) for page in PAGES]


def page_skips(text: str) -> list[pytest.MarkDecorator]:
    missing = [name for name, use in EXTRAS.items() if use.search(text) and importlib.util.find_spec(name) is None]
    return [pytest.mark.skip(reason=f"{name} is not installed") for name in missing]


def skips(command: str) -> list[pytest.MarkDecorator]:
    """Return the reasons why a session cannot be run here: tools that are missing."""
    missing = ["jq"] if JQ.search(command) and shutil.which("jq") is None else []
    if CODE_GENERATOR.search(command) and importlib.util.find_spec("llvmlite") is None:
        missing.append("llvmlite")
    if "bitcodec table " in command and importlib.util.find_spec("duckdb") is None:
        missing.append("duckdb")
    return [pytest.mark.skip(reason=f"{tool} is not installed") for tool in missing]


def sessions() -> list[pytest.param]:
    return [
        pytest.param(command, output, id=f"{page.name}: {command}", marks=skips(command))
        for page in PAGES
        for session in SESSION.findall(page.read_text(encoding="utf-8"))
        for command, output in COMMAND.findall(session)
    ]


@pytest.mark.parametrize("page", pages())
def test_python_sessions(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(subprocess, "run", answer_or_run)

    results = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)

    assert results.failed == 0


@pytest.mark.skipif(os.name == "nt", reason="the sessions are of a POSIX shell")
@pytest.mark.parametrize(("command", "output"), sessions())
def test_terminal_sessions(command: str, output: str) -> None:
    scripts = sysconfig.get_path("scripts")
    environment = {**os.environ, "PATH": os.pathsep.join([scripts, os.environ["PATH"]])}

    assert run_session(command, ROOT, environment).decode() == output


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links(page: Path) -> None:
    text = CODE_BLOCK.sub("", page.read_text(encoding="utf-8"))
    missing = [link for link in LINK.findall(text) if not (page.parent / link).exists()]

    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_are_in_plain_english(page: Path) -> None:
    text = CODE_BLOCK.sub("", page.read_text(encoding="utf-8"))

    assert ODD_PHRASES.findall(text) == []
