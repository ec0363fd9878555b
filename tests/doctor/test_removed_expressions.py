"""Initializers and cases with constant expressions that newer versions of LLVM no longer compute."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, FunctionCode
from bitcodec.errors import BitcodecError
from bitcodec.ir.instructions import Switch
from bitcodec.tables.opcodes import BINARY_OPCODES
from bitcodec.tables.removed_expressions import REMOVED_EXPRESSIONS
from corpus import FOLDER

from .readers import READERS, ask
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
    for version in set(READERS) & set(messages):
        assert ask(version, tmp_path / "operation.bc").message == messages[version]


def test_llvm_21_is_the_first_without_mul() -> None:
    """LLVM 19 and 20 print the initializer, LLVM 21 and 22 refuse it."""
    messages = [only(_with_operation("mul"), version).verdicts[0].message for version in (19, 20, 21, 22)]
    assert messages == ["", "", _MESSAGE + "mul", _MESSAGE + "mul"]


def test_advice_names_the_versions_that_read_it() -> None:
    newest = only(_with_operation("shl")).verdicts[-1]
    assert newest.advice == ("use LLVM 15 to 18, or compile it again with a newer compiler",)


def test_the_reader_names_the_operation() -> None:
    module = bitcodec.loads(_with_operation("mul"))
    with pytest.raises(BitcodecError, match="the initializer contains constant expressions that LLVM 22 lacks: mul"):
        module.materialize()


_SWITCH = """
define i{0} @f(i{0} %x) {{
entry:
  switch i{0} %x, label %no [ i{0} 1024, label %yes ]
yes:
  ret i{0} ptrtoint (ptr inttoptr (i{1} 77 to ptr) to i{0})
no:
  ret i{0} 1
}}
"""


def _with_computed_case(width: int, source: int) -> bytes:
    """Return a module with a switch whose case is the constant that a block returns."""
    data = bitcodec.dumps(bitcodec.parse_assembly(_SWITCH.format(width, source)))
    blocks = [block for module in bitcodec.bitstream.loads(data).blocks for block in module.blocks]
    inside = [block for function in blocks for block in function.blocks if function.id == BlockId.FUNCTION_BLOCK]
    (constants,) = [block for block in inside if block.id == BlockId.CONSTANTS_BLOCK]
    made = [record for record in constants.records if record.code != ConstantsCode.SETTYPE]
    casts = [record.code == ConstantsCode.CE_CAST and record.operands[0] == _PTRTOINT for record in made]
    number_of_case = _FIRST_CONSTANT + casts.index(True)
    (switch,) = [
        record
        for block in blocks
        if block.id == BlockId.FUNCTION_BLOCK
        for record in block.records
        if record.code == FunctionCode.INST_SWITCH
    ]
    operands = (*switch.operands[:3], number_of_case, switch.operands[4])
    return changed(data, BlockId.FUNCTION_BLOCK, FunctionCode.INST_SWITCH, operands)


_PTRTOINT = 9
_FIRST_CONSTANT = 2
"""The value that follows the function and its argument."""


# LLVM 15 to 22 answered so.
@pytest.mark.parametrize(
    ("width", "source", "is_computed"),
    [(64, 64, True), (32, 32, True), (8, 8, True), (32, 64, False), (64, 32, False), (128, 128, False)],
)
def test_cases_that_readers_of_llvm_21_compute(width: int, source: int, *, is_computed: bool, tmp_path: Path) -> None:
    data = _with_computed_case(width, source)
    diagnosis = only(data)
    messages = {verdict.version: verdict.message for verdict in diagnosis.verdicts if verdict.version >= 15}
    refused = {version: "Invalid record" if version < 23 else "Invalid switch record" for version in messages}
    assert messages == {version: "" if is_computed and version < 22 else refused[version] for version in messages}
    assert (diagnosis.damage is None) is is_computed
    (tmp_path / "case.bc").write_bytes(data)
    for version in set(READERS) & set(messages):
        assert ask(version, tmp_path / "case.bc").message == messages[version]


def test_what_to_do_about_a_case_that_llvm_22_does_not_compute() -> None:
    data = _with_computed_case(64, 64)
    assert {verdict.advice for verdict in only(data).verdicts[-3:]} == {("bitcodec downgrade --llvm 22",)}
    module = bitcodec.loads(data)
    (switch,) = (
        each for block in module.functions["f"].blocks for each in block.instructions if isinstance(each, Switch)
    )
    assert [str(value) for value, _ in switch.cases] == ["i64 77"]
    assert only(bitcodec.dumps(module)).verdicts[-3].is_clean


_SEVERAL = """
define i64 @plain(i64 %x) {
  switch i64 %x, label %no [ i64 1024, label %no ]
no:
  ret i64 1
}

define i64 @f(i64 %x) {
  switch i64 %x, label %two [ i64 1024, label %yes ]
two:
  switch i64 %x, label %three [ i64 1024, label %yes ]
three:
  switch i64 %x, label %no [ i64 1024, label %yes ]
yes:
  ret i64 ptrtoint (ptr inttoptr (i64 77 to ptr) to i64)
no:
  ret i64 1
}
"""
_NUMBER_OF_CAST = 5
"""The value that follows two functions, an argument, and the constants 1024 and 1."""


def test_switches_with_such_cases_are_counted_and_found() -> None:
    draft = bitcodec.bitstream.loads(bitcodec.dumps(bitcodec.parse_assembly(_SEVERAL))).edit()
    body = [each for each in draft.block(BlockId.MODULE_BLOCK).blocks if each.id == BlockId.FUNCTION_BLOCK][1]
    for record in [each for each in body.records if each.code == FunctionCode.INST_SWITCH][1:]:
        record.operands, record.abbreviation_id = (*record.operands[:3], _NUMBER_OF_CAST, record.operands[4]), 3
    data = bitcodec.bitcode.dumps(draft)
    (obstacle,) = only(data, 22).verdicts[0].obstacles
    columns = bitcodec.bitstream.loads(data).decode()
    records, ids = columns.records, columns.blocks.id
    starts = [
        start
        for block, code, start in zip(records.block, records.code, records.start, strict=True)
        if ids[block] == BlockId.FUNCTION_BLOCK and code == FunctionCode.INST_SWITCH
    ]
    assert (obstacle.message, obstacle.count, obstacle.bit_offset) == ("Invalid record", 2, starts[2])


def test_cases_that_a_public_file_has() -> None:
    # `llvm-dis` 15 to 21 print these cases.
    path = FOLDER.parent / "cases" / "reports" / "o01-zig-switch-on-pointer.bc"
    if not path.exists():
        pytest.skip("the file is not beside the checkout")
    text = str(bitcodec.open(path))
    assert "  switch i64 %2, label %7 [\n    i64 1024, label %5\n    i64 2048, label %6\n  ]\n" in text
