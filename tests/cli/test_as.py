"""`bitcodec as`, and text where other commands take a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import bitcodec

from .running import fail, run, succeed

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
@x = global i32 1

define i32 @f() {
  %v = load i32, ptr @x, align 4
  ret i32 %v
}
"""


def test_text_becomes_bitcode(tmp_path: Path) -> None:
    text, output = tmp_path / "m.ll", tmp_path / "m.bc"
    text.write_text(TEXT)
    assert succeed("as", text, "-o", output) == b""
    assert str(bitcodec.open(output)) == f"; ModuleID = '{output}'\nsource_filename = \"{text}\"\n\n{TEXT}"
    assert str(bitcodec.open(text)) == f"; ModuleID = '{text}'\nsource_filename = \"{text}\"\n\n{TEXT}"
    assert run("as", "-", "-o", "-", stdin=TEXT.encode()).stdout_bytes[:2] == b"BC"


def test_the_dialect_is_an_option(tmp_path: Path) -> None:
    text = tmp_path / "old.ll"
    text.write_text("define i32 @f(i32* %p) {\n  %v = load i32* %p\n  ret i32 %v\n}\n")
    assert b"load i32, ptr %p" in succeed("dis", text)
    assert b"load i32, ptr %p" in run("dis", "-", stdin=succeed("as", text, "--dialect", "3.4", "-o", "-")).stdout_bytes
    assert "old.ll:2:" in run("as", text, "--dialect", "22", "-o", tmp_path / "new.bc").stderr
    assert "LLVM 3.0 to 22 can be read" in run("as", text, "--dialect", "2", "-o", tmp_path / "new.bc").stderr


def test_summaries_are_written(tmp_path: Path) -> None:
    text = tmp_path / "m.ll"
    text.write_text(f'{TEXT}\n^0 = module: (path: "m.ll", hash: (0, 0, 0, 0, 0))\n^1 = flags: 8\n')
    assert run("as", text, "-o", tmp_path / "m.bc").stderr == ""
    assert b"= flags: 8" in succeed("dis", tmp_path / "m.bc")


@pytest.mark.parametrize(
    ("triple", "cpu_type"),
    [("x86_64-apple-macosx10.15.0", 0x01000007), ("armv7-apple-ios", 12), ("arm64-apple-ios", 0xFFFFFFFF)],
)
def test_bitcode_for_apple_is_wrapped(triple: str, cpu_type: int, tmp_path: Path) -> None:
    text = tmp_path / "m.ll"
    text.write_text(f'target triple = "{triple}"\n{TEXT}')
    data = succeed("as", text, "-o", "-")
    assert data[:4] == bytes.fromhex("dec0170b")
    assert int.from_bytes(data[16:20], "little") == cpu_type
    assert len(data) % 16 == 0


def test_other_commands_take_text(tmp_path: Path) -> None:
    text = tmp_path / "m.ll"
    text.write_text(TEXT)
    assert succeed("dis", text).decode().endswith(TEXT)
    assert succeed("verify", text) == b""
    assert b"1 function, 1 variable: f x" in succeed("info", text)


def test_errors_show_the_place(tmp_path: Path) -> None:
    text, output = tmp_path / "m.ll", tmp_path / "m.bc"
    text.write_text("@x = global i32 1\n\t@y = i32 zz\n")
    wanted = f"bitcodec: error: {text}:2:7: expected 'global' or 'constant'\n\t@y = i32 zz\n\t     ^\n"
    for command in (["as", text, "-o", output], ["dis", text]):
        result = run(*command)
        assert (result.exit_code, result.stderr) == (1, wanted)
    assert not output.exists()


def test_bitcode_is_no_text(tmp_path: Path) -> None:
    module = tmp_path / "m.bc"
    module.write_bytes(bitcodec.dumps(bitcodec.parse_assembly(TEXT)))
    assert fail("as", module, "-o", tmp_path / "out.bc") == f"bitcodec: error: {module}: expected LLVM assembly\n"


def test_any_text_is_parsed(tmp_path: Path) -> None:
    text = tmp_path / "m.ll"
    text.write_text("defin void @f() {\n  ret void\n}\n")
    wanted = f"bitcodec: error: {text}:1:1: expected top-level entity\ndefin void @f() {{\n^\n"
    done = run("as", text, "-o", tmp_path / "out.bc")
    assert (done.exit_code, done.stderr) == (1, wanted)


