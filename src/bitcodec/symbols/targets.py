"""Properties of a target triple that symbols depend on.

Components of a triple are taken by their place, as LLVM does with the triples of modules.
"""

from __future__ import annotations

import re
from enum import Enum, auto

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.triple_components import components_of

__all__ = ["ObjectFormat", "TripleTarget"]

_64_BIT = re.compile(
    r"x86_64h?|amd64|aarch64(?!_32).*|arm64(?!_32).*|powerpc64(le)?|ppc64(le)?|ppu|riscv64(be)?|loongarch64|s390x|systemz"
    r"|mips(isa)?64.*|mipsn32.*|sparc64|sparcv9|bpf.*|ve|wasm64|amdgcn|nvptx64|amdil64|hsail64|spir64|spirv(1\..*)?"
    r"|spirv64.*|renderscript64"
)
"""Architectures with 64-bit pointers in LLVM; `mipsn32` is among them."""

_X86 = re.compile(r"amd64|x86_64h?|i[3-9]86")
_X86_32 = re.compile(r"i[3-9]86")
_ARM = {"aarch64": re.compile(r"(aarch64|arm64).*"), "arm": re.compile(r"(arm|thumb|xscale).*")}
_DARWIN = ("darwin", "macos", "ios", "tvos", "watchos", "xros", "visionos", "driverkit", "bridgeos")
_OTHER_ENVIRONMENTS = (
    *("gnu", "cygnus", "itanium", "coreclr", "android", "musl", "eabi", "code16", "llvm", "ohos", "mtia"),
)


class ObjectFormat(Enum):
    """Formats of object files that symbols depend on."""

    COFF = auto()
    ELF = auto()
    MACHO = auto()
    OTHER = auto()


_FORMATS = {
    "xcoff": ObjectFormat.OTHER,
    "coff": ObjectFormat.COFF,
    "elf": ObjectFormat.ELF,
    "goff": ObjectFormat.OTHER,
    "macho": ObjectFormat.MACHO,
    "wasm": ObjectFormat.OTHER,
    "spirv": ObjectFormat.OTHER,
}
"""Object formats by the end of the environment, if it states one; the first that matches."""
_X86_BEGINNINGS = ("x86_64", "amd64", "i3", "i4", "i5", "i6", "i7", "i8", "i9")
_WITH_COFF = (*_X86_BEGINNINGS, "aarch64", "arm", "thumb", "mipsel", "unknown")
_DEFAULT_FORMATS: tuple[tuple[str | tuple[str, ...], str | tuple[str, ...], ObjectFormat], ...] = (
    (("wasm", "spirv", "dxil"), "", ObjectFormat.OTHER),
    (("powerpc", "ppc"), "aix", ObjectFormat.OTHER),
    (("s390x", "systemz"), "zos", ObjectFormat.OTHER),
    (_WITH_COFF, ("windows", "win32", "uefi"), ObjectFormat.COFF),
    ("", _DARWIN, ObjectFormat.MACHO),
)
"""Beginnings of architecture and system, and the format; the first that fits."""


class TripleTarget(NamedTuple):
    """The components of a triple that matter here; any may be empty."""

    architecture: str
    system: str
    environment: str

    @classmethod
    def of(cls, triple: str) -> TripleTarget:
        """Return the components of a triple that symbols depend on."""
        architecture, _, system, environment = components_of(triple)
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
        """The comment syntax of its assembly text, "" for the usual one."""
        family = next((name for name, pattern in _ARM.items() if pattern.fullmatch(self.architecture)), "")
        return f"{family} darwin" if family == "aarch64" and self.is_darwin else family

    @property
    def is_darwin(self) -> bool:
        """Whether it is one of Apple's systems."""
        return self.system.startswith(_DARWIN)

    @property
    def is_x86_32(self) -> bool:
        """Whether it is x86 of 32 bits."""
        return _X86_32.fullmatch(self.architecture) is not None

    @property
    def needs_global_offset_table(self) -> bool:
        """Whether code made for it may refer to `_GLOBAL_OFFSET_TABLE_`, though the IR does not: 32-bit x86 and ELF."""
        return self.is_x86_32 and self.object_format is ObjectFormat.ELF

    @property
    def is_windows(self) -> bool:
        """Whether the system is Windows."""
        return self.system.startswith(("windows", "win32"))

    @property
    def is_msvc(self) -> bool:
        """Whether names are exported as Microsoft's linker expects it: on Windows, if no other environment is known."""
        return self.is_windows and not self.environment.startswith(_OTHER_ENVIRONMENTS)

    @property
    def is_mingw(self) -> bool:
        """Whether it is Windows with GNU's or Cygwin's environment."""
        return self.is_windows and self.environment.startswith(("gnu", "cygnus"))

    @property
    def object_format(self) -> ObjectFormat:
        """The format of object files."""
        for ending, named in _FORMATS.items():
            if self.environment.endswith(ending):
                return named
        for architecture, system, default in _DEFAULT_FORMATS:
            if self.architecture.startswith(architecture) and self.system.startswith(system):
                return default
        return ObjectFormat.ELF
