"""Atomic instructions expanded, beside `opt`: processor time of whole processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bitcodec
from benchmarks.measure import bitcodec_command, interleaved, llvm_tool, processor_time
from benchmarks.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.inputs import Input

__all__ = ["EXPANDING_ROWS"]

_FUNCTIONS = 1000
_BAR = 3.0
_TARGETS = {
    "x86-64": ("x86_64-unknown-linux-gnu", ""),
    "AArch64": ("aarch64-unknown-linux-gnu", ""),
    "RISC-V": ("riscv64-unknown-linux-gnu", "+a"),
    "RISC-V without atomics": ("riscv64-unknown-linux-gnu", ""),
    "PowerPC64": ("powerpc64-unknown-linux-gnu", ""),
    "Armv7": ("armv7-unknown-linux-gnueabihf", ""),
    "Hexagon": ("hexagon-unknown-linux-musl", ""),
}
"""Triples and features."""
_OPERATIONS = (
    *(f"{operation} ptr %p, float %number" for operation in ("fadd", "fsub", "fmax", "fmin")),
    *(f"{operation} ptr %p, i32 %count" for operation in ("uinc_wrap", "udec_wrap", "usub_cond", "usub_sat")),
)
"""No target has instructions for these."""
_OPTIONS = ("-passes=atomic-expand", "-codegen-opt-level=2")
_measured: list[object] = []


def expanding(_source: Input, runs: int, folder: Path) -> Iterator[Result]:
    """Expand 16,000 `atomicrmw` for several targets; once, for they are the same whatever is measured beside."""
    tool = llvm_tool("opt")
    if tool is None or _measured:
        return
    _measured.append(folder)
    lines = [f"  %r{{}} = atomicrmw {each} {ordering}" for each in _OPERATIONS for ordering in ("monotonic", "seq_cst")]
    body = "\n".join(line.format(number) for number, line in enumerate(lines))
    head = "define void @f{}(ptr %p, float %number, i32 %count) {{\n"
    text = "".join(f"{head.format(number)}{body}\n  ret void\n}}\n" for number in range(_FUNCTIONS))
    for name, (triple, features) in _TARGETS.items():
        path = folder / "atomics.bc"
        bitcodec.save(bitcodec.parse_assembly(f'target triple = "{triple}"\n{text}'), path)
        ours, theirs = (str(folder / each) for each in ("ours.bc", "theirs.bc"))
        options = ["--features", features] if features else []
        commands = {
            "expand": bitcodec_command("transform", "atomic-expand", str(path), *options, "-o", ours),
            "opt": [
                tool,
                "-passes=atomic-expand",
                "-codegen-opt-level=2",
                f"-mattr={features}",
                str(path),
                "-o",
                theirs,
            ],
        }
        times = interleaved({each: processor_time(command) for each, command in commands.items()}, runs)
        value = times["expand"].median / times["opt"].median
        least = times["expand"].least / times["opt"].least
        title = "transform atomic-expand / opt -passes=atomic-expand, CPU"
        yield Result(title, f"{name}, {_FUNCTIONS * len(lines):,} atomicrmw", "x", value, least, _BAR, times)


EXPANDING_ROWS = (expanding,)
