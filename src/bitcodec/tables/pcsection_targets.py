"""Processors that LLVM writes PC sections for, as far as their bytes depend on them, and unsupported ones.

Rules: docs/reference/pc-sections.md, 2.2 and 2.4; data layouts and code models as in LLVM 22.
"""

from __future__ import annotations

import re

from bitcodec.named_tuple import NamedTuple
from bitcodec.tables import data_layouts
from bitcodec.tables.elf_machines import MACHINES, Machine

__all__ = ["CODE_MODELS", "OTHER_FORMATS", "OTHER_SYSTEMS", "TARGETS", "UNTRUSTED", "PCSectionTarget"]

CODE_MODELS = ("tiny", "small", "kernel", "medium", "large")
"""By the number that the module flag `Code Model` has."""


class PCSectionTarget(NamedTuple):
    """A processor and ABI.

    Attributes:
        architectures: how triples spell it.
        machine: its number in ELF.
        pointer_size: in bytes.
        is_big_endian: byte order.
        layout: the data layout, without the letter of the byte order.
        code_models: the code models that support PC sections; the first is the default.
        environments: pattern of a triple's environment.
        has_addends: whether relocations contain the addend; if not, the field does.
        names_labels: whether relocations of PCs name a label at the PC; if not, they name its section.
    """

    architectures: re.Pattern[str]
    machine: Machine
    pointer_size: int
    is_big_endian: bool
    layout: str
    code_models: tuple[str, ...]
    environments: re.Pattern[str]
    has_addends: bool
    names_labels: bool


_TINY_TO_LARGE = ("small", "tiny", "large")
_WITH_KERNEL = ("small", "kernel", "medium", "large")
_USUAL = ("small", "medium", "large")
_FROM_MEDIUM = ("medium", "small", "large")
_ANY_ENVIRONMENT = ""

_X86 = data_layouts.X86_ADDRESS_SPACES
_ILP32_LAYOUT = f"m:e-p:32:32-{data_layouts.AARCH64.removeprefix('m:e-')}"
_MIPS64 = "i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"
_HEXAGON_VECTORS = "v32:32:32-v64:64:64-v512:512:512-v1024:1024:1024-v2048:2048:2048"
_GPU_POINTERS = (
    "p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32"
    "-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32"
)
_GPU_VECTORS = "v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048"
_VE_VECTORS = "-".join(f"v{64 << power}:64:64" for power in range(9))

_ILP32 = MACHINES[183]._replace(relocations={number: MACHINES[183].relocations[number] for number in (3, 1)})
"""AArch64 with short pointers, which has separate relocations."""


def _row(
    architectures: str,
    machine: Machine | int,
    pointer_size: int,
    byte_order: str,
    layout: str,
    code_models: tuple[str, ...] = _USUAL,
    environments: str = _ANY_ENVIRONMENT,
    *,
    has_addends: bool = True,
    names_labels: bool = False,
) -> PCSectionTarget:
    return PCSectionTarget(
        re.compile(architectures),
        MACHINES[machine] if isinstance(machine, int) else machine,
        pointer_size,
        byte_order == "E",
        layout,
        code_models,
        re.compile(environments),
        has_addends,
        names_labels,
    )


_32_BIT_RISCV = "m:e-p:32:32-i64:64-n32-S128"
_64_BIT_RISCV = data_layouts.RISCV64
_32_BIT_PPC = "m:e-p:32:32-Fn32-i64:64-n32"
_32_BIT_MIPS = "m:m-p:32:32-i8:8:32-i16:16:32-i64:64-n32-S64"
_N32_MIPS = f"m:e-p:32:32-{_MIPS64}"
_32_BIT_SPARC = "m:e-p:32:32-i64:64-i128:128-f128:64-n32-S64"

