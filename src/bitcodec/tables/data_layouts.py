"""The data layouts of targets.  Rules: LLVM 22, `Triple::computeDataLayout`.

Constants are layouts that several modules use, without the letter of the byte order.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.tables.triple_components import Triple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "AARCH64",
    "ARM",
    "POWERPC64_ELFV1",
    "POWERPC64_ELFV2",
    "RISCV64",
    "X86_64",
    "X86_ADDRESS_SPACES",
    "data_layout",
]

X86_ADDRESS_SPACES = "p270:32:32-p271:32:32-p272:64:64"
"""Of x86-64 and architectures with its address spaces."""

X86_64 = f"m:e-{X86_ADDRESS_SPACES}-i64:64-i128:128-f80:128-n8:16:32:64-S128"
AARCH64 = f"m:e-{X86_ADDRESS_SPACES}-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
ARM = "m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64"
RISCV64 = "m:e-p:64:64-i64:64-i128:128-n32:64-S128"

_POWERPC64 = "i64:64-i128:128-n32:64-S128-v256:256:256-v512:512:512"
POWERPC64_ELFV1 = f"m:e-Fi64-{_POWERPC64}"
POWERPC64_ELFV2 = f"m:e-Fn32-{_POWERPC64}"


def data_layout(text: str) -> str:
    """Return the data layout of modules for a triple, "" if the architecture is not known."""
    triple = Triple.parse(text)
    for pattern, layout in _LAYOUTS.items():
        if re.fullmatch(pattern, triple.architecture):
            return layout(triple)
    return ""


def _format(triple: Triple, known: str) -> str:
    """Return the mangling letter of the object format if the architecture supports the format, else ELF's."""
    return triple.mangling if triple.mangling in known else "e"


def _x86_64(triple: Triple) -> str:
    pointers = "p:32:32-" if triple.names("gnux32", "muslx32") else ""
    return f"e-m:{_format(triple, 'ow')}-{pointers}{X86_64.removeprefix('m:e-')}"


def _x86(triple: Triple) -> str:
    mangling = _format(triple, "ow").replace("w", "x")
    if triple.is_windows:
        long_double = 32 if triple.names("gnu", "mingw", "cygwin") else 128
        numbers = f"i64:64-i128:128-f80:{long_double}-n8:16:32-a:0:32-S32"
    else:
        long_double = 128 if triple.is_apple else 32
        numbers = f"i128:128-f64:32:64-f80:{long_double}-n8:16:32-S128"
    return f"e-m:{mangling}-p:32:32-{X86_ADDRESS_SPACES}-{numbers}"


_AARCH64_NUMBERS = {
    "e": "i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32",
    "o": "i64:64-i128:128-n32:64-S128-Fn32",
    "w": "p:64:64-i32:32-i64:64-i128:128-n32:64-S128-Fn32",
}


def _aarch64(triple: Triple) -> str:
    name = triple.architecture
    order = "E" if name.endswith("_be") else "e"
    mangling = _format(triple, "" if order == "E" else "ow")
    is_narrow = triple.names("gnu_ilp32") or (name.endswith("_32") and mangling == "o")
    pointers = "p:32:32-" if is_narrow else ""
    return f"{order}-m:{mangling}-{pointers}{X86_ADDRESS_SPACES}-{_AARCH64_NUMBERS[mangling]}"


_ARM_APCS = "f64:32:64-v64:32:64-v128:32:128-a:0:32-n32-S32"
_ARM_AAPCS = "i64:64-v128:64:128-a:0:32-n32-S64"
_ARM_WATCH = "i64:64-a:0:32-n32-S128"


def _arm(triple: Triple) -> str:
    name = triple.architecture
    order = "E" if "eb" in name else "e"
    is_microcontroller = re.search(r"v\d+e?m", name) is not None
    numbers = _ARM_AAPCS
    if triple.is_apple and order == "e" and not is_microcontroller and not triple.names("eabi"):
        numbers = _ARM_WATCH if name.endswith("v7k") else _ARM_APCS
    elif triple.names("netbsd") and not triple.names("eabi"):
        numbers = _ARM_APCS
    return f"{order}-m:{_format(triple, 'ow' if order == 'e' else '')}-p:32:32-Fi8-{numbers}"


def _powerpc(triple: Triple) -> str:
    name = triple.architecture
    order = "e" if name.endswith("le") else "E"
    is_wide = "64" in name
    numbers = "i64:64-i128:128-n32:64" if is_wide else "i64:64-n32"
    if triple.is_aix:
        numbers += "-f64:32:64"
    if is_wide and (triple.is_linux or triple.is_aix):
        numbers += "-S128-v256:256:256-v512:512:512"
    pointers = "" if is_wide else "p:32:32-"
    mangling = _format(triple, "oa" if order == "E" else "")
    return f"{order}-m:{mangling}-{pointers}{_function_alignment(triple, is_wide=is_wide)}-{numbers}"


