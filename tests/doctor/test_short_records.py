"""Records that are cut short, of which readers notice some, and read others beyond their end."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitcodec import bitcode, bitstream
from bitcodec.bitcode.assembling import assemble
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, MetadataCode, ModuleCode
from bitcodec.doctor import Effect

from .readers import ask
from .test_diagnosing import only

TEXT = """
$first = comdat any
$second = comdat any
@variable = global i32 0, comdat($second)
@alias = alias i32, ptr @variable
declare i32 @called(i32)
declare i32 @__gxx_personality_v0(...)
define i32 @caller(i32 %a) personality ptr @__gxx_personality_v0 !dbg !3 {
  %v = alloca i32, !DIAssignID !10
    #dbg_value(!DIArgList(i32 %a, i32 %a), !5, !DIExpression(DW_OP_LLVM_arg, 0), !6)
    #dbg_declare(ptr %v, !5, !DIExpression(), !6)
    #dbg_assign(i32 %a, !5, !DIExpression(), !10, ptr %v, !DIExpression(), !6)
    #dbg_label(!11, !6)
  %c = call i32 @called(i32 %a), !dbg !6
  %d = invoke i32 @called(i32 %c) to label %ok unwind label %bad, !dbg !6
ok:
  ret i32 %d
bad:
  %lp = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %lp
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, retainedTypes: !12)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "b", file: !1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocalVariable(name: "v", scope: !3, type: !7)
!6 = !DILocation(line: 1, scope: !3)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DISubrange(count: 3)
!9 = !DICompositeType(tag: DW_TAG_array_type, baseType: !7, size: 96, elements: !{!8})
!10 = distinct !DIAssignID()
!11 = !DILabel(scope: !3, name: "l", file: !1, line: 1)
!12 = !{!9}
"""
FUNCTION, MODULE = BlockId.FUNCTION_BLOCK, BlockId.MODULE_BLOCK
INSUFFICIENT = "Insufficient operands to call"
REFUSED = [
    (FUNCTION, FunctionCode.INST_CALL, 3, "Invalid record", "Invalid call record"),
    (FUNCTION, FunctionCode.INST_CALL, 4, INSUFFICIENT, INSUFFICIENT),
    (FUNCTION, FunctionCode.INST_INVOKE, 3, "Invalid record", "Invalid invoke record"),
    (FUNCTION, FunctionCode.INST_INVOKE, 4, *["Explicit invoke type is not a function type"] * 2),
    (FUNCTION, FunctionCode.INST_INVOKE, 5, "Invalid record", "Invalid invoke record"),
    (FUNCTION, FunctionCode.INST_INVOKE, 6, INSUFFICIENT, INSUFFICIENT),
    (MODULE, ModuleCode.COMDAT, 2, "Invalid record", "Invalid comdat record"),
    (MODULE, ModuleCode.ALIAS, 5, "Invalid record", "Invalid global indirect symbol record"),
]
MISREAD = [
    (FUNCTION, FunctionCode.DEBUG_RECORD_VALUE, 3),
    (FUNCTION, FunctionCode.DEBUG_RECORD_DECLARE, 1),
    (FUNCTION, FunctionCode.DEBUG_RECORD_LABEL, 0),
    (FUNCTION, FunctionCode.DEBUG_RECORD_ASSIGN, 6),
    (BlockId.METADATA_BLOCK, MetadataCode.SUBRANGE, 3),
    (MODULE, ModuleCode.COMDAT, 1),
    (MODULE, ModuleCode.ALIAS, 1),
]
"""What memory contains behind the end decides: readers may refuse the same records in other files."""
TEXT_OF_ALIASES = """
target triple = "x86_64-pc-linux-gnu"
$first_comdat = comdat any
$second = comdat largest
@variable = global i64 7, comdat($first_comdat)
@other = global [4 x i8] zeroinitializer, comdat($second)
@first_alias = weak alias i64, ptr @variable
@second_alias = hidden alias [4 x i8], ptr @other
define void @main() comdat($first_comdat) {
  ret void
}
"""


def shortened(block_id: int, code: int, count: int, text: str = TEXT) -> bytes:
    """Return a file with only so many operands in the last record of a code."""
    draft = bitstream.loads(assemble(text.encode(), "a.ll")).edit()
    blocks = list(draft.blocks)
    for block in blocks:
        blocks += block.blocks
    *_, record = (r for block in blocks if block.id == block_id for r in block.records if r.code == code)
    record.operands, record.abbreviation_id = tuple(record.operands)[:count], 3
    return bitcode.dumps(draft)


@pytest.mark.parametrize(("block", "code", "count", "before", "since_23"), REFUSED)
def test_records_that_are_refused(
    block: int, code: int, count: int, before: str, since_23: str, tmp_path: Path
) -> None:
    data = shortened(block, code, count)
    expected = {22: before, 23: since_23}
    assert {verdict.version: verdict.message for verdict in only(data, *expected).verdicts} == expected
    path = tmp_path / "short.bc"
    path.write_bytes(data)
    assert {version: ask(version, path).message for version in expected} == expected


@pytest.mark.parametrize(("block", "code", "count"), MISREAD)
def test_records_that_are_read_beyond_their_end(block: int, code: int, count: int, tmp_path: Path) -> None:
    data = shortened(block, code, count, TEXT_OF_ALIASES if code == ModuleCode.ALIAS else TEXT)
    path = tmp_path / "short.bc"
    path.write_bytes(data)
    for verdict in only(data, 22, 23).verdicts:
        assert [obstacle.effect for obstacle in verdict.misread] == [Effect.MISREADS]
        assert verdict.reads
        # LLVM 22 reads a comdat of one operand in some runs and refuses it in others.
        assert code == ModuleCode.COMDAT or ask(verdict.version, path).reads


def test_a_subrange_without_a_version_crashes_readers(tmp_path: Path) -> None:
    data = shortened(BlockId.METADATA_BLOCK, MetadataCode.SUBRANGE, 1)
    path = tmp_path / "short.bc"
    path.write_bytes(data)
    for verdict in only(data, 22, 23).verdicts:
        assert [(obstacle.effect, obstacle.message) for obstacle in verdict.obstacles] == [(Effect.CRASHES, "")]
        assert ask(verdict.version, path).crashes
