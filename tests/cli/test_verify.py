"""`bitcodec verify`."""

from __future__ import annotations

from pathlib import Path

import bitcodec
from bitcodec.builder import Builder, add_block, add_function, new_module

from .documents import document
from .running import llvm_process, run, succeed

_ROOT = Path(__file__).parents[2]
HELLO, QUEUE = _ROOT / "examples" / "hello.bc", _ROOT / "examples" / "queue.bc"


def broken(path: Path) -> Path:
    """Write a module with two findings: two blocks without an end."""
    module = new_module("broken")
    types = module.context.types
    function = add_function(module, "f", types.function(types.void, []))
    Builder(add_block(function, "entry")).fence("acquire")
    second = add_function(module, "g", types.function(types.void, []))
    Builder(add_block(second, "entry")).fence("release")
    bitcodec.save(module, path)
    return path


def test_sound_modules() -> None:
    assert succeed("verify", HELLO, QUEUE) == b""
    assert document(succeed("verify", HELLO, "--json")) == {
        "schema": "bitcodec/verify/1",
        "modules": [{"file": str(HELLO), "member": None, "module": 1, "findings": []}],
    }


def test_findings(tmp_path: Path) -> None:
    path = broken(tmp_path / "broken.bc")
    result = run("verify", HELLO, path)
    lines = result.stdout.splitlines()
    assert (result.exit_code, result.stderr) == (1, "")
    assert lines == [
        "Basic Block in function 'f' does not have terminator!",
        "label %entry",
        "Basic Block in function 'g' does not have terminator!",
        "label %entry",
        f"{path}: error: input module is broken!",
    ]
    found = document(run("verify", path, "--json").stdout)["modules"][0]["findings"]
    assert [(each["severity"], each["message"], each["values"]) for each in found] == [
        ("error", message, [value]) for message, value in zip(lines[:-1:2], lines[1:-1:2], strict=True)
    ]
    assert all(each["text"].startswith("function @") for each in found)
    checked = llvm_process("opt", "-passes=verify", path, "-o", tmp_path / "out.bc")
    assert all(each["message"] in checked.stderr.decode() for each in found)
    assert run("verify", "--quiet", path).stdout == ""
    assert run("verify", "--quiet", path).exit_code == 1


def test_trouble(tmp_path: Path) -> None:
    path, damaged = broken(tmp_path / "broken.bc"), tmp_path / "damaged.bc"
    damaged.write_bytes(HELLO.read_bytes()[:-200])
    result = run("verify", damaged, path, HELLO)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"bitcodec: error: {damaged}: ")
    assert f"{path}: error: input module is broken!" in result.stdout


def test_text_is_verified_as_it_is_parsed(tmp_path: Path) -> None:
    """A reader of bitcode would remove the attribute: `opt -passes=verify` 22.1.8 on the text prints this message."""
    path = tmp_path / "range.ll"
    path.write_text("declare void @f(i32 range(i8 0, 1))\n", encoding="utf-8")
    result = run("verify", path)
    assert result.exit_code == 1
    assert "Attribute 'range(i8 0, 1)' applied to incompatible type!" in result.stdout


def test_record_without_expression(tmp_path: Path) -> None:
    """Bitcode cannot hold the record, whose call had an empty node; `opt` 22.1.8 prints this message."""
    path = tmp_path / "record.ll"
    path.write_text(
        """\
define void @f() !dbg !1 {
  call void @llvm.dbg.value(metadata i32 0, metadata !2, metadata !{}), !dbg !3
  ret void
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{!4}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DISubprogram(name: "f", file: !5, spFlags: DISPFlagDefinition, unit: !4)
!2 = !DILocalVariable(name: "p", scope: !1)
!3 = !DILocation(line: 1, scope: !1)
!4 = distinct !DICompileUnit(language: DW_LANG_C99, file: !5)
!5 = !DIFile(filename: "a.c", directory: "/")
""",
        encoding="utf-8",
    )
    result = run("verify", path)
    assert result.exit_code == 1
    assert "invalid #dbg record expression" in result.stdout


def test_findings_of_debug_information_only_are_warnings(tmp_path: Path) -> None:
    path = tmp_path / "m.ll"
    flags = '!llvm.module.flags = !{!0}\n!0 = !{i32 2, !"Debug Info Version", i32 3}\n'
    path.write_text(f'{flags}!nodes = !{{!1}}\n!1 = !DIMacro(type: DW_MACINFO_define, name: "")\n')
    bitcode = tmp_path / "m.bc"
    succeed("as", "--no-verify", path, "-o", bitcode)
    result = run("verify", bitcode)
    finding = "anonymous macro\n!1 = !DIMacro(type: DW_MACINFO_define)\n"
    assert (result.exit_code, result.stdout) == (1, f"{finding}{bitcode}: warning: invalid debug info\n")
    found = document(run("verify", bitcode, "--json").stdout)["modules"][0]["findings"]
    assert [each["severity"] for each in found] == ["warning"]
