"""`transform atomic-expand`: what it writes, and what is said when it cannot."""

from __future__ import annotations

from pathlib import Path

import bitcodec
from bitcodec.ir.module import Module

from .running import fail, succeed

QUEUE = Path(__file__).parents[2] / "examples" / "queue.bc"


def expanded(*options: str) -> Module:
    return bitcodec.loads(succeed("transform", "atomic-expand", QUEUE, "-o", "-", *options))


def called(module: Module) -> set[str]:
    return {function.name for function in module.functions if not function.blocks} - {"report"}


def test_target_of_the_module() -> None:
    module = expanded()
    assert module.target_triple == "x86_64-unknown-linux-gnu"
    assert called(module) == set()


def test_target() -> None:
    module = expanded("--target", "aarch64-linux-gnu")
    assert module.target_triple == "aarch64-unknown-linux-gnu"
    assert called(module) == {"llvm.aarch64.ldaxr.p0", "llvm.aarch64.stxr.p0"}
    assert called(expanded("--target", "aarch64-linux-gnu", "--cpu", "neoverse-n1")) == set()
    assert called(expanded("--target", "aarch64-linux-gnu", "--features", "+lse")) == set()
    assert called(expanded("--target", "aarch64-linux-gnu", "--codegen-opt-level", "0")) == set()


def test_refused(tmp_path: Path) -> None:
    output = tmp_path / "out.bc"
    message = fail("transform", "atomic-expand", QUEUE, "-o", output, "--target", "csky")
    assert "atomic accesses of 'csky' are not known, only of x86_64" in message
    assert not output.exists()
    assert "a feature is spelled" in fail("transform", "atomic-expand", QUEUE, "-o", output, "--features", "lse")


OLD_LAYOUT = """
target datalayout = "e-m:e-p:32:32-i64:64-f128:64-n32-S64"
target triple = "sparc-unknown-unknown"
define i128 @f(ptr %p) {
  %r = load atomic i128, ptr %p seq_cst, align 16
  ret i128 %r
}
"""


def test_only_bitcode_gets_a_newer_data_layout(tmp_path: Path) -> None:
    """`opt-22 -S -passes=atomic-expand` aligns the room for the result so: the layout of text counts as it is."""
    text = tmp_path / "old.ll"
    text.write_text(OLD_LAYOUT)
    bitcode = tmp_path / "old.bc"
    bitcode.write_bytes(bitcodec.dumps(bitcodec.parse_assembly(OLD_LAYOUT)))
    for file, alignment in ((text, 8), (bitcode, 16)):
        module = bitcodec.loads(succeed("transform", "atomic-expand", file, "-o", "-"))
        assert f"alloca i128, align {alignment}\n" in str(module)
