"""Texts that become bitcode and text again, as LLVM 22 does it: what it printed is in the folder `roundtrips`."""

from __future__ import annotations

from pathlib import Path

import pytest

from answers import ask
from bitcode.writer.test_parsed_records import content
from bitcodec.bitcode.assembling import assemble
from bitcodec.bitstream import loads as loads_stream

from .roundtrips.record import texts
from .text import printed

OTHER_RECORDS = {
    "amdgcn_csub": "a kind of metadata that the upgrade adds has its number before one that stripping adds",
}
"""Texts of which LLVM writes other records, and why."""


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.stem)
def test_text_is_that_of_llvm(path: Path) -> None:
    bitcode = assemble(path.read_bytes(), "<stdin>", 22)
    assert printed(bitcode, "<stdin>", preserve_use_list_order=True) == path.with_suffix(".txt").read_bytes()


@pytest.mark.parametrize("path", texts(), ids=lambda path: path.stem)
def test_records_are_those_of_llvm(path: Path) -> None:
    text = path.read_bytes()
    theirs = ask(["llvm-as-22", "-", "-o", "-"], input=text).stdout
    assert printed(theirs, "<stdin>", preserve_use_list_order=True) == path.with_suffix(".txt").read_bytes()
    ours, other = (
        [row for block in loads_stream(data).blocks for row in content(block, has_orders=True)]
        for data in (assemble(text, "<stdin>", 22), theirs)
    )
    assert (ours == other) is (path.stem not in OTHER_RECORDS)
