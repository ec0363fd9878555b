"""All findings of broken modules are printed as LLVM 22.1.8 prints them, recorded; and as the LLVM at hand does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcodec.asm.finding_text import FindingPrinter
from bitcodec.verifier import verify

from .recording import ADDRESS, printed_by_llvm, recorded

if TYPE_CHECKING:
    from .snippets import Snippet

RECORDED = recorded()
LIVE = RECORDED[::12]
"""Snippets that the real llvm-as is given too: one of each dozen."""


def is_as(found: str, expected: str) -> bool:
    """Return whether a text is the expected one; a node has a number where LLVM prints an address."""
    return re.fullmatch(re.escape(expected).replace(re.escape(ADDRESS), r"!\d+"), found) is not None


def printed(snippet: Snippet) -> str:
    """Return the text of all findings."""
    module = bitcodec.parse_assembly(snippet.text, dialect=22)
    return "".join(FindingPrinter(module).texts_of(verify(module)))


@pytest.mark.parametrize(("snippet", "expected"), [pytest.param(*rest, id=name) for name, *rest in RECORDED])
def test_findings_are_printed_as_recorded(snippet: Snippet, expected: str | None) -> None:
    assert expected is not None, "new snippet: run `python -m tests.verifier.recording`"
    found = printed(snippet)
    assert found == expected or is_as(found, expected)


@pytest.mark.parametrize("snippet", [pytest.param(snippet, id=name) for name, snippet, _ in LIVE])
def test_findings_are_printed_as_llvm_prints_them(snippet: Snippet) -> None:
    found, expected = printed(snippet), printed_by_llvm(snippet.text)
    assert found == expected or is_as(found, expected)


def test_there_are_many() -> None:
    assert len(RECORDED) > 600
