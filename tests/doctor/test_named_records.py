"""Malformed records that LLVM 23 names, where LLVM 22 reports an invalid record."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, ModuleCode, UselistCode

from .readers import ask
from .test_diagnosing import changed, only

DATA = Path(__file__).parents[1] / "data"
ATOMICS, EXCEPTIONS, TYPES = "atomics-O2-22.bc", "exceptions-O2-19.bc", "ir_types-22.bc"
FUNCTION = BlockId.FUNCTION_BLOCK
CASES = [
    (ATOMICS, FUNCTION, FunctionCode.INST_LOADATOMIC, "load atomic"),
    (ATOMICS, FUNCTION, FunctionCode.INST_FENCE, "fence"),
    (ATOMICS, FUNCTION, FunctionCode.INST_SWITCH, "switch"),
    (EXCEPTIONS, FUNCTION, FunctionCode.INST_LANDINGPAD, "landingpad"),
    (EXCEPTIONS, FUNCTION, FunctionCode.INST_STORE, "store"),
    (TYPES, FUNCTION, FunctionCode.INST_CMP2, "comparison"),
    (TYPES, BlockId.MODULE_BLOCK, ModuleCode.GLOBALVAR, "global variable"),
    (TYPES, BlockId.USELIST_BLOCK, UselistCode.DEFAULT, "uselist"),
]


@pytest.mark.parametrize(("file", "block", "code", "name"), CASES, ids=[name for *_, name in CASES])
def test_records_that_are_too_short(file: str, block: BlockId, code: int, name: str, tmp_path: Path) -> None:
    data = changed((DATA / file).read_bytes(), block, code, (1,))
    expected = {22: "Invalid record", 23: f"Invalid {name} record"}
    assert {verdict.version: verdict.message for verdict in only(data, *expected).verdicts} == expected
    path = tmp_path / "short.bc"
    path.write_bytes(data)
    assert {version: ask(version, path).message for version in expected} == expected
