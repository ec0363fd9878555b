"""`bitcodec link`: what it verifies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .running import run, succeed

if TYPE_CHECKING:
    from pathlib import Path

BROKEN = """\
define i32 @f(i32 %x) {
  %a = mul i32 %b, %x
  %b = add i32 %x, 1
  ret i32 %a
}
"""
FINDING = """\
Instruction does not dominate all uses!
  %b = add i32 %x, 1
  %a = mul i32 %b, %x
"""
"""As llvm-link 22.1.8 prints it for the module; so are the lines after it, but for the program's name."""


def test_broken_assembly_is_reported_as_llvm_link_does(tmp_path: Path) -> None:
    path, output = tmp_path / "m.ll", tmp_path / "m.bc"
    path.write_text(BROKEN)
    result = run("link", path, "-o", output)
    assert (result.exit_code, result.stderr) == (1, f"{FINDING}error: linked module is broken!\n")
    result = run("link", path, "-o", output, "--disable-debug-info-type-map")
    assert (result.exit_code, result.stderr) == (1, f"{FINDING}{path}: error: input module is broken!\n")
    assert not output.exists()
    assert succeed("link", path, "--disable-verify", "-o", output) == b""
    assert output.exists()


def test_what_breaks_rules_in_assembly_may_be_left_out_of_the_result(tmp_path: Path) -> None:
    """`llvm-link` 22.1.8 links both orders without a message."""
    sound, broken = tmp_path / "sound.ll", tmp_path / "broken.ll"
    broken.write_text(BROKEN.replace("define", "define linkonce_odr"))
    sound.write_text("define i32 @f(i32 %x) {\n  ret i32 %x\n}\n")
    for paths in ((sound, broken), (broken, sound)):
        assert succeed("link", *paths, "-o", tmp_path / "m.bc") == b""
    result = run("link", sound, broken, "-o", tmp_path / "m.bc", "--disable-debug-info-type-map")
    assert (result.exit_code, result.stderr) == (1, f"{FINDING}{broken}: error: input module is broken!\n")


def test_the_result_is_verified_if_it_is_read(tmp_path: Path) -> None:
    text, bitcode = tmp_path / "m.ll", tmp_path / "m.bc"
    text.write_text(BROKEN)
    succeed("as", "--no-verify", text, "-o", bitcode)
    for option in ("-S", "--verify"):
        result = run("link", bitcode, option, "-o", tmp_path / "out")
        assert (result.exit_code, result.stderr) == (1, f"{FINDING}error: linked module is broken!\n")
        assert not (tmp_path / "out").exists()
    assert b"%b = add" in succeed("link", bitcode, "-S", "--disable-verify", "-o", "-")
    assert run("link", bitcode, "--verify", "--disable-verify", "-o", "-").exit_code == 2


def test_debug_information_of_assembly_that_breaks_rules_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "m.ll"
    flags = '!llvm.module.flags = !{!0}\n!0 = !{i32 2, !"Debug Info Version", i32 3}\n'
    node = '!1 = !DIFile(filename: "a", directory: "b")\n'
    path.write_text(f"define void @f() !dbg !1 {{\n  ret void\n}}\n{flags}{node}")
    result = run("link", path, "-S", "-o", "-")
    finding = f"function !dbg attachment must be a subprogram\nptr @f\n{node}"
    assert result.exit_code == 0
    assert result.stderr == f"{finding}warning: ignoring invalid debug info in {path}\n"
    assert "!dbg" not in result.stdout
    assert run("link", path, "-S", "-o", "-", "--suppress-warnings").stderr == ""


def test_types_that_modules_share_may_be_of_another_unit(tmp_path: Path) -> None:
    """`llvm-link` 22.1.8 links these without a message: a type of the second refers to the unit of the first."""
    text = """\
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!5}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, retainedTypes: !2)
!1 = !DIFile(filename: "NAME", directory: "/")
!2 = !{!3}
!3 = !DICompositeType(tag: DW_TAG_structure_type, name: "T", scope: !4, file: !1, identifier: "T")
!4 = distinct !DISubprogram(name: "f", file: !1, unit: !0, spFlags: DISPFlagDefinition)
!5 = !{i32 2, !"Debug Info Version", i32 3}
"""
    paths = [tmp_path / name for name in ("a.ll", "b.ll")]
    for path in paths:
        path.write_text(text.replace("NAME", path.name))
    linked = succeed("link", *paths, "-S", "-o", "-").decode()
    assert linked.count("distinct !DICompileUnit(") == 2
