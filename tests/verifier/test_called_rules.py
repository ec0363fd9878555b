"""Rules that LLVM's verifier checks in functions of their own: nodes that break several of them have several findings.

Expectations: llvm-as 22.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import bitcodec
from answers import ask
from bitcodec.cli.findings import finding_texts
from bitcodec.verifier import verify

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
!llvm.module.flags = !{!2}
!llvm.dbg.cu = !{!0}
!x = !{!3, !4, !5, !6, !7, !8, !11, !12, !13, !14}
!0 = distinct !DICompileUnit(language: 0, file: !1)
!1 = !DIFile(filename: "-", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DICompositeType(tag: DW_TAG_structure_type, templateParams: !0, file: !0, \
flags: DIFlagLValueReference | DIFlagRValueReference)
!4 = distinct !DICompositeType(tag: DW_TAG_structure_type, templateParams: !{!0}, discriminator: !0)
!5 = distinct !DICompositeType(tag: DW_TAG_variable, scope: !1, elements: !0, file: !0)
!6 = !DIGlobalVariable(name: "x", scope: !2, file: !0, type: !0, isDefinition: true)
!7 = !DIGlobalVariable(name: "x", isDefinition: true)
!8 = !DITemplateTypeParameter(name: "a", type: !0)
!9 = !DITemplateValueParameter(tag: DW_TAG_variable, name: "a", type: !0, value: i32 0)
!11 = !DILocalVariable(name: "x", scope: !0, file: !0, type: !0)
!12 = !{!9}
!13 = !DIDerivedType(tag: DW_TAG_variable, scope: !2, file: !0, baseType: !0)
!14 = distinct !DILexicalBlock(scope: !1, file: !0, column: 3)
!y = !{!20, !21, !22, !23, !24, !25}
!20 = !DIFixedPointType(tag: DW_TAG_unspecified_type, name: "f", encoding: 3)
!21 = distinct !DICompositeType(tag: DW_TAG_structure_type, scope: !2, file: !0)
!22 = !DILabel(scope: !0, name: "x", file: !0, line: 3)
!23 = !DIObjCProperty(name: "x", file: !0, type: !0)
!24 = distinct !DILexicalBlockFile(scope: !1, file: !1, discriminator: 0)
!25 = !DIGlobalVariableExpression(var: !7, expr: !DIExpression())
"""
MESSAGES = """\
invalid file
invalid reference flags
invalid template parameter
discriminator can only appear on variant part
invalid file
invalid tag
invalid scope
invalid type ref
missing global variable type
invalid type ref
invalid file
invalid type ref
invalid type ref
invalid tag
invalid file
invalid tag
invalid local scope
cannot have column info without line info
invalid tag
invalid file
invalid scope
invalid file
invalid type ref
invalid local scope
missing global variable type
"""
RECORDS = """\
define void @f() !dbg !4 {
  call void @llvm.dbg.value(metadata i32 0, metadata !10, metadata !6), !dbg !7
  call void @llvm.dbg.value(metadata i32 0, metadata !6, metadata !DIExpression()), !dbg !7
  call void @llvm.dbg.value(metadata i32 0, metadata !10, metadata !DIExpression())
  ret void
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!9}
!x = !{!6}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, unit: !0, spFlags: DISPFlagDefinition)
!6 = !{}
!7 = !DILocation(line: 1, column: 1, scope: !4)
!9 = !{i32 2, !"Debug Info Version", i32 3}
!10 = !DILocalVariable(name: "local", scope: !4, file: !1, line: 2)
"""
RECORD_TEXTS = """\
invalid #dbg record expression
#dbg_value(i32 0, !5, !3, !6)
!3 = !{}
label %0
ptr @f
invalid #dbg record variable
#dbg_value(i32 0, !3, !DIExpression(), !6)
!3 = !{}
label %0
ptr @f
invalid #dbg record DILocation
#dbg_value(i32 0, !5, !DIExpression(), (null))
label %0
ptr @f
"""


def texts_of(text: str) -> str:
    module = bitcodec.parse_assembly(text)
    return "".join(finding_texts(module, verify(module)))


def test_rules_behind_a_called_part_are_checked() -> None:
    messages = [finding.message for finding in verify(bitcodec.parse_assembly(TEXT))]
    assert messages == MESSAGES.splitlines()


def test_records_of_calls_have_any_node() -> None:
    assert texts_of(RECORDS) == RECORD_TEXTS


@pytest.mark.parametrize("text", [TEXT, RECORDS])
def test_llvm_prints_the_same(text: str, tmp_path: Path) -> None:
    file = tmp_path / "module.ll"
    file.write_text(text)
    result = ask(["llvm-as-22", file, "-o", os.devnull], text=True)
    assert result.stderr.partition("warning: ")[0] == texts_of(text)