def test_a_module_that_breaks_rules_is_not_written(tmp_path: Path) -> None:
    text, output = tmp_path / "m.ll", tmp_path / "m.bc"
    text.write_text("define i32 @f() {\n  %p = phi i32 [ 0, %b ]\n  ret i32 %p\nb:\n  unreachable\n}\n")
    done = run("as", text, "-o", output)
    # The lines after the first one are those of llvm-as 22.1.8.
    assert (done.exit_code, done.stderr.splitlines()) == (
        1,
        [
            f"bitcodec: error: {text}: assembly parsed, but does not verify as correct!",
            "PHINode should have one entry for each predecessor of its parent basic block!",
            "  %p = phi i32 [ 0, %b ]",
        ],
    )
    assert not output.exists()
    assert succeed("as", text, "--no-verify", "-o", output) == b""


def test_debug_information_that_breaks_rules_is_left_out(tmp_path: Path) -> None:
    text, output = tmp_path / "m.ll", tmp_path / "m.bc"
    flags = '!llvm.module.flags = !{!0}\n!0 = !{i32 2, !"Debug Info Version", i32 3}\n'
    text.write_text(
        f'define void @f() !dbg !1 {{\n  ret void\n}}\n{flags}!1 = !DIFile(filename: "a", directory: "b")\n'
    )
    done = run("as", text, "-o", output)
    # As llvm-as 22.1.8 prints it, but for the program's name.
    assert (done.exit_code, done.stderr.splitlines()) == (
        0,
        [
            "function !dbg attachment must be a subprogram",
            "ptr @f",
            '!1 = !DIFile(filename: "a", directory: "b")',
            f"bitcodec: warning: ignoring invalid debug info in {text}",
        ],
    )
    assert "!dbg" not in str(bitcodec.open(output))


def test_the_data_layout_is_an_option(tmp_path: Path) -> None:
    text, output = tmp_path / "m.ll", tmp_path / "m.bc"
    text.write_text('target datalayout = "e"\ndefine void @f(ptr %p) {\n  call void %p()\n  ret void\n}\n')
    message = "'%p' defined with type 'ptr' but expected 'ptr addrspace(40)'"  # as llvm-as 22 -data-layout=P40
    assert message in run("as", text, "-o", output, "--data-layout", "P40").stderr
    succeed("as", text, "-o", output, "--data-layout", "E-P0")
    assert bitcodec.open(output).data_layout.text == "E-P0"
    assert "data layout" in run("as", text, "-o", output, "--data-layout", "Q").stderr


def test_an_empty_text_is_an_empty_module(tmp_path: Path) -> None:
    text, output = tmp_path / "m.ll", tmp_path / "m.bc"
    text.touch()
    succeed("as", text, "-o", output)
    expected = f"; ModuleID = '{text}'\nsource_filename = \"{text}\"\n".encode()
    assert [succeed("dis", file).splitlines()[1:] for file in (text, output)] == [expected.splitlines()[1:]] * 2
    assert succeed("as", "-", "-o", "-", stdin=b"").startswith(b"BC")
    assert "the file is empty" in fail("dis", "-", stdin=b"")


def test_nul_in_a_name(tmp_path: Path) -> None:
    path = tmp_path / "nul.ll"
    path.write_bytes(b'@"a\0b" = global i32 0\n')
    result = run("as", path, "-o", tmp_path / "nul.bc")
    assert result.exit_code == 1
    assert "nul.ll:1:1: NUL character is not allowed in names" in result.stderr


def test_debug_information_that_other_metadata_refers_to_is_not_left_out(tmp_path: Path) -> None:
    text, output = tmp_path / "m.ll", tmp_path / "m.bc"
    flags = '!llvm.module.flags = !{!0}\n!0 = !{i32 2, !"Debug Info Version", i32 3}\n'
    text.write_text(f'{flags}!nodes = !{{!1}}\n!1 = !DIMacro(type: DW_MACINFO_define, name: "")\n')
    done = run("as", text, "-o", output)
    finding = ["anonymous macro", "!1 = !DIMacro(type: DW_MACINFO_define)"]
    # The verdict precedes the second time, as in llvm-as 22.1.8.
    assert (done.exit_code, done.stderr.splitlines()) == (
        1,
        [
            *finding,
            f"bitcodec: warning: ignoring invalid debug info in {text}",
            f"bitcodec: error: {text}: assembly parsed, but does not verify as correct!",
            *finding,
        ],
    )
    assert not output.exists()
