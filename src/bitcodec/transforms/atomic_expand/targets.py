"""The targets: expansion of their atomic accesses, by architecture, features and optimization."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING

from bitcodec.tables.triple_components import Triple
from bitcodec.tables.triples import is_architecture
from bitcodec.transforms.atomic_expand import architectures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.transforms.atomic_expand.architectures.row import Architecture

__all__ = ["architecture_of"]

_ARCHITECTURES: Mapping[str, tuple[str, str]] = {
    "x86_64": ("x86", "X86_64"),
    "i386": ("x86", "X86"),
    "aarch64": ("aarch64", "AARCH64"),
    "arm": ("arm", "ARM"),
    "armeb": ("arm", "BIG_ENDIAN_ARM"),
    "riscv64": ("riscv", "RISCV64"),
    "riscv32": ("riscv", "RISCV32"),
    "powerpc64": ("powerpc", "POWERPC64"),
    "powerpc64le": ("powerpc", "POWERPC64LE"),
    "mips": ("mips", "MIPS"),
    "mips64": ("mips", "MIPS64"),
    "sparc": ("sparc", "SPARC"),
    "sparcv9": ("sparc", "SPARC64"),
    "s390x": ("systemz", "SYSTEMZ"),
    "loongarch64": ("loongarch", "LOONGARCH64"),
    "loongarch32": ("loongarch", "LOONGARCH32"),
    "hexagon": ("hexagon", "HEXAGON"),
    "wasm32": ("webassembly", "WEBASSEMBLY"),
    "wasm64": ("webassembly", "WEBASSEMBLY"),
    "bpf": ("small", "BPF"),
    "nvptx": ("nvptx", "NVPTX"),
    "nvptx64": ("nvptx", "NVPTX"),
    "amdgcn": ("amdgpu", "AMDGCN"),
    "r600": ("amdgpu", "R600"),
    "avr": ("small", "AVR"),
    "xtensa": ("small", "XTENSA"),
    "m68k": ("small", "M68K"),
    "msp430": ("small", "MSP430"),
    "lanai": ("small", "LANAI"),
    "xcore": ("small", "XCORE"),
}
"""The module of the architecture, which is imported when it is the target, and its name there; by LLVM's name."""

_NAMES: Mapping[str, str] = {
    "x86_64h?|amd64": "x86_64",
    "i[3-9]86": "i386",
    "aarch64(_be|_32)?|arm64(e|ec|_32)?": "aarch64",
    r"(arm|thumb)eb(v\S*)?|(arm|thumb)v\S*eb": "armeb",
    r"(arm|thumb)(v\S*)?": "arm",
    "ppc64|powerpc64": "powerpc64",
    "ppc64le|powerpc64le": "powerpc64le",
    "mips(el)?|mipsisa32r6(el)?": "mips",
    "mips64(el)?|mipsisa64r6(el)?": "mips64",
    "sparc(el)?": "sparc",
    "sparcv9|sparc64": "sparcv9",
    "s390x|systemz": "s390x",
    "bpf(el|eb|_le|_be)": "bpf",
}
"""The architecture that the first component of a triple means, as a regular expression."""


def architecture_of(triple: str) -> Architecture:
    """Return the architecture of a triple, whose first part alone counts.

    Raises:
        ValueError: it is not known.
    """
    written = Triple.parse(triple).architecture
    name = next((name for pattern, name in _NAMES.items() if re.fullmatch(pattern, written)), written)
    found = _ARCHITECTURES.get(name)
    if found is None:
        raise ValueError(_unknown(triple, written))
    module, variable = found
    architecture: Architecture = getattr(import_module(f"{architectures.__name__}.{module}"), variable)
    return architecture


def _unknown(triple: str, written: str) -> str:
    """Return why atomic accesses of a target are not known: in LLVM's words if LLVM does not know them either."""
    if written in ("", "unknown"):
        return "pass 'atomic-expand' requires TargetMachine: the module has no target triple; specify a target"
    known = ", ".join(_ARCHITECTURES)
    if not is_architecture(written):
        return f"unrecognized architecture {written!r} provided; expected {known}"
    return f"atomic accesses of {triple!r} are not known, only of {known}"
