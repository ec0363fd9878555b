"""Text that breaks a rule: all findings are printed as LLVM 22 prints them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.asm.finding_text import FindingPrinter
from bitcodec.verifier import verify

from .snippets import Snippet, all_snippets, snippets_of_files

_DROPPED = re.compile(r"^warning: ignoring ", re.MULTILINE)
_VERDICT = re.compile(r"^.*assembly parsed, but does not verify as correct!\n", re.MULTILINE)
_CRASH = "LLVM ERROR: Broken module found"
_ADDRESS = "<address>"
"""The answers have it where LLVM prints the address of a node without a number."""


def printed_by_llvm(text: str, folder: Path) -> str:
    """Return the findings that llvm-as prints for a text when it verifies it first."""
    path = folder / "a.ll"
    path.write_text(text, encoding="utf-8")
    printed: str = ask(["llvm-as-22", path, "-o", os.devnull], text=True).stderr
    # With debug information that is current, llvm-as ends with a stack trace.
    return _DROPPED.split(_VERDICT.sub("", printed.split(_CRASH, maxsplit=1)[0]))[0]


def is_as(found: str, expected: str) -> bool:
    """Return whether a text is the expected one; a node has a number where LLVM prints an address."""
    return re.fullmatch(re.escape(expected).replace(re.escape(_ADDRESS), r"!\d+"), found) is not None


def difference(snippet: Snippet, folder: Path) -> str:
    """Return how the findings in a snippet differ from those that LLVM prints, "" if they do not."""
    module = bitcodec.parse_assembly(snippet.text, dialect=22)
    findings = verify(module)
    found, expected = "".join(FindingPrinter(module).texts_of(findings)), printed_by_llvm(snippet.text, folder)
    if found != expected and not is_as(found, expected):
        return f"expected:\n{expected}found:\n{found}"
    return "" if snippet.message in [finding.message for finding in findings] else f"not found: {snippet.message}"


@pytest.mark.parametrize("name", snippets_of_files())
def test_findings_are_printed_as_llvm_prints_them(name: str, tmp_path: Path) -> None:
    differences = {number: difference(each, tmp_path) for number, each in enumerate(snippets_of_files()[name])}
    assert {number: text for number, text in differences.items() if text} == {}


def test_there_are_many() -> None:
    assert len(all_snippets()) > 700
