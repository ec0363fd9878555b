"""Location expressions: one that begins with a register is valid for LLVM, whatever follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.fuzzing.records import PlainRecord
from tests.fuzzing.targets import module_with_metadata

import bitcodec
from answers import ask
from bitcodec.ir import DIExpression

REGISTER = 0x50
LONGEST = 4
"""Arguments behind an operator: as many as any takes, and more."""


@pytest.mark.parametrize(
    ("elements", "text"),
    [
        ((REGISTER, 0x03), "DW_OP_reg0, DW_OP_addr"),
        ((REGISTER, 0x31), "DW_OP_reg0, DW_OP_lit1"),
        ((REGISTER, 0x1001, 7), "DW_OP_reg0, DW_OP_LLVM_convert, 7"),
        ((REGISTER, 0x1001), "DW_OP_reg0, DW_OP_LLVM_convert"),
    ],
)
def test_what_follows_a_register(elements: tuple[int, ...], text: str) -> None:
    assert str(DIExpression(elements)) == f"!DIExpression({text})"


def test_every_operator_behind_a_register_is_as_in_llvm(tmp_path: Path) -> None:
    codes = [*range(256), *range(0x1000, 0x1010)]
    records = [PlainRecord(29, (3 << 1, REGISTER, code, *[7] * LONGEST)) for code in codes]
    path = tmp_path / "expressions.bc"
    path.write_bytes(module_with_metadata(records))
    printed = ask(["llvm-dis-22", path, "-o", "-"], text=True, check=True).stdout
    expected = [line for line in printed.splitlines() if "!DIExpression" in line]
    assert expected == [line for line in str(bitcodec.open(path)).splitlines() if "!DIExpression" in line]
    assert expected[0].count("!DIExpression") == len(codes)
