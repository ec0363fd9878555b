"""Addresses of arguments in debug information of LLVM up to 4.0: `llvm-dis` 22 prints them without a dereference."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec import bitcode, bitstream
from bitcodec.bitcode.schema.blocks import BlockId, MetadataCode

TEXT = """
define void @f(ptr %p, ptr %q) !dbg !3 {
  %a = alloca i32
    #dbg_declare(ptr %p, !5, !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 8), !6)
    #dbg_declare(ptr %q, !5, !DIExpression(DW_OP_plus_uconst, 8, DW_OP_deref), !6)
    #dbg_declare(ptr %q, !5, !DIExpression(DW_OP_deref), !6)
    #dbg_declare(ptr %a, !5, !DIExpression(DW_OP_deref), !6)
    #dbg_value(ptr %p, !5, !DIExpression(DW_OP_deref, DW_OP_plus_uconst, 8), !6)
    #dbg_declare(ptr %p, !5, !DIExpression(DW_OP_consts, 3, DW_OP_deref), !6)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "b", file: !1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocalVariable(name: "v", scope: !3, type: !7)
!6 = !DILocation(line: 1, scope: !3)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
"""
VERSION = 1
"""Its place in the first operand; the bit before it is for distinct nodes."""


@pytest.mark.parametrize("version", [0, 1, 2])
def test_addresses_of_arguments(version: int, tmp_path: Path) -> None:
    draft = bitstream.loads(bitcodec.dumps(bitcodec.parse_assembly(TEXT), llvm_version=4)).edit()
    blocks = list(draft.blocks)
    for block in blocks:
        blocks += block.blocks
        for record in block.records:
            if block.id == BlockId.METADATA_BLOCK and record.code == MetadataCode.EXPRESSION:
                record.operands = (version << VERSION, *list(record.operands)[1:])
    path = tmp_path / "old.bc"
    path.write_bytes(bitcode.dumps(draft))
    printed = ask(["llvm-dis-22", path, "-o", "-"], text=True, check=True).stdout

    assert str(bitcodec.open(path)).splitlines()[1:] == printed.splitlines()[1:]
