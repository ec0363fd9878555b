"""The names of blocks and records are those that llvm-bcanalyzer prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from answers import ask
from bitcodec.bitcode.schema.blocks import RECORD_CODES, BlockId, NamedCode
from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitstream.names import Names
from bits import Bits

ALL_CODES = range(1, 90)
ENUMERATIONS: list[type[NamedCode]] = [BlockId, *RECORD_CODES.values()]


@pytest.mark.parametrize("codes", ENUMERATIONS, ids=lambda codes: codes.__name__)
def test_no_number_is_given_twice(codes: type[NamedCode]) -> None:
    assert [member.name for member in codes] == list(codes.__members__)


def test_some_names_as_the_language_reference_has_them() -> None:
    names = Names(LLVM_IR_NAMES)
    assert [names.block(number) for number in (0, 8, 12, 14, 17, 23)] == [
        "BLOCKINFO_BLOCK",
        "MODULE_BLOCK",
        "FUNCTION_BLOCK",
        "VALUE_SYMTAB",
        "TYPE_BLOCK_ID",
        "STRTAB_BLOCK",
    ]
    assert names.record(8, 2) == "TRIPLE"
    assert names.record(12, 34) == "INST_CALL"
    assert names.record(17, 7) == "INTEGER"
    assert names.record(15, 35) == "STRINGS"
    assert names.record(0, 1) == "SETBID"


@pytest.mark.parametrize("number", [1, 7, 26, 27, 1000])
def test_other_blocks_have_no_name(number: int) -> None:
    names = Names(LLVM_IR_NAMES)
    assert names.block(number) is None
    assert names.describe_block(number) == f"UnknownBlock{number}"
    assert names.describe_record(number, 3) == "UnknownCode3"


@pytest.mark.parametrize("block_id", range(8, 30))
def test_every_name(block_id: int, tmp_path: Path) -> None:
    bits = Bits().enter_block(block_id)
    for code in ALL_CODES:
        bits.unabbreviated(code, [1])
    (tmp_path / "all.bc").write_bytes(bits.end_block().stream())
    done = ask(["llvm-bcanalyzer-22", "--dump", tmp_path / "all.bc"], text=True, check=True)
    opening, *records = re.findall(r"^ *<([^/ >]+)", done.stdout, re.MULTILINE)
    names = Names(LLVM_IR_NAMES)
    assert names.describe_block(block_id) == opening
    assert [names.describe_record(block_id, code) for code in ALL_CODES] == records
