"""`extract-function`: what is left, where it is written, and what is said when it cannot be."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

import bitcodec
from bits import wrapped
from corpus import FOLDER, needs_corpus

from .running import fail, llvm_process, run, succeed

ROOT = Path(__file__).parents[2]
HELLO = ROOT / "examples" / "hello.bc"
QUEUE = ROOT / "examples" / "queue.bc"
DATA = ROOT / "tests" / "data"


def defined(data: bytes) -> list[str]:
    return [function.name for function in bitcodec.loads(data).functions if not function.is_declaration]


def test_one_function(tmp_path: Path) -> None:
    output = tmp_path / "pop.bc"
    assert succeed("extract-function", QUEUE, "pop", "-o", output) == b""
    assert defined(output.read_bytes()) == ["pop"]
    assert succeed("extract-function", QUEUE, "@pop", "-o", "-") == output.read_bytes()


def test_several_functions_and_what_they_call() -> None:
    assert defined(succeed("extract-function", QUEUE, "pop", "release", "-o", "-")) == ["release", "pop"]
    assert defined(succeed("extract-function", "-r", QUEUE, "push", "-o", "-")) == ["push", "acquire", "release"]


@needs_corpus
def test_it_is_what_llvm_extract_leaves() -> None:
    name, function = "linkage-O2-22.bc", "driver"
    path = FOLDER / "modules" / name
    theirs = llvm_process("llvm-extract", "-S", f"--func={function}", name, folder=path.parent).stdout.decode()
    ours = succeed("extract-function", path, function, "-o", "-")
    assert str(bitcodec.loads(ours, name)) == theirs


def test_functions_that_are_not_there(tmp_path: Path) -> None:
    output = tmp_path / "out.bc"
    assert fail("extract-function", QUEUE, "pop", "relaese", "-o", output).endswith(
        "queue.bc: no function relaese; did you mean release?\n"
    )
    assert fail("extract-function", HELLO, "printf", "-o", output).endswith(
        "hello.bc: the function printf is only declared there\n"
    )
    assert not output.exists()


def test_a_wrapper_stays() -> None:
    bare = succeed("extract-function", QUEUE, "pop", "-o", "-")
    data = succeed("extract-function", "-", "pop", "-o", "-", stdin=wrapped(QUEUE.read_bytes(), cpu_type=12))
    assert struct.unpack_from("<5I", data) == (0x0B17C0DE, 0, 20, len(bare), 12)
    assert data[20 : 20 + len(bare)] == bare


def test_several_modules() -> None:
    assert "`bitcodec extract` takes them apart" in fail("extract-function", DATA / "multi-cat-22.bc", "f", "-o", "-")


def test_wrong_use() -> None:
    assert run("extract-function", QUEUE, "pop").exit_code == 2
    assert run("extract-function", QUEUE, "-o", "-").exit_code == 2


GLOBALS = """
source_filename = "x.c"
@zed = global i32 0
@zeda0 = alias i32, ptr @zed
@a0foo = internal alias ptr (), ptr @foo
@pc = private constant i32 7
@lc = linkonce_odr constant ptr @zed
@ae = available_externally constant i32 3
@v = internal global ptr @pc
@w = global [2 x ptr] [ptr @v, ptr @a0bar]
@td = thread_local global i32 5
@llvm.global_ctors = appending global [1 x ptr] [ptr @bar]
@llvm.used = appending global [1 x ptr] [ptr @zed], section "llvm.metadata"
@if0 = ifunc void (), ptr @foo

define ptr @foo() {
  call void @a0bar()
  %x = load i32, ptr @lc
  %y = load i32, ptr @ae
  ret ptr @zeda0
}

@a0a0bar = linkonce_odr alias void (), ptr @bar
@a0bar = alias void (), ptr @bar

