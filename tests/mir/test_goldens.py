"""What llc wrote is read and written again byte for byte: kept, and with every instruction written anew."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from bitcodec import mir

from .tools import GOLDENS, ROOT


def text_of(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_what_was_read_is_written(golden: Path) -> None:
    text = text_of(golden)
    module = mir.loads(text)
    count = sum(1 for function in module.functions for _ in function.instructions)

    assert count > 50
    assert module.dumps().encode() == text


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_what_is_written_anew_is_what_llc_wrote(golden: Path) -> None:
    text = text_of(golden)

    assert mir.loads(text).dumps(reprint=True).encode() == text


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_line_breaks_of_windows_stay(golden: Path) -> None:
    text = text_of(golden).replace(b"\n", b"\r\n")
    module = mir.loads(text)

    assert module.dumps(reprint=True).encode() == text
    assert module.dumps().encode() == text


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda path: path.name)
def test_a_copy_of_every_instruction_says_the_same(golden: Path) -> None:
    module = mir.loads(text_of(golden))

    for function in module.functions:
        for instruction in function.instructions:
            copy = instruction.copy()
            copy.suffixes = instruction.suffixes
            assert str(copy) == str(instruction)
            assert copy.said() == instruction.said()


def test_the_example_is_what_llc_writes() -> None:
    path = ROOT / "examples" / "atomics.mir"

    assert mir.open(path).dumps(reprint=True) == path.read_text(encoding="utf-8")


def test_a_file_is_saved(tmp_path: Path) -> None:
    path = ROOT / "examples" / "atomics.mir"
    mir.save(mir.open(path), tmp_path / "saved.mir")

    assert (tmp_path / "saved.mir").read_bytes() == path.read_bytes()
