"""Starts of instructions, found by their lengths, against those that LLVM's disassembler finds."""

from __future__ import annotations

import re
from array import array
from itertools import accumulate

import pytest

from answers import ask
from bitcodec.containers.elf_file import ElfFile
from bitcodec.pcsections import FunctionSymbols
from bitcodec.pcsections.machine_code.encodings import OPERANDS, Coding, Map, coding_of
from bitcodec.pcsections.machine_code.starts import misplaced, starts

from .sanitized import plain_object

TARGETS = [
    "x86_64-linux-gnu -O0",
    "x86_64-linux-gnu -O3 -mavx512f -mavx512bw -mfma",
    "x86_64-linux-gnu -O2 -mapx-features=egpr,ndd,ccmp,nf,zu,ppx",
    "x86_64-linux-gnu -O2 -mxop -mtbm",
    "i386-linux-gnu -O2",
    "i386-linux-gnu -O3 -mavx2",
    "aarch64-linux-gnu -O2",
    "riscv64-linux-gnu -O2 -march=rv64gcv",
    "s390x-linux-gnu -O2",
    "loongarch64-linux-gnu -O2",
    "sparcv9-linux-gnu -O2",
]


@pytest.mark.parametrize("target", TARGETS)
def test_instructions_begin_where_the_disassembler_says(target: str) -> None:
    code = plain_object("clang-22", ["-ffunction-sections", *f"--target={target}".split()])
    file = ElfFile(code.data)
    count = 0
    for index, functions in FunctionSymbols(file).columns.items():
        section = file.sections[index or 0]
        for start, end in zip(functions.starts, functions.ends, strict=True):
            found = starts(file.content(section), start, end, coding_of(file.header), file.header.byte_order == "big")
            expected = sorted(place for place in code.starts[section.name] if start <= place < end)
            assert set(found) <= set(expected)
            assert found == [place for place in expected if place in set(found)]
            # A prefix has a line of its own in the disassembler's text, and the instruction behind it another one.
            assert set(expected) - set(found) <= {place + 1 for place in found}
            count += len(found)
    assert count > 50


def test_places_within_instructions_are_found() -> None:
    code = bytes.fromhex("f0013d5d250000 c3 48b80102030405060708 90")
    column = array("Q", range(len(code)))
    wrong = misplaced(code, 0, len(code), column, Coding.X86_64, False)
    assert [row for row, is_wrong in enumerate(wrong) if not is_wrong] == [0, 7, 8, 18]


def test_a_number_follows_test_but_not_its_neighbors() -> None:
    """`test` and `not` have one opcode for bytes, and another for all other sizes."""
    code = bytes.fromhex("f6c101 f7c101000000 66f7c10100 f6d1 f7d1 f64408107f c3")
    command = ["llvm-mc-22", "--disassemble", "--triple=x86_64", "--show-encoding"]
    text = ask(command, input=" ".join(map(hex, code)), text=True, check=True).stdout
    encodings = [bytes.fromhex(re.sub("0x|,", "", each)) for each in re.findall(r"\[([^]]+)\]", text)]
    assert b"".join(encodings) == code
    expected = [0, *accumulate(map(len, encodings[:-1]))]
    assert list(starts(code, 0, len(code), Coding.X86_64, False)) == expected


@pytest.mark.parametrize("coding", list(Coding))
@pytest.mark.parametrize("is_big", [False, True])
def test_code_that_ends_anywhere_is_no_error(coding: Coding, is_big: bool) -> None:
    for first in range(256):
        for size in range(1, 9):
            code = bytes([first, *range(37, 37 + size - 1)])
            found = starts(code, 0, len(code) + 40, coding, is_big)
            assert found[:1] in ([], [0])
            assert all(place < len(code) for place in found)


def test_the_table_has_a_row_for_each_opcode() -> None:
    assert len(OPERANDS) == 256 * len(Map)
