"""Constants in metadata and in debug records get the types of the result: `types/linked.ll` is llvm-link 22's text."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.linker import Linker

FOLDER = Path(__file__).parent / "types"
INPUTS = [FOLDER / "first.ll", FOLDER / "second.ll"]


@pytest.mark.parametrize("reads_bodies", [True, False])
@pytest.mark.parametrize("is_text", [True, False])
def test_types_are_those_of_the_result(is_text: bool, reads_bodies: bool) -> None:
    linker = Linker(reads_bodies=reads_bodies)
    for path in INPUTS:
        module = bitcodec.parse_assembly(path.read_bytes(), name=path.name)
        linker.add(module if is_text else bitcodec.loads(bitcodec.dumps(module)), path.name)
    text = str(bitcodec.loads(bitcodec.dumps(linker.finish()), "llvm-link"))
    assert text.partition("\n")[2] == (FOLDER / "linked.ll").read_text()


def test_llvm_link_prints_that() -> None:
    printed = ask(["llvm-link-22", "-S", *INPUTS, "-o", "-"], text=True).stdout
    assert printed.partition("\n")[2] == (FOLDER / "linked.ll").read_text()
