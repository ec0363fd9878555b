"""What a target triple says that symbols depend on.

Components of a triple are taken by their place, as LLVM does with the triples of modules.
"""

from __future__ import annotations

import re

from bitcodec.named_tuple import NamedTuple

__all__ = ["Target"]

_64_BIT = re.compile(
    r"x86_64h?|amd64|aarch64(?!_32).*|arm64(?!_32).*|powerpc64(le)?|ppc64(le)?|ppu|riscv64(be)?|loongarch64|s390x|systemz"
    r"|mips(isa)?64.*|mipsn32.*|sparc64|sparcv9|bpf.*|ve|wasm64|amdgcn|nvptx64|amdil64|hsail64|spir64|spirv(1\..*)?"
    r"|spirv64.*|renderscript64"
)
"""Architectures whose pointers LLVM takes to have 64 bits; `mipsn32` is among them."""

_X86 = re.compile(r"amd64|x86_64h?|i[3-9]86")
_X86_32 = re.compile(r"i[3-9]86")
_ARM = {"aarch64": re.compile(r"(aarch64|arm64).*"), "arm": re.compile(r"(arm|thumb|xscale).*")}
_DARWIN = ("darwin", "macos", "ios", "tvos", "watchos", "xros", "visionos", "driverkit", "bridgeos")
_OTHER_FORMATS = ("coff", "goff", "macho", "wasm", "spirv")
"""How environments end that state another object format than ELF; `xcoff` ends like one of them."""


class Target(NamedTuple):
    """The components of a triple that matter here; any may be empty."""

    architecture: str
    system: str
    environment: str

    @classmethod
    def of(cls, triple: str) -> Target:
        """Return what a triple names."""
        architecture, _, system, environment = [*triple.split("-", 3), "", "", ""][:4]
        return cls(architecture, system, environment)

    @property
    def is_64_bit(self) -> bool:
        """Whether addresses have 64 bits."""
        return _64_BIT.fullmatch(self.architecture) is not None

    @property
    def is_x86(self) -> bool:
        """Whether assembly text is in AT&T syntax."""
        return _X86.fullmatch(self.architecture) is not None

    @property
    def assembly_family(self) -> str:
        """Which of the ways of writing comments its assembly text follows, "" for the usual one."""
        family = next((name for name, pattern in _ARM.items() if pattern.fullmatch(self.architecture)), "")
        return f"{family} darwin" if family == "aarch64" and self.is_darwin else family

    @property
    def is_darwin(self) -> bool:
        """Whether it is one of Apple's systems."""
        return self.system.startswith(_DARWIN)

    @property
    def needs_global_offset_table(self) -> bool:
        """Whether code made for it may refer to `_GLOBAL_OFFSET_TABLE_`, though the IR does not: 32-bit x86 and ELF."""
        return _X86_32.fullmatch(self.architecture) is not None and self._is_elf

    @property
    def _is_elf(self) -> bool:
        if self.environment.endswith("elf"):
            return True
        windows = self.system.startswith(("windows", "win32"))
        return not (windows or self.is_darwin or self.environment.endswith(_OTHER_FORMATS))
