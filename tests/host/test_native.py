"""Names that a compiled file reads from `native.pxd`, and an interpreted one from `native.py`, promise the same."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from bitcodec.asm.parser import lexer
from bitcodec.host import native

SOURCES = Path(__file__).parents[2] / "src/bitcodec/host"
IS_COMPILED = not str(lexer.__file__).endswith(".py")


def test_both_files_declare_the_same_names() -> None:
    text = (SOURCES / "native.pxd").read_text(encoding="utf-8")
    assert re.findall(r"^(?:    |cdef inline \w+ )(\w+)(?: = |\()", text, re.MULTILINE) == native.__all__


def test_containers_are_those_that_were_given() -> None:
    for container in ({}, defaultdict(int)):
        assert native.as_dict(container) is container
    numbers = [1]
    assert native.as_list(numbers) is numbers


def test_files_know_in_which_form_they_run() -> None:
    """An interpreted lexer needs a zero behind the text, which bytes have in C."""
    assert native.COMPILED is False, "the file itself is never compiled"
    assert lexer.Lexer(b"x").data == (b"x" if IS_COMPILED else b"x\0")
