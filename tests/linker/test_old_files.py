"""Files of older LLVMs: bodies whose upgrade declares intrinsics, and structs that only pointers lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask
from cli.running import fail

DATA = Path(__file__).parents[1] / "data" / "link"
FILES = [DATA / f"{name}-11.bc" for name in ("first", "second", "third")]


def linked() -> bitcodec.Module:
    return bitcodec.link(FILES)


def test_text_is_that_of_llvm() -> None:
    """Each body with a mark of a lifetime declares the new intrinsic; `%P.0` is free again for the third file."""
    assert bitcodec.print_assembly(linked()) == (DATA / "linked.ll").read_text()


def test_result_can_be_written() -> None:
    module = bitcodec.loads(bitcodec.dumps(linked()))
    assert module.verify() == []
    assert [function.name for function in module.functions if function.is_intrinsic] == [
        "llvm.lifetime.start.p0",
        "llvm.lifetime.end.p0",
        "llvm.objectsize.i64.p0",
    ]


def test_golden_is_what_llvm_link_prints() -> None:
    done = ask(["llvm-link-22", "-S", *FILES, "-o", "-"], check=True, keeps="digest")
    assert done.stdout.decode() == (DATA / "linked.ll").read_text()


def test_errors_of_writing_are_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_module: bitcodec.Module) -> bytes:
        raise bitcodec.EncodingError("there are too many types")

    monkeypatch.setattr("bitcodec.bitcode.saving.dumps", refuse)
    found = fail("link", FILES[0], "-o", tmp_path / "linked.bc")
    assert found == "bitcodec: error: the linked module: there are too many types\n"


KERNEL = """target triple = "nvptx64-nvidia-cuda"
declare void @use(...)
define void @kernel(ptr %0) {
  call void (...) @use(ptr %0)
  ret void
}
!annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
"""


def before_upgrades(folder: Path) -> Path:
    """Write a module that LLVM upgrades when it reads the whole of it: the text is of what is upgraded already."""
    module = bitcodec.parse_assembly(KERNEL)
    module.functions["use"].name = "clang.arc.use"
    named = module.named_metadata.pop("annotations")
    named.name = "nvvm.annotations"
    module.named_metadata[named.name] = named
    bitcodec.save(module, folder / "kernel.bc")
    return folder / "kernel.bc"


def test_upgrades_of_whole_modules_are_left_to_readers_of_the_result(tmp_path: Path) -> None:
    file = before_upgrades(tmp_path)
    text = bitcodec.print_assembly(bitcodec.link([file]))
    assert "define void @kernel" in text
    assert "@clang.arc.use" in text
    assert '!{ptr @kernel, !"kernel", i32 1}' in text
    read = bitcodec.print_assembly(bitcodec.open(file))
    assert "define ptx_kernel void @kernel" in read
    assert "@llvm.objc.clang.arc.use" in read
    written = bitcodec.dumps(bitcodec.link([file]))
    assert bitcodec.print_assembly(bitcodec.loads(written)).partition("triple")[2] == read.partition("triple")[2]


def test_upgrades_are_those_of_llvm_link(tmp_path: Path) -> None:
    file = before_upgrades(tmp_path)
    done = ask(["llvm-link-22", "-S", file, "-o", "-"], check=True)
    assert bitcodec.print_assembly(bitcodec.link([file])) == done.stdout.decode()
