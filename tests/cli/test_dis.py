"""`dis`: what is printed, where it goes, and what is said when it cannot be."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
from pathlib import Path

import pytest

import bitcodec
from answers import ask
from containers.builders import gnu_archive
from corpus import FOLDER, needs_corpus

from .running import BITCODEC, fail, process, run, succeed

ROOT = Path(__file__).parents[2]
HELLO = ROOT / "examples" / "hello.bc"
QUEUE = ROOT / "examples" / "queue.bc"
COLOR = re.compile(r"\x1b\[[0-9;]*m")


def test_text_is_that_of_the_module() -> None:
    assert succeed("dis", HELLO).decode() == str(bitcodec.open(HELLO))


def test_it_is_what_llvm_dis_prints() -> None:
    theirs = ask(["llvm-dis-22", HELLO, "-o", "-"], check=True).stdout
    assert succeed("dis", HELLO) == theirs
    from_pipe = ask(["llvm-dis-22"], input=HELLO.read_bytes(), check=True).stdout
    assert succeed("dis", "-", stdin=HELLO.read_bytes()) == from_pipe
    assert b"; ModuleID = '<stdin>'" in from_pipe


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    output = tmp_path / "a.ll"
    assert succeed("dis", HELLO, "-o", output) == b""
    assert output.read_bytes() == succeed("dis", HELLO)
    assert [path.name for path in tmp_path.iterdir()] == ["a.ll"]


def test_what_was_there_stays_when_something_is_wrong(tmp_path: Path) -> None:
    broken, output = tmp_path / "a.bc", tmp_path / "a.ll"
    broken.write_bytes(HELLO.read_bytes()[:-1024])
    output.write_text("old")
    assert str(broken) in fail("dis", broken, "-o", output)
    assert output.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.bc", "a.ll"]


def test_one_function() -> None:
    text = succeed("dis", QUEUE, "--function", "release").decode()
    assert re.findall(r"^define .*@(\w+)\(", text, re.MULTILINE) == ["release"]
    assert succeed("dis", QUEUE, "--function", "@release").decode() == text


SPACES = r"""
target datalayout = "P11-p2(global):32:8-p8(stack):8:8-p11(code):8:8-p3(we\22 ird):32:32"
@str = private addrspace(2) constant [4 x i8] c"str\00"
@p = addrspace(2) global { ptr addrspace(2), i8 } { ptr addrspace(2) @str, i8 0 }
@w = external addrspace(3) global ptr addrspace(8)
@z = addrspace(5) global i8 0
@a = alias [4 x i8], ptr addrspace(2) @str
declare ptr addrspace(2) @use(ptr addrspace(8) byref(ptr addrspace(2))) addrspace(0)
define void @bar(ptr addrspace(2) %q) addrspace(11) {
  %a = alloca i32, addrspace(8)
  %d = alloca i32, addrspace(5)
  %l = load ptr addrspace(2), ptr addrspace(2) %q
  call addrspace(11) void @bar(ptr addrspace(2) %q)
  %r = call addrspace(0) ptr addrspace(2) @use(ptr addrspace(8) %a)
  ret void
}
"""
SPACES_BY_NAME = r"""; ModuleID = '<stdin>'
source_filename = "<stdin>"
target datalayout = "P11-p2(global):32:8-p8(stack):8:8-p11(code):8:8-p3(we" ird):32:32"

