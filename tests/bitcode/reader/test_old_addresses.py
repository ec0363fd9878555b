"""Address arithmetic of files before LLVM 3.7, which leave the source type to the pointer: `llvm-dis` 22 prints it."""

from __future__ import annotations

from pathlib import Path

import bitcodec
from answers import ask
from bitcodec import bitcode, bitstream
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, FunctionCode

TEXT = """
%pair = type { i32, [4 x i16] }
@pair = global %pair zeroinitializer
@inner = global ptr getelementptr (%pair, ptr @pair, i32 0, i32 1, i64 2)
@inbounds = global ptr getelementptr inbounds (%pair, ptr @pair, i32 0, i32 1)
@vector = global <2 x ptr> getelementptr (%pair, <2 x ptr> <ptr @pair, ptr @pair>, <2 x i32> zeroinitializer, \
<2 x i32> <i32 1, i32 1>)
define ptr @scalar(ptr %p, i64 %i) {
  %a = getelementptr inbounds %pair, ptr %p, i64 %i, i32 1
  ret ptr %a
}
define <2 x ptr> @vectors(<2 x ptr> %p, <2 x i64> %i) {
  %a = getelementptr %pair, <2 x ptr> %p, <2 x i64> %i, <2 x i32> <i32 1, i32 1>
  ret <2 x ptr> %a
}
"""
INBOUNDS = 1


def as_old_file(text: str) -> bytes:
    """Return the bitcode of LLVM 4 with address arithmetic in the records of older files."""
    draft = bitstream.loads(bitcodec.dumps(bitcodec.parse_assembly(text), llvm_version=4)).edit()
    blocks = list(draft.blocks)
    for block in blocks:
        blocks += block.blocks
    for block in blocks:
        for record in block.records:
            operands = list(record.operands)
            if block.id == BlockId.FUNCTION_BLOCK and record.code == FunctionCode.INST_GEP:
                is_inbounds = operands[0] & INBOUNDS
                record.code = FunctionCode.INST_INBOUNDS_GEP_OLD if is_inbounds else FunctionCode.INST_GEP_OLD
                record.operands, record.abbreviation_id = tuple(operands[2:]), 3
            elif block.id == BlockId.CONSTANTS_BLOCK and record.code in (
                ConstantsCode.CE_GEP_OLD,
                ConstantsCode.CE_INBOUNDS_GEP,
            ):
                record.operands, record.abbreviation_id = tuple(operands[len(operands) % 2 :]), 3
    return bitcode.dumps(draft)


def test_source_types_are_those_of_pointers(tmp_path: Path) -> None:
    path = tmp_path / "old.bc"
    path.write_bytes(as_old_file(TEXT))
    printed = ask(["llvm-dis-22", path, "-o", "-"], text=True, check=True).stdout
    lines = [line for line in printed.splitlines() if not line.startswith(";")]

    assert [line for line in str(bitcodec.open(path)).splitlines() if not line.startswith(";")] == lines
