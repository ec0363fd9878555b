"""LLVM assembly in the place of bitcode: every command prints and writes of a text what it does of its bitcode."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import bitcodec
from bitcodec import corpus
from bitcodec.report import collect

from .running import run, succeed

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
source_filename = "module.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@x = global i32 1

define i32 @f(i32 %a) {
entry:
  %v = load i32, ptr @x, align 4, !pcsections !1
  %r = atomicrmw add ptr @x, i32 %a seq_cst, align 4
  ret i32 %v
}

!llvm.module.flags = !{!0}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{!"section"}
"""

PRINTING = [
    ("info",),
    ("info", "--json"),
    ("dis",),
    ("verify",),
    ("nm",),
    ("dump",),
    ("dump", "--json"),
    ("analyze",),
    ("doctor", "--json"),
    ("flags", "show"),
    ("flags", "check"),
    ("flags", "merge"),
    ("flags", "conflicts"),
    ("flags", "lint"),
    ("pcsections", "show"),
    ("pcsections", "audit", "FILE"),
    ("report", "--json"),
]
WRITING = [
    ("strip", "FILE"),
    ("downgrade", "--llvm", "15", "FILE"),
    ("extract-function", "FILE", "f"),
    ("flags", "set", "FILE", "wchar_size=2"),
    ("flags", "remove", "FILE", "wchar_size"),
    ("transform", "atomic-expand", "FILE"),
    ("wrap", "FILE"),
    ("link", "FILE"),
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return a text, and its bitcode in a folder of its own under the same name."""
    text, bitcode = tmp_path / "text" / "module", tmp_path / "bitcode" / "module"
    for file in (text, bitcode):
        file.parent.mkdir()
    text.write_text(TEXT)
    succeed("as", text, "-o", bitcode)
    return text, bitcode


@pytest.mark.parametrize("command", PRINTING, ids=" ".join)
def test_the_same_is_printed(command: tuple[str, ...], files: tuple[Path, Path]) -> None:
    done = [run(*(file if part == "FILE" else part for part in command), file) for file in files]
    printed = [one.stdout.replace(str(file.parent), "") for one, file in zip(done, files, strict=True)]
    assert printed[0] == printed[1]
    assert done[0].exit_code == done[1].exit_code


@pytest.mark.parametrize("command", WRITING, ids=" ".join)
def test_the_same_is_written(command: tuple[str, ...], files: tuple[Path, Path], tmp_path: Path) -> None:
    written = []
    for file in files:
        output = tmp_path / "output"
        succeed(*(file if part == "FILE" else part for part in command), "-o", output)
        written.append(bitcodec.print_assembly(bitcodec.open(output)))
    assert written[0] == written[1]


def test_a_text_and_its_bitcode_do_not_differ(files: tuple[Path, Path]) -> None:
    assert succeed("diff", *files) == b""


def test_the_report_is_of_the_bitcode(files: tuple[Path, Path]) -> None:
    found = collect(files)
    assert found.files[0].size == found.files[1].size
    assert [module.functions[0].name for file in found.files for module in file.modules] == ["f", "f"]


def test_tables_take_texts(files: tuple[Path, Path], tmp_path: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    (folder / "a.ll").write_text(TEXT)
    (folder / "bad.ll").write_text("define nonsense\n")
    (folder / "Makefile").write_text("define RULE\nendef\n")
    summary = corpus.write_tables([str(folder), str(files[0])], str(tmp_path / "tables"))
    assert (summary.modules, summary.duplicates, summary.errors) == (1, 1, 1)


def test_diagnosing_takes_text() -> None:
    [diagnosis] = bitcodec.diagnose(TEXT.encode())
    assert diagnosis.needs is not None


def test_errors_of_text_name_the_place(tmp_path: Path) -> None:
    file = tmp_path / "bad.ll"
    file.write_text("@x = global i32 1\n@y = i32 zz\n")
    for command in ("info", "doctor", "analyze", "nm"):
        assert "bad.ll:2:6: " in run(command, file).stderr
    assert "2:6" in run("report", file, "--json").stderr


def test_files_of_pc_sections_are_no_modules(files: tuple[Path, Path]) -> None:
    text, bitcode = (run("pcsections", "decode", file).stderr for file in files)
    assert "(LLVM assembly): `bitcodec pcsections show` lists the requests of a module" in text
    assert "(bitstream): `bitcodec pcsections show` lists the requests of a module" in bitcode


def test_schemas_may_be_text(files: tuple[Path, Path], tmp_path: Path) -> None:
    pytest.importorskip("llvmlite")
    output = tmp_path / "module.o"
    succeed("pcsections", "compile", files[0], "-o", output)
    decoded = [succeed("pcsections", "decode", output, "--schema", file) for file in files]
    assert decoded[0] == decoded[1]
    assert b"section" in decoded[0]


MISSPELLED = """defin i32 @f() {
  ret i32 0
}
"""


@pytest.mark.parametrize("command", [("dis",), ("info",), ("doctor",), ("report", "--json"), ("verify",)])
def test_the_name_of_a_file_says_that_it_is_assembly(tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "misspelled.ll"
    path.write_text(MISSPELLED)
    done = run(*command, path)
    assert done.exit_code in (1, 2)
    first, *excerpt = done.stderr.splitlines()
    assert first == f"bitcodec: error: {path}:1:1: expected top-level entity"
    assert excerpt == ["defin i32 @f() {", "^"]


def test_opening_assembly_that_begins_with_no_entity(tmp_path: Path) -> None:
    path = tmp_path / "misspelled.ll"
    path.write_text(MISSPELLED)
    message = f"^{re.escape(str(path))}:1:1: expected top-level entity$"
    for use in (bitcodec.open, bitcodec.open_all, lambda file: bitcodec.link([file]), lambda file: collect([file])):
        with pytest.raises(bitcodec.AssemblyError, match=message):
            use(path)
    long = tmp_path / "long.ll"
    long.write_text(MISSPELLED + "; \n" * (1 << 16))
    with long.open("rb") as file, pytest.raises(bitcodec.AssemblyError, match="expected top-level entity"):
        bitcodec.open(file)
    other = tmp_path / "other.txt"
    other.write_text(MISSPELLED)
    with pytest.raises(bitcodec.BitcodecError, match="this is text, not bitcode"):
        bitcodec.open(other)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"version https://git-lfs.github.com/spec/v1\n", "a pointer of Git LFS"),
        (b"\x00\x01\x02\x03 no text\x00" * 9, "no bitcode, object file or archive"),
    ],
)
def test_what_only_has_the_name_of_assembly(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "other.ll"
    path.write_bytes(content)
    with pytest.raises(bitcodec.BitcodecError, match=message):
        bitcodec.open(path)


@pytest.mark.parametrize(
    "command",
    [("strip",), ("downgrade", "--llvm", "15"), ("link",), ("transform", "atomic-expand"), ("as",), ("wrap",)],
    ids=" ".join,
)
def test_bitcode_in_a_file_named_like_assembly(
    command: tuple[str, ...], files: tuple[Path, Path], tmp_path: Path
) -> None:
    output = tmp_path / "output.ll"
    done = run(*command, files[0], "-o", output)
    warning = f"bitcodec: warning: {output}: contains bitcode, not assembly; `bitcodec dis` makes assembly of bitcode"
    assert done.exit_code == 0
    assert warning in done.stderr.splitlines()
    assert "warning" not in run(*command, files[0], "-o", output.with_suffix(".bc")).stderr


def test_assembly_in_a_file_named_like_assembly(files: tuple[Path, Path], tmp_path: Path) -> None:
    for command in (("dis",), ("link", "-S")):
        done = run(*command, files[1], "-o", tmp_path / "output.ll")
        assert (done.exit_code, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [("strip", "FILE"), ("flags", "set", "FILE", "wchar_size=2"), ("transform", "atomic-expand", "FILE")],
    ids=" ".join,
)
def test_assembly_is_not_replaced_with_bitcode(command: tuple[str, ...], files: tuple[Path, Path]) -> None:
    text = files[0]
    done = run(*(text if part == "FILE" else part for part in command), "--in-place")
    reason = "this is assembly, which --in-place would replace with bitcode: use -o FILE.bc"
    assert (done.exit_code, done.stderr) == (1, f"bitcodec: error: {text}: {reason}\n")
    assert text.read_text() == TEXT
