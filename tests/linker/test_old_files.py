"""Files of older LLVMs: bodies whose upgrade declares intrinsics, and structs that only pointers lead to."""

from __future__ import annotations

from pathlib import Path

import pytest

import bitcodec
from answers import ask
from bitcodec.bitcode import proving
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


RUNTIME = """target triple = "x86_64-apple-macosx10.14.0"
declare ptr @retain(ptr)
declare void @use(...)
define ptr @f(ptr %0) {
  %2 = call ptr @retain(ptr %0)
  call void (...) @use(ptr %2)
  ret ptr %2
}
!marker = !{!0}
!0 = !{!"mov\09fp, fp\09\09# marker for objc_retainAutoreleaseReturnValue"}
"""


def calling_the_runtime(folder: Path) -> Path:
    """Write a module that calls the runtime of Objective-C as clang 7 and earlier wrote it."""
    module = bitcodec.parse_assembly(RUNTIME)
    module.functions["use"].name = "clang.arc.use"
    module.functions["retain"].name = "objc_retain"
    named = module.named_metadata.pop("marker")
    named.name = "clang.arc.retainAutoreleasedReturnValueMarker"
    module.named_metadata[named.name] = named
    bitcodec.save(module, folder / "runtime.bc")
    return folder / "runtime.bc"


def test_calls_of_the_runtime_are_left_to_readers_of_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = calling_the_runtime(tmp_path)
    done = ask(["llvm-link-22", "-S", file, "-o", "-"], check=True)
    assert b"@objc_retain(" in done.stdout
    assert b"@clang.arc.use(" in done.stdout
    assert bitcodec.print_assembly(bitcodec.link([file])) == done.stdout.decode()
    # A proof of the written bitcode upgrades the calls as its reader does.
    monkeypatch.setattr(proving, "IS_ON", True)
    written = tmp_path / "written.bc"
    written.write_bytes(bitcodec.dumps(bitcodec.link([file])))
    read = ask(["llvm-dis-22", written, "-o", "-"], check=True).stdout.decode()
    assert "@llvm.objc.retain(" in read
    assert "@llvm.objc.clang.arc.use(" in read
    assert bitcodec.print_assembly(bitcodec.open(written)) == read
