"""Compatibility of target triples, by the names that LLVM 22 treats as equal.

Rules: LLVM 22, `Triple::isCompatibleWith`; names that it does not know are all the same to it.
"""

from __future__ import annotations

import re

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.triple_components import components_of
from bitcodec.tables.triples import is_architecture

__all__ = ["TripleParts", "are_compatible", "is_of_any_nvptx", "is_of_nvptx"]


def _names(*lines: str) -> list[str]:
    return " ".join(lines).split()


_ARCHITECTURES = {
    name: names.split()[0]
    for names in (
        "i386 i486 i586 i686 i786 i886 i986",
        "x86_64 amd64 x86_64h",
        "ppc powerpc powerpcspe ppc32",
        "ppcle powerpcle ppc32le",
        "ppc64 powerpc64 ppu",
        "ppc64le powerpc64le",
        "aarch64 arm64 arm64e arm64ec aarch64_lfi",
        "aarch64_32 arm64_32",
        "arm xscale",
        "armeb xscaleeb",
        "mips mipseb mipsallegrex mipsisa32r6 mipsr6",
        "mipsel mipsallegrexel mipsisa32r6el mipsr6el",
        "mips64 mips64eb mipsn32 mipsisa64r6 mips64r6 mipsn32r6",
        "mips64el mipsn32el mipsisa64r6el mips64r6el mipsn32r6el",
        "systemz s390x",
        "sparcv9 sparc64",
        "bpfel bpf bpf_le",
        "bpfeb bpf_be",
    )
    for name in names.split()
}
"""Names of architectures that have several, each with the one that they have in common."""
_VARIANTS = {
    "powerpcspe": "spe",
    "arm64e": "arm64e",
    "arm64ec": "arm64ec",
    "aarch64_lfi": "lfi",
    "xscale": "v5te",
    "xscaleeb": "v5te",
}
_RELEASE_6 = re.compile(r"mips.*r6(el)?")
_ARM = re.compile(r"(arm|thumb)(eb)?(v\d.*)?")
_ARM_VERSIONS = {
    "v4": "",
    "v5t": "v5",
    **dict.fromkeys(("v5e", "v5tej"), "v5te"),
    **dict.fromkeys(("v6j", "v6hl"), "v6"),
    **dict.fromkeys(("v6kz", "v6z", "v6zk"), "v6k"),
    **dict.fromkeys(("v6sm", "v6s-m"), "v6m"),
    **dict.fromkeys(("v7a", "v7r", "v7hl", "v7l"), "v7"),
    **dict.fromkeys(("v8a", "v8l"), "v8"),
    "v9a": "v9",
}
"""Versions of Arm that are the same, without hyphens."""
_VENDORS = _names("apple pc scei fsl ibm img mti nvidia csr amd mesa suse oe intel meta")
_SYSTEMS = _names(
    "darwin dragonfly freebsd fuchsia ios kfreebsd linux lv2 macos managarm netbsd openbsd solaris uefi win32 windows",
    "zos haiku rtems aix cuda nvcl amdhsa ps4 ps5 elfiamcu tvos watchos bridgeos driverkit xros visionos mesa3d amdpal",
    "hermit hurd wasip1 wasip2 wasip3 wasi emscripten shadermodel liteos serenity vulkan cheriotrtos",
)
_ENVIRONMENTS = _names(
    "eabihf eabi gnuabin32 gnuabi64 gnueabihft64 gnueabihf gnueabit64 gnueabi gnuf32 gnuf64 gnusf gnux32 gnu_ilp32",
    "code16 gnut64 gnu android muslabin32 muslabi64 musleabihf musleabi muslf32 muslsf muslx32 muslwali musl msvc",
    "itanium cygnus coreclr simulator macabi pixel vertex geometry hull domain compute library raygeneration",
    "intersection anyhit closesthit miss callable mesh amplification rootsignature opencl ohos pauthtest llvm mlibc",
    "mtia",
)
_FORMATS = _names("xcoff coff elf goff macho wasm spirv")
_DARWIN = _names("darwin macos ios tvos watchos xros driverkit bridgeos")
_APPLE, _NVPTX = "apple", "nvptx"


class TripleParts(NamedTuple):
    """A triple as LLVM compares it; a name that it does not know is empty."""

    architecture: str
    variant: str
    vendor: str
    system: str
    environment: str
    object_format: str

    @classmethod
    def of(cls, triple: str) -> TripleParts:
        """Return the parts of a triple."""
        architecture, vendor, system, environment = components_of(triple)
        family, variant = _architecture(architecture)
        system = _first(_SYSTEMS, system)
        system = {"windows": "win32", "visionos": "xros"}.get(system, system)
        vendor = "scei" if vendor == "sie" else vendor if vendor in _VENDORS else ""
        stated = next((name for name in _FORMATS if environment.endswith(name)), "")
        return cls(
            family, variant, vendor, system, _first(_ENVIRONMENTS, environment), stated or _format(family, system)
        )


def are_compatible(triple: str, other: str) -> bool:
    """Return whether LLVM links a module of a triple into one of another without a warning; versions do not count."""
    own, there = TripleParts.of(triple), TripleParts.of(other)
    if _as_arm(own.architecture) != _as_arm(there.architecture) or own.variant != there.variant:
        return False
    is_mingw = own.system == "win32" and own.environment == "gnu"
    if own.vendor != there.vendor and not is_mingw:
        return False
    return own.system == there.system and (own.vendor == _APPLE or own[4:] == there[4:])


def is_of_nvptx(triple: str) -> bool:
    """Return whether a triple names NVPTX."""
    return TripleParts.of(triple).architecture.startswith(_NVPTX)


def is_of_any_nvptx(triple: str) -> bool:
    """Return whether a triple belongs to CUDA's libraries, which fit every NVPTX."""
    _, vendor, system, _ = components_of(triple)
    return (vendor, system.partition("-")[0]) in {("nvidia", "gpulibs"), ("unknown", "unknown")}


def _architecture(name: str) -> tuple[str, str]:
    """Return the architecture and the variant that a name means."""
    arm = _ARM.fullmatch(name)
    if arm is not None:
        version = (arm[3] or "").replace("-", "")
        return arm[1] + (arm[2] or ""), _ARM_VERSIONS.get(version, version)
    variant = "r6" if _RELEASE_6.fullmatch(name) else _VARIANTS.get(name, "")
    if name.startswith("spirv1."):
        return "spirv", ""
    if name.startswith(("spirv32v", "spirv64v", "dxilv")):
        name, _, variant = name.rpartition("v")
    return _ARCHITECTURES.get(name, name if is_architecture(name) else ""), variant


def _as_arm(architecture: str) -> str:
    return architecture.replace("thumb", "arm") if architecture.startswith("thumb") else architecture


def _first(names: list[str], text: str) -> str:
    return next((name for name in names if text.startswith(name)), "")


def _format(architecture: str, system: str) -> str:
    """Return the format of object files of a system that a triple states no other for."""
    if architecture.startswith("wasm"):
        return "wasm"
    if system in {"win32", "uefi"}:
        return "coff"
    return "macho" if system in _DARWIN else "elf"
