"""Text and bitcode of one module, both written by one old LLVM: the text is parsed to what the bitcode is read as."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import bitcodec

GOLDENS = Path(__file__).parent / "goldens"
"""By the LLVM whose number is in the name: `NAME-N.ll.gz` is what it prints, `NAME-N.bc` what it makes of that."""

NAMES = sorted(path.stem for path in GOLDENS.glob("*.bc"))


def lines(module: bitcodec.Module) -> list[str]:
    """Return the text of a module without the lines that name its file."""
    return [line for line in str(module).splitlines() if not line.startswith(("; ModuleID", "source_filename"))]


@pytest.mark.parametrize("name", NAMES)
def test_text_is_parsed_to_what_bitcode_of_its_time_is_read_as(name: str) -> None:
    text = gzip.decompress((GOLDENS / f"{name}.ll.gz").read_bytes())
    module = bitcodec.parse_assembly(text, dialect=int(name.rpartition("-")[2]))
    assert lines(module) == lines(bitcodec.open(GOLDENS / f"{name}.bc"))
