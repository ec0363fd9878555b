"""Texts that llvm-dis has printed: parsed and printed again they are the same."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest

import bitcodec
from corpus import FOLDER, needs_corpus

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 8_000
"""Of the compressed texts that are parsed here."""
REFUSED = ("verifier-non-integer-gep-index.ll.bc.ll.gz",)
"""llvm-as refuses these, too."""


def texts() -> list[Path]:
    found = sorted((FOLDER / "modules").glob("*.ll.gz")) + sorted((FOLDER / "legacy").glob("*.ll.gz"))
    return [path for path in found if path.stat().st_size < MAX_BYTES and path.name not in REFUSED]


def without_order(text: str) -> str:
    """Return text with predecessors in the order of their names: text without directives does not have their order."""
    return re.sub(r"; preds = (.*)", lambda match: ", ".join(sorted(match[1].split(", "))), text)


@needs_corpus
@pytest.mark.parametrize("part", range(8))
def test_printed_text_is_parsed_and_printed_again(part: int) -> None:
    for path in texts()[part::8]:
        text = gzip.decompress(path.read_bytes()).decode("utf-8", "surrogateescape")
        printed = str(bitcodec.parse_assembly(text)).partition("\n")[2]
        wanted = text.partition("\n")[2] if text.startswith("; ModuleID") else text
        assert without_order(printed) == without_order(wanted), path.name