TARGETS = (
    _row(
        "x86_64h?|x86-64|amd64",
        62,
        4,
        "e",
        f"m:e-p:32:32-{_X86}-i64:64-i128:128-f80:128-n8:16:32:64-S128",
        _WITH_KERNEL,
        ".*x32",
    ),
    _row("x86_64h?|x86-64|amd64", 62, 8, "e", data_layouts.X86_64, _WITH_KERNEL),
    _row(
        "i[3-9]86|x86",
        3,
        4,
        "e",
        f"m:e-p:32:32-{_X86}-i128:128-f64:32:64-f80:32-n8:16:32-S128",
        _WITH_KERNEL,
        has_addends=False,
    ),
    _row("aarch64|arm64e?c?", _ILP32, 4, "e", _ILP32_LAYOUT, _TINY_TO_LARGE, ".*_ilp32"),
    _row("aarch64_be", _ILP32, 4, "E", _ILP32_LAYOUT, _TINY_TO_LARGE, ".*_ilp32"),
    _row("aarch64|arm64e?", 183, 8, "e", data_layouts.AARCH64, _TINY_TO_LARGE),
    _row("aarch64_be", 183, 8, "E", data_layouts.AARCH64, _TINY_TO_LARGE),
    _row("(arm|thumb)(v(?!.*eb$).*)?|xscale", 40, 4, "e", data_layouts.ARM, has_addends=False, names_labels=True),
    _row("(arm|thumb)(eb(v.*)?|v.*eb)|xscaleeb", 40, 4, "E", data_layouts.ARM, has_addends=False, names_labels=True),
    _row("riscv32", 243, 4, "e", _32_BIT_RISCV, names_labels=True),
    _row("riscv64", 243, 8, "e", _64_BIT_RISCV, names_labels=True),
    _row("riscv32be", 243, 4, "E", _32_BIT_RISCV, names_labels=True),
    _row("riscv64be", 243, 8, "E", _64_BIT_RISCV, names_labels=True),
    _row("powerpc64|ppc64|ppu", 21, 8, "E", data_layouts.POWERPC64_ELFV1, _FROM_MEDIUM),
    _row("powerpc64le|ppc64le", 21, 8, "e", data_layouts.POWERPC64_ELFV2, _FROM_MEDIUM),
    _row("powerpc(spe)?|ppc(32)?", 20, 4, "E", _32_BIT_PPC),
    _row("powerpcle|ppc(32)?le", 20, 4, "e", _32_BIT_PPC),
    _row("s390x|systemz", 22, 8, "E", "m:e-i1:8:16-i8:8:16-i64:64-f128:64-v128:64-a:8:16-n32:64"),
    _row("loongarch32", 258, 4, "e", _32_BIT_RISCV, ("small", "medium"), names_labels=True),
    _row("loongarch64", 258, 8, "e", _64_BIT_RISCV, _FROM_MEDIUM, names_labels=True),
    _row("mips(eb|allegrex|isa32(r6)?|r6)?", 8, 4, "E", _32_BIT_MIPS, has_addends=False, names_labels=True),
    _row("mips(allegrex|isa32(r6)?|r6)?el", 8, 4, "e", _32_BIT_MIPS, has_addends=False, names_labels=True),
    _row("mips(isa)?(64|n32)(r6)?(eb)?", 8, 4, "E", _N32_MIPS, environments=".*abin32", names_labels=True),
    _row("mips(isa)?(64|n32)(r6)?el", 8, 4, "e", _N32_MIPS, environments=".*abin32", names_labels=True),
    _row("mips(isa)?(64|n32)(r6)?(eb)?", 8, 8, "E", f"m:e-{_MIPS64}", names_labels=True),
    _row("mips(isa)?(64|n32)(r6)?el", 8, 8, "e", f"m:e-{_MIPS64}", names_labels=True),
    _row("sparc", 2, 4, "E", _32_BIT_SPARC),
    _row("sparcel", 2, 4, "e", _32_BIT_SPARC),
    _row("sparcv9|sparc64", 43, 8, "E", "m:e-i64:64-i128:128-n32:64-S128", _FROM_MEDIUM),
    _row("m68k", 4, 4, "E", "m:e-p:32:16:32-i8:8:8-i16:16:16-i32:16:32-n8:16:32-a:0:16-S16", ("small", *CODE_MODELS)),
    _row(
        "hexagon",
        164,
        4,
        "e",
        "m:e-p:32:32:32-a:0-n16:32-i64:64:64-i32:32:32-i16:16:16-i1:8:8-f32:32:32-f64:64:64-" + _HEXAGON_VECTORS,
    ),
    _row("amdgcn", 224, 8, "e", f"m:e-{_GPU_POINTERS}-i64:64-{_GPU_VECTORS}-n32:64-S32-A5-G1-ni:7:8:9"),
    _row("ve", 251, 8, "e", f"m:e-i64:64-n32:64-S128-{_VE_VECTORS}", ("small",)),
)
"""In the order in which they are tried: rows with an environment precede rows without one."""

UNTRUSTED = re.compile("bpf(el|eb|_le|_be)?|avr|msp430|lanai|xtensa")
"""Architectures whose PC sections hold addresses where distances are expected: an entry cannot be read."""

OTHER_FORMATS = (
    ("Mach-O", re.compile(".*macho")),
    ("XCOFF", re.compile(".*xcoff")),
    ("COFF", re.compile(".*coff")),
    ("GOFF", re.compile(".*goff")),
    ("WebAssembly", re.compile("wasm(32|64)|.*wasm")),
    ("SPIR-V", re.compile("spir(v.*)?|.*spirv")),
    ("PTX", re.compile("nvptx(64)?")),
    ("DXContainer", re.compile("dxil.*|.*dxcontainer")),
)
"""Object formats without PC sections, with the components of a triple that request them."""

OTHER_SYSTEMS = (
    ("Mach-O", re.compile("(darwin|macos|ios|tvos|watchos|xros|visionos|driverkit|bridgeos).*")),
    ("COFF", re.compile("(windows|win32|cygwin|mingw32|uefi).*")),
    ("XCOFF", re.compile("aix.*")),
    ("GOFF", re.compile("zos.*")),
)
"""Object formats without PC sections, with the systems that have them where a triple does not end in `elf`."""
