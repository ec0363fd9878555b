"""The targets that encodings are held against LLVM's back ends for."""

from __future__ import annotations

from typing import NamedTuple

from bitcodec.ir.module import Module
from bitcodec.pcsections.encoding.targets import Target

from .recipes import Body, module_of


class Backend(NamedTuple):
    """A target: `word` is how many bytes a load takes there, 0 where loads lose their nodes."""

    triple: str
    word: int = 4

    def module(self, bodies: tuple[Body, ...], layout: str = "") -> Module:
        """Make a module of functions; without a layout that which the project knows."""
        return module_of(bodies, self.triple, layout or str(Target.of(self.triple).data_layout))


BACKENDS = (
    Backend("x86_64-unknown-linux-gnu", 2),
    Backend("x86_64-unknown-linux-gnux32", 3),
    Backend("i386-unknown-linux-gnu", 2),
    Backend("aarch64-unknown-linux-gnu"),
    Backend("aarch64_be-unknown-linux-gnu"),
    Backend("aarch64-unknown-linux-gnu_ilp32"),
    Backend("arm-unknown-linux-gnueabi"),
    Backend("armeb-unknown-linux-gnueabi"),
    Backend("riscv32-unknown-elf"),
    Backend("riscv64-unknown-linux-gnu"),
    Backend("powerpc-unknown-linux-gnu"),
    Backend("powerpc64-unknown-linux-musl"),
    Backend("powerpc64le-unknown-linux-gnu"),
    Backend("s390x-unknown-linux-gnu"),
    Backend("loongarch32-unknown-linux-gnu"),
    Backend("loongarch64-unknown-linux-gnu"),
    Backend("mips-unknown-linux-gnu"),
    Backend("mipsel-unknown-linux-gnu"),
    Backend("mips64-unknown-linux-gnuabi64"),
    Backend("mips64el-unknown-linux-gnuabi64"),
    Backend("mips64-unknown-linux-gnuabin32"),
    Backend("sparc-unknown-linux-gnu"),
    Backend("sparcv9-unknown-linux-gnu"),
    Backend("ve-unknown-linux-gnu", 8),
)
RARE_BACKENDS = (
    Backend("m68k-unknown-linux-gnu", 2),
    Backend("thumbv7-unknown-linux-gnueabi", 0),
    Backend("hexagon-unknown-elf", 0),
    Backend("amdgcn-amd-amdhsa", 0),
)
"""Those that LLVM in a wheel has not, or whose instructions are not found."""
