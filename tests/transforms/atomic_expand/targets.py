"""Targets that expansions are tried on."""

from __future__ import annotations

from typing import NamedTuple

from bitcodec.ir.module import Module
from bitcodec.tables.data_layouts import data_layout
from bitcodec.transforms import expand_atomics

from .generating import function_texts
from .generating_amdgpu import GLOBALS, NODES, AMDGPUFunction


class Tried(NamedTuple):
    """A target.

    Attributes:
        triple: for `opt -mtriple`.
        features: for `opt -mattr`.
        level: for `opt -codegen-opt-level`.
        processor: for `opt -mcpu`.
    """

    triple: str
    features: tuple[str, ...] = ()
    level: int = 2
    processor: str = ""

    @property
    def architecture(self) -> str:
        """The name that begins the triple."""
        return self.triple.partition("-")[0]

    @property
    def data_layout(self) -> str:
        """Its data layout."""
        return data_layout(self.triple)

    @property
    def head(self) -> str:
        """The lines that begin the text of a module for it."""
        layout = f'target datalayout = "{self.data_layout}"\ntarget triple = "{self.triple}"'
        return layout + (GLOBALS + NODES) * self.is_amdgpu

    @property
    def is_amdgpu(self) -> bool:
        """Whether it is AMDGPU."""
        return self.architecture in ("amdgcn", "r600")

    def function_texts(self, seed: int, count: int) -> list[str]:
        """Return the text of random functions for it."""
        return function_texts(seed, count, AMDGPUFunction if self.is_amdgpu else None)

    @property
    def options(self) -> list[str]:
        """What tells LLVM's tools."""
        options = [f"-mtriple={self.triple}", f"-codegen-opt-level={self.level}"]
        options += [f"-mattr={','.join(self.features)}"] * bool(self.features)
        return options + [f"-mcpu={self.processor}"] * bool(self.processor)

    def expand(self, module: Module) -> int:
        """Expand a module for it."""
        return expand_atomics(
            module, self.triple, processor=self.processor, features=self.features, is_optimized=self.level > 0
        )

    def __str__(self) -> str:
        first = self.architecture if "linux" in self.triple else self.triple
        return " ".join([first, *filter(None, [self.processor]), *self.features, f"O{self.level}"])


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
"""Targets that the whole grid is tried on."""

_AMDHSA = "amdgcn-amd-amdhsa"
_GPUS = "gfx600 gfx700 gfx803 gfx908 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1200 gfx1250"
RECORDED = (
    Tried("bpfel-unknown-none", processor="v3"),
    Tried("wasm32-unknown-emscripten", ("+atomics",)),
    Tried("wasm32-unknown-wasi"),
    Tried("wasm64-unknown-unknown", processor="bleeding-edge"),
    Tried("nvptx64-nvidia-cuda"),
    Tried("nvptx64-nvidia-cuda", processor="sm_60"),
    Tried("nvptx64-nvidia-cuda", ("+ptx78",), processor="sm_75"),
    Tried("nvptx64-nvidia-cuda", processor="sm_90"),
    Tried("nvptx64-nvidia-cuda", ("+ptx83",), processor="sm_90a"),
    Tried("nvptx-nvidia-cuda", processor="sm_20"),
    Tried("avr", processor="atmega328p"),
    Tried("xtensa-unknown-elf", processor="esp32"),
    Tried("xtensa-unknown-elf", ("+forced-atomics",)),
    Tried("xtensa-unknown-elf"),
    Tried("m68k-unknown-linux-gnu"),
    Tried("m68k-unknown-linux-gnu", processor="M68020"),
    Tried("m68k-unknown-linux-gnu", ("+isa-68060",)),
    Tried("msp430"),
    Tried("lanai"),
    Tried("xcore"),
    *(Tried(_AMDHSA, processor=name) for name in _GPUS.split()),
    Tried("r600-mesa-mesa3d"),
)
"""Targets that random functions are tried on, with recorded answers too."""

