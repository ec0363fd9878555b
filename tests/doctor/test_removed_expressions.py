"""Initializers with constant expressions that newer versions of LLVM no longer have."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode
from bitcodec.errors import BitcodecError
from bitcodec.tables.opcodes import BINARY_OPCODES
from bitcodec.tables.removed_expressions import REMOVED_EXPRESSIONS

from .readers import ask, available
from .test_diagnosing import changed, only

_BINARY = [
    opcode for row in BINARY_OPCODES if row is not None and (opcode := row.integer) and opcode in REMOVED_EXPRESSIONS
]
_TEXT = """
@place = global i32 0
@sum = global i64 add (i64 ptrtoint (ptr @place to i64), i64 123456789)
"""
_MESSAGE = "Value referenced by initializer is an unsupported constant expression of type "


def _with_operation(opcode: str) -> bytes:
    """Return a module whose initializer is another operation on the same operands."""
    number = next(index for index, row in enumerate(BINARY_OPCODES) if row is not None and row.integer == opcode)
    data = bitcodec.dumps(bitcodec.parse_assembly(_TEXT))
    (record,) = [
        record
        for module in bitcodec.bitstream.loads(data).blocks
        for block in module.blocks
        if block.id == BlockId.CONSTANTS_BLOCK
        for record in block.records
        if record.code == ConstantsCode.CE_BINOP
    ]
    return changed(data, BlockId.CONSTANTS_BLOCK, ConstantsCode.CE_BINOP, (number, *record.operands[1:3]))


@pytest.mark.parametrize("opcode", _BINARY)
def test_versions_that_have_the_operation_read_it(opcode: str, tmp_path: Path) -> None:
    data, first_without = _with_operation(opcode), REMOVED_EXPRESSIONS[opcode]
    diagnosis = only(data)
    messages = {verdict.version: verdict.message for verdict in diagnosis.verdicts if verdict.version >= 15}
    assert messages == {version: _MESSAGE + opcode if version >= first_without else "" for version in messages}
    assert diagnosis.damage is None
    (tmp_path / "operation.bc").write_bytes(data)
    for version in set(available()) & set(messages):
        assert ask(version, tmp_path / "operation.bc").message == messages[version]


def test_advice_names_the_versions_that_read_it() -> None:
    newest = only(_with_operation("shl")).verdicts[-1]
    assert newest.advice == ("use LLVM 15 to 18, or compile it again with a newer compiler",)


def test_the_reader_names_the_operation() -> None:
    module = bitcodec.loads(_with_operation("mul"))
    with pytest.raises(BitcodecError, match="the initializer contains constant expressions that LLVM 22 lacks: mul"):
        module.materialize()
