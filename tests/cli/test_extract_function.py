"""`extract-function`: what is left, where it is written, and what is said when it cannot be."""

from __future__ import annotations

import struct
from pathlib import Path

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
        "queue.bc: there is no function relaese; did you mean release?\n"
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