OTHERS = (
    Tried("x86_64-unknown-linux-gnu", processor="haswell"),
    Tried("x86_64-pc-windows-msvc", ("+cx16",)),
    Tried("i686-unknown-linux-gnu"),
    Tried("i686-pc-windows-msvc", ("+soft-float",)),
    Tried("i686-unknown-linux-gnu", processor="i486"),
    Tried(_AARCH64, ("+lse128",)),
    Tried(_AARCH64, ("+lse2", "+lse128")),
    Tried(_AARCH64, ("+v9a", "+rcpc3")),
    Tried(_AARCH64, ("+v9a", "+rcpc3", "+lse128")),
    Tried(_AARCH64, ("+lsfe",)),
    Tried(_AARCH64, ("+v9a", "+lsfe")),
    Tried(_AARCH64, processor="cortex-a76"),
    Tried("aarch64-pc-windows-msvc"),
    Tried("aarch64-pc-windows-msvc", ("+lse",)),
    Tried("arm64-apple-macosx", processor="apple-m1"),
    Tried(_RISCV64, ("+zaamo",)),
    Tried(_RISCV64, ("+zalrsc",)),
    Tried(_RISCV64, ("+forced-atomics",)),
    Tried(_RISCV64, ("+a", "+ztso")),
    Tried(_RISCV64, ("+a", "+zalasr", "+ztso")),
    Tried("riscv32-unknown-linux-gnu", ("+a",)),
    Tried("armv8-unknown-linux-gnueabihf"),
    Tried("armv6-unknown-linux-gnueabihf"),
    Tried("armv5te-unknown-linux-gnueabi"),
    Tried("armv7m-none-eabi"),
    Tried("thumbv6m-none-eabi"),
    Tried("thumbv8m.base-none-eabi"),
    Tried("armebv7-unknown-linux-gnueabihf"),
    Tried("aarch64_be-unknown-linux-gnu"),
    Tried("aarch64_be-unknown-linux-gnu", ("+lse",)),
    Tried("powerpc64-ibm-aix", processor="pwr9"),
    Tried("mips-unknown-linux-gnu"),
    Tried("mips64el-unknown-linux-gnuabi64"),
    Tried("sparc-unknown-linux-gnu"),
    Tried("sparc-unknown-linux-gnu", ("+hasleoncasa",)),
    Tried("sparcv9-unknown-linux-gnu"),
    Tried("s390x-unknown-linux-gnu"),
    Tried("s390x-unknown-linux-gnu", processor="z13"),
    Tried("loongarch64-unknown-linux-gnu"),
    Tried("loongarch64-unknown-linux-gnu", processor="la664"),
    Tried("loongarch32-unknown-linux-gnu"),
    Tried("hexagon-unknown-linux-musl"),
    Tried("arm64_32-apple-watchos"),
    Tried("arm64ec-pc-windows-msvc"),
    Tried("arm64ec-pc-windows-msvc", ("+outline-atomics",)),
    Tried(_AMDHSA),
    Tried("amdgcn-mesa-mesa3d"),
    Tried("amdgcn-amd-amdpal", processor="gfx1010"),
    Tried(_AMDHSA, ("-gfx8-insts",), processor="gfx942"),
    Tried(_AMDHSA, ("+atomic-fadd-rtn-insts",), processor="gfx908"),
    Tried(_AMDHSA, ("-flat-global-insts",), processor="gfx90a"),
    Tried(_AMDHSA, ("+gfx12", "-atomic-fmin-fmax-flat-f32")),
    Tried(_AMDHSA, ("-agent-scope-fine-grained-remote-memory-atomics",), processor="gfx1250"),
    Tried("r600-mesa-mesa3d", processor="cayman"),
    *RECORDED,
)
"""Targets that random functions are tried on beside these: other architectures, features and processors."""

_ALIKE = (
    "gfx810 gfx900 gfx906 gfx90c gfx950 gfx1150 gfx9-generic gfx9-4-generic gfx10-1-generic gfx10-3-generic"
    " gfx11-generic gfx12-generic gfx1201 gfx1251 hawaii tahiti fiji"
)
ALIKE = tuple(Tried(_AMDHSA, processor=name) for name in _ALIKE.split())
"""Targets whose atomic instructions are those of another one here."""
