"""Declarations of alias scopes, which LLVM checks at the end of a function, up to the first that is no list of one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import bitcodec
from answers import ask
from bitcodec.cli.findings import finding_texts
from bitcodec.verifier import verify

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
define void @f(ptr %p) {
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %x = load i8, ptr %p, !alias.scope !3, !noalias !3
  call void @llvm.experimental.noalias.scope.decl(metadata !4)
  call void @llvm.experimental.noalias.scope.decl(metadata !6)
  br i1 1, label %a, label %a
a:
  call void @llvm.experimental.noalias.scope.decl(metadata !5)
  ret void
}
define void @g(ptr %p) {
  call void @llvm.experimental.noalias.scope.decl(metadata !6)
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  call void @llvm.experimental.noalias.scope.decl(metadata !{})
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  ret void
}
define void @h(ptr %p) {
  call void @llvm.experimental.noalias.scope.decl(metadata ptr %p)
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = !{!1}
!1 = !{!1, !2}
!2 = !{!2, !1}
!3 = !{!7}
!7 = !{!7}
!4 = !{!"a"}
!5 = !{}
!6 = !{!8}
!8 = distinct !{!8, !9, !"s"}
!9 = distinct !{!9, !"d"}
"""


def test_findings_are_those_of_llvm(tmp_path: Path) -> None:
    file = tmp_path / "scopes.ll"
    file.write_text(TEXT)
    expected = ask(["llvm-as-22", file, "-o", os.devnull], text=True).stderr
    module = bitcodec.parse_assembly(TEXT)
    found = "".join(finding_texts(module, verify(module)))
    assert found.count("second domain operand must be string (if used)") == 3
    assert expected == f"llvm-as-22: assembly parsed, but does not verify as correct!\n{found}"
