"""Text that breaks a rule: the verifier reports it with LLVM's message."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.verifier import verify

from .snippets import Snippet, parameters


@pytest.mark.parametrize("snippet", parameters())
def test_messages_are_those_of_llvm(snippet: Snippet, tmp_path: Path) -> None:
    path = tmp_path / "a.ll"
    path.write_text(snippet.text, encoding="utf-8")
    messages = [finding.message for finding in verify(bitcodec.open(path))]
    theirs = ask(["llvm-as-22", path, "-o", os.devnull], text=True).stderr.splitlines()
    assert snippet.message in messages
    assert snippet.message in theirs
    assert [message for message in messages if message not in theirs] == []


def test_there_are_many() -> None:
    assert len(parameters()) > 400