def _function_alignment(triple: Triple, *, is_wide: bool) -> str:
    """Return where functions are: descriptors of them are aligned, as ELFv1 and AIX have them, or they are."""
    if triple.is_aix:
        return "Fi64" if is_wide else "Fi32"
    if not is_wide or triple.architecture.endswith("le") or triple.names("openbsd", "musl"):
        return "Fn32"
    version = next((name.removeprefix("freebsd") for name in triple.others if name.startswith("freebsd")), None)
    is_elfv2 = version is not None and (not version or int(version.partition(".")[0] or 0) >= _FREEBSD_ELFV2)
    return "Fn32" if is_elfv2 else "Fi64"


_FREEBSD_ELFV2 = 13
"""The first version of FreeBSD whose big-endian PowerPC has ELFv2."""


def _mips(triple: Triple) -> str:
    name = triple.architecture
    order = "e" if "el" in name else "E"
    numbers = "i8:8:32-i16:16:32-i64:64"
    if "64" not in name:
        return f"{order}-m:m-p:32:32-{numbers}-n32-S64"
    pointers = "p:32:32-" if triple.names("gnuabin32", "muslabin32") else ""
    return f"{order}-m:e-{pointers}{numbers}-i128:128-n32:64-S128"


def _bpf(triple: Triple) -> str:
    order = "E" if triple.architecture in ("bpfeb", "bpf_be") else "e"
    return f"{order}-m:e-p:64:64-i64:64-i128:128-n32:64-S128"


def _webassembly(triple: Triple) -> str:
    width = triple.architecture.removeprefix("wasm")
    long_double = "f128:64-" if triple.names("emscripten") else ""
    return f"e-m:e-p:{width}:{width}-p10:8:8-p20:8:8-i64:64-i128:128-{long_double}n32:64-S128-ni:1:10:20"


def _nvptx(triple: Triple) -> str:
    pointers = "p6:32:32" if triple.architecture.endswith("64") else "p:32:32-p6:32:32-p7:32:32"
    return f"e-{pointers}-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"


def _fixed(layout: str) -> Callable[[Triple], str]:
    return lambda _: layout


_AMDGPU_VECTORS = "v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048"
_LAYOUTS: Mapping[str, Callable[[Triple], str]] = {
    "x86_64h?|amd64": _x86_64,
    r"i[3-9]86": _x86,
    r"aarch64(_be|_32)?|arm64(e|ec|_32)?": _aarch64,
    r"(arm|thumb).*": _arm,
    "riscv32": _fixed("e-m:e-p:32:32-i64:64-n32-S128"),
    "riscv64": _fixed(f"e-{RISCV64}"),
    r"(powerpc|ppc)(64)?(le)?": _powerpc,
    "mips(64)?(el)?|mipsisa(32|64)r6(el)?": _mips,
    "sparc": _fixed("E-m:e-p:32:32-i64:64-i128:128-f128:64-n32-S64"),
    "sparcel": _fixed("e-m:e-p:32:32-i64:64-i128:128-f128:64-n32-S64"),
    "sparcv9|sparc64": _fixed("E-m:e-i64:64-i128:128-n32:64-S128"),
    "s390x|systemz": _fixed("E-m:e-i1:8:16-i8:8:16-i64:64-f128:64-v128:64-a:8:16-n32:64"),
    "loongarch32": _fixed("e-m:e-p:32:32-i64:64-n32-S128"),
    "loongarch64": _fixed("e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"),
    "hexagon": _fixed(
        "e-m:e-p:32:32:32-a:0-n16:32-i64:64:64-i32:32:32-i16:16:16-i1:8:8-f32:32:32-f64:64:64-v32:32:32-v64:64:64"
        "-v512:512:512-v1024:1024:1024-v2048:2048:2048"
    ),
    "wasm(32|64)": _webassembly,
    "bpf(el|eb|_le|_be)?": _bpf,
    "nvptx(64)?": _nvptx,
    "amdgcn": _fixed(
        "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48"
        f"-p9:192:256:256:32-i64:64-{_AMDGPU_VECTORS}-n32:64-S32-A5-G1-ni:7:8:9"
    ),
    "r600": _fixed(f"e-m:e-p:32:32-i64:64-{_AMDGPU_VECTORS}-n32:64-S32-A5-G1"),
    "avr": _fixed("e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8:16-a:8"),
    "xtensa": _fixed("e-m:e-p:32:32-i8:8:32-i16:16:32-i64:64-n32"),
    "m68k": _fixed("E-m:e-p:32:16:32-i8:8:8-i16:16:16-i32:16:32-n8:16:32-a:0:16-S16"),
    "msp430": _fixed("e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16"),
    "lanai": _fixed("E-m:e-p:32:32-i64:64-a:0:32-n32-S64"),
    "xcore": _fixed("e-m:e-p:32:32-i1:8:32-i8:8:32-i16:16:32-i64:32-f64:32-a:0:32-n32"),
}
"""By the first component of a triple, as a regular expression."""
