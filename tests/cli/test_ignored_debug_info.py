"""Debug information of another version: commands drop it with the warning of LLVM's tools.

Expectations: llvm-as, llvm-dis and llvm-link 22.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.ir.module_flags import Behavior

from .running import run

NODES = """!llvm.module.flags = !{!20}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, emissionKind: FullDebug, file: !1)
!1 = !DIFile(filename: "a", directory: "/")
!2 = distinct !DISubprogram(name: "f", isDefinition: true, unit: !0, file: !1, scope: !1, type: !3)
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = !DILocation(line: 4, scope: !2)
!6 = distinct !{!6, !5}
!7 = distinct !DIAssignID()
!8 = !DILabel(scope: !2, name: "l", file: !1, line: 3)
!9 = !DIGlobalVariable(name: "v", scope: !0, file: !1)
!10 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!20 = !{i32 2, !"Debug Info Version", i32 3}
"""
TEXTS = {
    "nothing": "",
    "list of units": "!llvm.dbg.cu = !{!0}",
    "another list": "!llvm.dbg.foo = !{}",
    "list of coverage": "!llvm.gcov = !{!0}",
    "variable": "@v = global i32 0, !dbg !10",
    "declaration": "declare !dbg !2 void @f()",
    "function": "define void @f() !dbg !2 { ret void }",
    "location": "define void @f() { ret void, !dbg !5 }",
    "loop": "define void @f() {\n  br label %a\na:\n  br label %a, !llvm.loop !6\n}",
    "assignment": "define void @f() {\n  %a = alloca i32, !DIAssignID !7\n  ret void\n}",
    "heap": "define void @f() {\n  %a = alloca i32, !heapallocsite !4\n  ret void\n}",
    "label": "define void @f() {\n    #dbg_label(!8, !5)\n  ret void\n}",
}
WITHOUT_WARNING = {"nothing", "loop", "assignment", "heap", "label"}
IN_BODIES = {"function", "location"}
"""llvm-link does not warn of them: it reads bodies later."""
WARNING = "warning: ignoring debug info with an invalid version ({}) in {}\n"


@pytest.fixture
def bitcode(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a file with debug information of version 2."""
    monkeypatch.chdir(tmp_path)
    module = bitcodec.parse_assembly(f"{TEXTS[name]}\n{NODES}")
    module.flags.set("Debug Info Version", 2, Behavior.WARNING)
    Path("module.bc").write_bytes(bitcodec.dumps(module))
    return "module.bc"


@pytest.fixture
def text(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a file with debug information without a version."""
    monkeypatch.chdir(tmp_path)
    Path("module.ll").write_text(f"{TEXTS[name]}\n{NODES.replace('Debug Info Version', 'Other')}")
    return "module.ll"


def expected(name: str, version: int, file: str) -> str:
    return "" if name in WITHOUT_WARNING else WARNING.format(version, file)


def warnings_in(stderr: str) -> str:
    return "".join(line.partition("bitcodec: ")[2] or line for line in stderr.splitlines(keepends=True))


@pytest.mark.parametrize("name", TEXTS)
def test_dis_warns(bitcode: str, name: str) -> None:
    result = run("dis", bitcode, "-o", "out.ll")
    assert warnings_in(result.stderr) == expected(name, 2, bitcode)
    assert "!llvm.dbg" not in Path("out.ll").read_text()
    assert ", !dbg" not in Path("out.ll").read_text()


@pytest.mark.parametrize("name", TEXTS)
def test_verify_warns(bitcode: str, name: str) -> None:
    assert warnings_in(run("verify", bitcode).stderr) == expected(name, 2, bitcode)
    assert run("verify", "--quiet", bitcode).stderr == ""


@pytest.mark.parametrize("name", ["function", "nothing"])
@pytest.mark.parametrize("command", [["strip", "--debug"], ["downgrade", "--llvm", "15"]])
def test_commands_that_write_modules_warn(bitcode: str, name: str, command: list[str]) -> None:
    result = run(*command, bitcode, "-o", "out.bc")
    assert warnings_in(result.stderr) == expected(name, 2, bitcode)


@pytest.mark.parametrize("name", TEXTS)
def test_as_warns(text: str, name: str) -> None:
    assert warnings_in(run("as", text, "-o", "out.bc").stderr) == expected(name, 0, text)


@pytest.mark.parametrize("name", TEXTS)
def test_link_warns(bitcode: str, name: str) -> None:
    result = run("link", bitcode, "-S", "-o", "out.ll")
    lines = [line for line in result.stderr.splitlines(keepends=True) if not line.startswith("  ")]
    assert "".join(lines) == ("" if name in IN_BODIES else expected(name, 2, bitcode))
    assert "!dbg" not in Path("out.ll").read_text()
    assert run("link", "--suppress-warnings", bitcode, "-o", "out.bc").stderr == ""


@pytest.mark.parametrize("name", ["function", "variable", "location"])
def test_debug_information_of_another_version_does_not_reach_a_module_with_the_current_one(bitcode: str) -> None:
    Path("current.ll").write_text('!llvm.module.flags = !{!0}\n!0 = !{i32 2, !"Debug Info Version", i32 3}\n')
    assert run("link", "current.ll", bitcode, "-o", "out.bc").exit_code == 0
    assert "!dbg" not in str(bitcodec.open("out.bc"))


@pytest.mark.parametrize("name", TEXTS)
def test_tools_of_llvm_warn_alike(bitcode: str, text: str, name: str) -> None:
    def stderr_of(tool: str, file: str) -> str:
        stderr: str = ask([f"llvm-{tool}-22", file, "-o", "/dev/null"], text=True, check=True).stderr
        return stderr.removeprefix(f"llvm-{tool}-22: ")

    assert stderr_of("as", text) == expected(name, 0, text)
    assert stderr_of("dis", bitcode) == expected(name, 2, bitcode)
    assert stderr_of("link", bitcode) == ("" if name in IN_BODIES else expected(name, 2, bitcode))
