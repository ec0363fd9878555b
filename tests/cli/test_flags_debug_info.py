"""`flags set` makes the version of debug information the current one; the file keeps it when it has to be rewritten.

Expectations: llvm-as and llvm-dis 22, with the flag in the text.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask

from .running import run

TEXT = """\
@v = global i32 0, !dbg !0

define void @f() !dbg !8 {
    #dbg_label(!11, !12)
  ret void, !dbg !12
}

declare !dbg !13 void @g()

!llvm.dbg.cu = !{!2}
!other = !{!6}
!llvm.module.flags = !{!7}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "v", scope: !2, file: !3, line: 9, type: !5, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, isOptimized: false, runtimeVersion: 0, \
emissionKind: FullDebug, globals: !4)
!3 = !DIFile(filename: "a.c", directory: "/")
!4 = !{!0}
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = !{}
!7 = !{i32 2, !"Debug Info Version", i32 3}
!8 = distinct !DISubprogram(name: "f", scope: !3, file: !3, line: 1, type: !9, spFlags: DISPFlagDefinition, unit: !2)
!9 = !DISubroutineType(types: !10)
!10 = !{null}
!11 = !DILabel(scope: !8, name: "l", file: !3, line: 3)
!12 = !DILocation(line: 1, column: 1, scope: !8)
!13 = !DISubprogram(name: "g", scope: !3, file: !3, line: 2, type: !9, spFlags: 0)
"""
"""As llvm-dis 22 prints it."""
MARKED = (
    'target triple = "aarch64"\n'
    + TEXT.replace("{!7}", "{!7, !14}").replace("= !{}", "= !{i32 4}")
    + ('!14 = !{i32 8, !"branch-target-enforcement", i32 1}\n')
)
"""Its flags concern functions."""
ASSIGNMENT = ("Debug Info Version=i32 3", "--behavior", "warning")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write_without_version(text: str) -> None:
    module = bitcodec.parse_assembly(text)
    module.flags.remove("Debug Info Version")
    Path("module.bc").write_bytes(bitcodec.dumps(module))


def body_of(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith((";", "source_filename"))).strip() + "\n"


def test_the_file_keeps_its_debug_information() -> None:
    write_without_version(TEXT)
    result = run("flags", "set", "module.bc", *ASSIGNMENT, "-o", "out.bc")
    assert (result.exit_code, result.stderr) == (0, "")
    assert body_of(str(bitcodec.open("out.bc"))) == TEXT


def test_flags_that_concern_functions_change_nothing_about_that() -> None:
    write_without_version(MARKED)
    result = run("flags", "set", "module.bc", *ASSIGNMENT, "-o", "out.bc")
    assert (result.exit_code, result.stderr) == (0, "")
    module = bitcodec.open("out.bc")
    module.materialize()
    assert module.ignored_debug_info_version is None
    assert str(module).count("!dbg") == TEXT.count("!dbg")


def test_another_flag_keeps_nothing_that_readers_ignore() -> None:
    write_without_version(TEXT)
    result = run("flags", "set", "module.bc", "other=i32 77", "--behavior", "error", "-o", "out.bc")
    assert result.stderr == "bitcodec: warning: ignoring debug info with an invalid version (0) in module.bc\n"
    assert "!dbg" not in str(bitcodec.open("out.bc"))


def test_llvm_reads_the_result_alike() -> None:
    write_without_version(TEXT)
    run("flags", "set", "module.bc", *ASSIGNMENT, "-o", "out.bc")
    result = ask(["llvm-dis-22", "out.bc", "-o", "-"], text=True, check=True)
    assert (body_of(result.stdout), result.stderr) == (TEXT, "")
