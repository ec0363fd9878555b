"""Targets that expansions are tried on."""

from __future__ import annotations

from typing import NamedTuple

from bitcodec.ir.module import Module
from bitcodec.transforms import expand_atomics
from bitcodec.transforms.atomic_expand.targets import atomic_target


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
    def architecture(self) -> str:
        """The name that begins the triple."""
        return self.triple.partition("-")[0]

    @property
    def data_layout(self) -> str:
        """Its data layout."""
        return atomic_target(self.triple).data_layout

    @property
    def head(self) -> str:
        """The lines that begin the text of a module for it."""
        return f'target datalayout = "{self.data_layout}"\ntarget triple = "{self.triple}"'

    @property
    def options(self) -> list[str]:
        """What tells LLVM's tools."""
        return [f"-mtriple={self.triple}", f"-mattr={','.join(self.features)}", f"-codegen-opt-level={self.level}"]

    def expand(self, module: Module) -> int:
        """Expand a module for it."""
        return expand_atomics(module, self.triple, features=self.features, is_optimized=self.level > 0)

    def __str__(self) -> str:
        return " ".join([self.architecture, *self.features, f"O{self.level}"])


_AARCH64 = "aarch64-unknown-linux-gnu"
_RISCV64 = "riscv64-unknown-linux-gnu"
_ARMV7 = "armv7-unknown-linux-gnueabihf"

TRIED = (
    Tried("x86_64-unknown-linux-gnu"),
    Tried("x86_64-unknown-linux-gnu", ("+cx16",)),
    Tried("x86_64-unknown-linux-gnu", ("+cx16", "+avx")),
    Tried(_AARCH64),
    Tried(_AARCH64, level=0),
    Tried(_AARCH64, ("+lse",)),
    Tried(_AARCH64, ("+lse",), level=0),
    Tried(_AARCH64, ("+outline-atomics",)),
    Tried(_AARCH64, ("+lse", "+lse2")),
    Tried(_RISCV64, ("+a",)),
    Tried(_RISCV64),
    Tried(_RISCV64, ("+a", "+zabha")),
    Tried(_RISCV64, ("+a", "+zabha", "+zacas")),
    Tried(_ARMV7),
    Tried(_ARMV7, level=0),
    Tried("powerpc64-unknown-linux-gnu"),
    Tried("powerpc64le-unknown-linux-gnu"),
)
