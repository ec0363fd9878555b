"""Text that breaks a rule: the verifier reports it with LLVM's message."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from asm.text import assembled
from bitcodec.verifier import verify
from cli.running import llvm_process

from .snippets import Snippet, parameters


@pytest.mark.parametrize("snippet", parameters())
def test_what_llvm_says(snippet: Snippet, tmp_path: Path) -> None:
    findings = verify(bitcodec.open(assembled(snippet.text, tmp_path)))
    said = llvm_process("llvm-as", tmp_path / "a.ll", "-o", tmp_path / "verified.bc").stderr.decode().splitlines()
    messages = [finding.message for finding in findings]
    assert snippet.message in messages
    assert snippet.message in said
    assert [message for message in messages if message not in said] == []
    assert all(snippet_line for snippet_line in map(str, findings))


@pytest.mark.parametrize("snippet", parameters())
def test_recorded_message(snippet: Snippet, tmp_path: Path) -> None:
    path = tmp_path / "a.ll"
    path.write_text(snippet.text, encoding="utf-8")
    assert snippet.message in [finding.message for finding in verify(bitcodec.open(path))]


def test_there_are_many() -> None:
    assert len(parameters()) > 400