define internal void @bar() {
  %c = call ptr @foo()
  call void @if0()
  ret void
}
"""

# What `llvm-extract-22 -S` leaves with its options of the same meaning: lines of variables and aliases, and how those
# of functions begin.
LEFT = {
    "--alias zeda0": (
        "@zed = external global i32",
        "@zeda0 = alias i32, ptr @zed",
    ),
    "--alias-regex .*bar": (
        "@a0a0bar = weak_odr alias void (), ptr @bar",
        "@a0bar = alias void (), ptr @bar",
        "declare hidden void @bar",
    ),
    "--variable w --alias a0foo": (
        "@v = external hidden global ptr",
        "@w = global [2 x ptr] [ptr @v, ptr @a0bar]",
        "@a0foo = hidden alias ptr (), ptr @foo",
        "declare ptr @foo",
        "declare void @a0bar",
    ),
    "foo --keep-const-init": (
        "@zed = external global i32",
        "@pc = hidden constant i32 7",
        "@lc = weak_odr constant ptr @zed",
        "@ae = available_externally constant i32 3",
        "@zeda0 = external global i32",
        "define ptr @foo",
        "declare void @a0bar",
    ),
    "--variable-regex ^l bar": (
        "@zed = external global i32",
        "@lc = weak_odr constant ptr @zed",
        "@llvm.global_ctors = appending global [1 x ptr] [ptr @bar]",
        '@llvm.used = appending global [1 x ptr] [ptr @zed], section "llvm.metadata"',
        "declare ptr @foo",
        "define hidden void @bar",
        "declare void @if0",
    ),
    "--alias zeda0 --variable v --variable w --delete": (
        "@zed = global i32 0",
        "@pc = hidden constant i32 7",
        "@lc = weak_odr constant ptr @zed",
        "@ae = available_externally constant i32 3",
        "@v = external hidden global ptr",
        "@td = thread_local global i32 5",
        "@llvm.global_ctors = appending global [1 x ptr] [ptr @bar]",
        '@llvm.used = appending global [1 x ptr] [ptr @zed], section "llvm.metadata"',
        "@zeda0 = external global i32",
        "@a0foo = hidden alias ptr (), ptr @foo",
        "@a0a0bar = weak_odr alias void (), ptr @bar",
        "@a0bar = alias void (), ptr @bar",
        "@if0 = ifunc void (), ptr @foo",
        "define ptr @foo",
        "define hidden void @bar",
    ),
    "foo --alias a0bar --recursive --delete": (
        "@zed = global i32 0",
        "@pc = hidden constant i32 7",
        "@lc = weak_odr constant ptr @zed",
        "@ae = available_externally constant i32 3",
        "@v = hidden global ptr @pc",
        "@w = global [2 x ptr] [ptr @v, ptr @a0bar]",
        "@td = thread_local global i32 5",
        "@llvm.global_ctors = appending global [1 x ptr] [ptr @bar]",
        '@llvm.used = appending global [1 x ptr] [ptr @zed], section "llvm.metadata"',
        "@zeda0 = alias i32, ptr @zed",
        "@a0foo = hidden alias ptr (), ptr @foo",
        "@a0a0bar = weak_odr alias void (), ptr @bar",
        "@if0 = ifunc void (), ptr @foo",
        "declare ptr @foo",
        "define hidden void @bar",
        "declare void @a0bar",
    ),
}


def heads(text: str) -> tuple[str, ...]:
    lines = [line for line in text.splitlines() if line.startswith(("@", "define", "declare"))]
    return tuple(line if line.startswith("@") else line.partition("(")[0] for line in lines)


@pytest.mark.parametrize("options", LEFT)
def test_variables_and_aliases(tmp_path: Path, options: str) -> None:
    file = tmp_path / "globals.ll"
    file.write_text(GLOBALS)
    module = bitcodec.loads(succeed("extract-function", file, *options.split(), "-o", "-"))
    assert heads(str(module)) == LEFT[options]


def test_variables_and_aliases_that_are_not_there(tmp_path: Path) -> None:
    output = tmp_path / "out.bc"
    for option, message in (
        ("--variable", "variable nothing not found"),
        ("--alias", "alias nothing not found"),
        ("--variable-regex", "no variable matches the pattern nothing"),
        ("--alias-regex", "no alias matches the pattern nothing"),
    ):
        assert message in fail("extract-function", QUEUE, option, "nothing", "-o", output)
    assert not output.exists()