@str = private addrspace("global") constant [4 x i8] c"str\00"
@p = addrspace("global") global { ptr addrspace("global"), i8 } { ptr addrspace("global") @str, i8 0 }
@w = external addrspace("we" ird") global ptr addrspace("stack")
@z = addrspace(5) global i8 0

@a = alias [4 x i8], ptr addrspace("global") @str

declare ptr addrspace("global") @use(ptr addrspace("stack") byref(ptr addrspace("global"))) addrspace(0)

define void @bar(ptr addrspace("global") %q) addrspace("code") {
  %a = alloca i32, align 4, addrspace("stack")
  %d = alloca i32, align 4, addrspace(5)
  %l = load ptr addrspace("global"), ptr addrspace("global") %q, align 1
  call addrspace("code") void @bar(ptr addrspace("global") %q)
  %r = call addrspace(0) ptr addrspace("global") @use(ptr addrspace("stack") %a)
  ret void
}
"""
"""Printed by `llvm-dis --print-addrspace-name` of LLVM 22.1.8."""


def test_names_of_address_spaces() -> None:
    data = succeed("as", "--no-verify", "-", "-o", "-", stdin=SPACES.encode())
    assert succeed("dis", "--print-addrspace-name", "-", stdin=data).decode() == SPACES_BY_NAME
    assert b'addrspace("' not in succeed("dis", "-", stdin=data)
    refused = run("dis", QUEUE, "--print-addrspace-name", "--function", "pop")
    assert (refused.exit_code, "--print-addrspace-name is for whole modules" in refused.stderr) == (2, True)


def test_names_of_address_spaces_live() -> None:
    data = succeed("as", "--no-verify", "-", "-o", "-", stdin=SPACES.encode())
    command = ["llvm-dis-22", "--print-addrspace-name"]
    assert ask(command, input=data, check=True, text=True).stdout == SPACES_BY_NAME


def test_orders_of_uses() -> None:
    text = succeed("dis", QUEUE, "--preserve-ll-uselistorder")
    assert text == bitcodec.print_assembly(bitcodec.open(QUEUE), preserve_use_list_order=True).encode()
    assert b"\n; uselistorder directives\n  uselistorder " in text
    refused = run("dis", QUEUE, "--preserve-ll-uselistorder", "--function", "pop")
    assert (refused.exit_code, "leave out --function" in refused.stderr) == (2, True)


def test_several_functions_in_the_order_asked_for() -> None:
    text = succeed("dis", QUEUE, "--function", "release", "--function", "pop").decode()
    assert re.findall(r"^define .*@(\w+)\(", text, re.MULTILINE) == ["release", "pop"]
    assert "\n}\n\n" in text


def test_a_declaration() -> None:
    assert "declare " in succeed("dis", HELLO, "--function", "printf").decode()


def test_a_function_that_is_not_there() -> None:
    assert fail("dis", HELLO, "--function", "prinft").endswith("hello.bc: no function prinft; did you mean printf?\n")
    assert fail("dis", HELLO, "--function", "zzz").endswith("hello.bc: no function zzz\n")


def test_modules_in_an_archive(tmp_path: Path) -> None:
    archive = tmp_path / "lib.a"
    archive.write_bytes(gnu_archive(("hello.o", HELLO.read_bytes()), ("queue.o", QUEUE.read_bytes())))
    text = succeed("dis", archive).decode()
    assert re.findall(r"^; ModuleID = '.*(lib\.a.*)'$", text, re.MULTILINE) == ["lib.a(hello.o)", "lib.a(queue.o)"]
    assert "@release(" in succeed("dis", archive, "--function", "release").decode()


def test_what_holds_no_module(tmp_path: Path) -> None:
    diagnostics = tmp_path / "a.dia"
    diagnostics.write_bytes(b"DIAG" + bytes(4))
    assert "expected LLVM IR" in fail("dis", diagnostics)
    assert "No such file" in fail("dis", tmp_path / "nothing.bc")


def test_colors() -> None:
    plain = succeed("dis", HELLO)
    colored = succeed("dis", HELLO, "--color", "always").decode()
    assert "\x1b[" in colored
    assert COLOR.sub("", colored).encode() == plain
    assert succeed("dis", HELLO, "--color", "never") == plain


def test_colors_do_not_let_a_file_speak_to_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[2Jb.bc"
    path.write_bytes(HELLO.read_bytes())
    assert "\x1b[2J" not in succeed("dis", path, "--color", "always").decode()


@pytest.mark.skipif(os.name == "nt", reason="pipes end otherwise")
def test_a_reader_that_has_seen_enough() -> None:
    command = f"{' '.join(BITCODEC)} dis {HELLO} | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout == f"; ModuleID = '{HELLO}'\n"
    assert done.stderr == ""


def test_a_full_disk() -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*BITCODEC, "dis", HELLO], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr


def test_exit_codes_of_a_process() -> None:
    assert process("dis", HELLO).returncode == 0
    assert process("dis", HELLO, "--function", "x").returncode == 1
    assert process("dis", "--color", "red").returncode == 2


@needs_corpus
def test_files_in_the_words_of_llvm() -> None:
    path = FOLDER / "modules" / "structs-bpf-22.bc"
    text = process("dis", path.name, folder=path.parent).stdout
    assert text == gzip.decompress(path.with_name(f"{path.name}.ll.gz").read_bytes())


@needs_corpus
def test_every_broken_file_gets_one_line() -> None:
    for path in sorted((FOLDER / "invalid").glob("*.bc")):
        result = run("dis", path)
        assert result.exit_code in {0, 1}
        assert result.stderr.count("\n") == result.exit_code


def test_several_modules_have_a_file_each(tmp_path: Path) -> None:
    both, output = tmp_path / "both.bc", tmp_path / "text.ll"
    both.write_bytes(HELLO.read_bytes() + QUEUE.read_bytes())
    succeed("dis", both, "-o", output)
    assert not output.exists()
    texts = [(tmp_path / f"text.ll.{number}").read_text() for number in (0, 1)]
    assert "".join(texts) == succeed("dis", both).decode()
    assert [text.partition("\n")[2] for text in texts] == [
        str(bitcodec.open(file)).partition("\n")[2] for file in (HELLO, QUEUE)
    ]
