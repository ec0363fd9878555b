"""Targets that expansions are tried on."""

from __future__ import annotations

from typing import NamedTuple

from bitcodec.transforms.atomic_expand.targets import atomic_target

from .grid import SIZES, Case


class Tried(NamedTuple):
    """A target.

    Attributes:
        triple: for `opt -mtriple`.
        features: for `opt -mattr`.
        level: for `opt -codegen-opt-level`.
    """

    triple: str
    features: tuple[str, ...] = ()
    level: int = 2

    @property
    def data_layout(self) -> str:
        """Its data layout."""
        return atomic_target(self.triple).data_layout

    @property
    def options(self) -> list[str]:
        """What tells LLVM's tools."""
        return [f"-mtriple={self.triple}", f"-mattr={','.join(self.features)}", f"-codegen-opt-level={self.level}"]

    def __str__(self) -> str:
        return " ".join([self.triple.partition("-")[0], *self.features, f"O{self.level}"])


TRIED = (
    Tried("x86_64-unknown-linux-gnu"),
    Tried("x86_64-unknown-linux-gnu", ("+cx16",)),
    Tried("aarch64-unknown-linux-gnu"),
    Tried("aarch64-unknown-linux-gnu", level=0),
    Tried("aarch64-unknown-linux-gnu", ("+lse",)),
    Tried("aarch64-unknown-linux-gnu", ("+lse",), level=0),
    Tried("aarch64-unknown-linux-gnu", ("+outline-atomics",)),
    Tried("aarch64-unknown-linux-gnu", ("+lse", "+lse2")),
    Tried("riscv64-unknown-linux-gnu", ("+a",)),
    Tried("riscv64-unknown-linux-gnu"),
    Tried("riscv64-unknown-linux-gnu", ("+a", "+zabha")),
    Tried("riscv64-unknown-linux-gnu", ("+a", "+zabha", "+zacas")),
    Tried("armv7-unknown-linux-gnueabihf"),
    Tried("armv7-unknown-linux-gnueabihf", level=0),
    Tried("powerpc64-unknown-linux-gnu"),
    Tried("powerpc64le-unknown-linux-gnu"),
)


def crashes(target: Tried, case: Case) -> bool:
    """Return whether `opt` of LLVM 22 crashes over a case, or its result is not sound."""
    wide = (case.alignment or SIZES[case.type]) >= SIZES[case.type]
    if target.triple.startswith("powerpc64le") and case.opcode == "atomicrmw" and SIZES[case.type] == 16 and wide:
        # No intrinsic of two registers does this.
        return case.operation not in ("xchg", "add", "sub", "and", "or", "xor", "nand") or case.type != "i128"
    if "space" in case.flags:
        # Intrinsics without a type in their names are given a pointer into another address space.
        is_linked = case.opcode == "cmpxchg" or case.operation in ("uinc_wrap", "udec_wrap", "usub_cond", "usub_sat")
        wraps = target.triple.startswith("powerpc") and (is_linked or case.type in ("float", "i128"))
        return wraps or (target.triple.startswith("aarch64") and case.type == "i128")
    # Halves are joined to what is no integer.
    is_vector = case.type in ("<2 x i32>", "<2 x float>")
    return target.triple.startswith("armv7") and case.opcode in ("load", "store") and is_vector and wide
