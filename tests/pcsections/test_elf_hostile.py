"""Malformed ELF files are refused with one clear line, in time.  `BITCODEC_MUTATIONS` asks for more of them."""

from __future__ import annotations

import os

import pytest

from .elf_mutations import check

COUNT = int(os.environ.get("BITCODEC_MUTATIONS", "800"))
PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_mutations(part: int) -> None:
    numbers = range(part, COUNT, PARTS)
    refused = sum(check(number) > 0 for number in numbers)
    # Some are refused, and some change what does not matter here.
    assert 0 < refused < len(numbers)
