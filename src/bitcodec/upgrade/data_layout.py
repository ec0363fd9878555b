"""Upgrade of data layout strings: old modules get components that their targets turned out to need.

Rules: docs/reference/upgrades.md, 10.2, as release 22 has them.  They change the string as text, valid or not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["family_of", "upgraded_data_layout"]


def upgraded_data_layout(layout: str, triple: str) -> str:
    """Return a data layout string as release 22 understands it in a module for that target."""
    # Components are taken by their place, as LLVM does with the triples of modules.
    architecture, _, system, environment = [*triple.split("-", 3), "", "", ""][:4]
    module = _LayoutFacts(layout, architecture, system, environment)
    for rule in _RULES.get(family_of(triple), ()):
        layout = rule(layout, module)
    return layout


def family_of(triple: str) -> str:
    """Return the name of the rules for a target, "" without rules."""
    architecture = triple.partition("-")[0]
    return next((name for name, pattern in _FAMILIES.items() if re.fullmatch(pattern, architecture)), "")


class _LayoutFacts(NamedTuple):
    """Facts about a module that rules use; components of the target triple may be empty."""

    layout: str
    architecture: str
    system: str
    environment: str

    @property
    def is_windows_msvc(self) -> bool:
        """Whether it is for Windows with Microsoft's runtime."""
        return self.system.startswith(_WINDOWS) and not re.match(_OTHER_ENVIRONMENTS, self.environment)

    def specifies(self, what: str) -> bool:
        """Return whether a specification of its layout begins so."""
        return self.layout.startswith(what) or f"-{what}" in self.layout


def _variables_in_1(layout: str, module: _LayoutFacts) -> str:
    """Give the address space that variables have always been in."""
    return layout if module.specifies("G") else _joined(layout, "G1")


def _buffers_not_integral(layout: str, module: _LayoutFacts) -> str:
    """Mark pointers to buffers, in address spaces 7 to 9, as non-integral."""
    if not module.specifies("ni"):
        return f"{layout}-ni:7:8:9"
    for end, rest in {"ni:7": ":8:9", "ni:7:8": ":9"}.items():
        if module.layout.endswith(end):
            return layout + rest
    return layout


def _buffer_pointers(layout: str, module: _LayoutFacts) -> str:
    """Give how large pointers to buffers are."""
    if not module.specifies("p7"):
        layout += "-p7:160:256:256:32"
    if not module.specifies("p8"):
        layout += "-p8:128:128:128:48"
    if "-p8:128:128-" in module.layout:
        layout = layout.replace("-p8:128:128-", "-p8:128:128:128:48-", 1)
    if not module.specifies("p9"):
        layout += "-p9:192:256:256:32"
    return layout


def _elf_mangling(layout: str, module: _LayoutFacts) -> str:
    return layout if "m:e" in module.layout else _joined("m:e", layout)


def _native_i32(layout: str, _: _LayoutFacts) -> str:
    return layout.replace("-n64-", "-n32:64-", 1)


def _function_alignment(layout: str, module: _LayoutFacts) -> str:
    return layout if not layout or "-Fn32" in module.layout else f"{layout}-Fn32"


def _mixed_pointers(layout: str, module: _LayoutFacts) -> str:
    """Describe the address spaces whose pointers are always 32, 32 and 64 bits wide."""
    if _MIXED_POINTERS in module.layout:
        return layout
    return re.sub(_MANGLING_AND_POINTERS, rf"\1{_MIXED_POINTERS}\2", layout)


def _aligned_i128(layout: str, _: _LayoutFacts) -> str:
    return layout if _I128 in layout else layout.replace("-i64:64", f"-i64:64{_I128}", 1)


def _aligned_i128_of_mips(layout: str, module: _LayoutFacts) -> str:
    return layout if "m:m" in module.layout else _aligned_i128(layout, module)


def _aligned_i128_of_x86(layout: str, module: _LayoutFacts) -> str:
    if _I128 in layout or module.system.startswith("elfiamcu"):
        return layout
    return re.sub(_UP_TO_INTEGERS, rf"\1{_I128}\2", layout)


def _aligned_x86_fp80(layout: str, module: _LayoutFacts) -> str:
    if module.is_windows_msvc and module.architecture.startswith("i"):
        return layout.replace("-f80:32-", "-f80:128-", 1)
    return layout


def _aix_doubles(layout: str, module: _LayoutFacts) -> str:
    if not module.system.startswith("aix") or not layout or "f64:32:64" in module.layout:
        return layout
    before, stack, after = layout.partition("-S128")
    return f"{before}-f64:32:64{stack}{after}"


def _joined(*specifications: str) -> str:
    return "-".join(filter(None, specifications))


_I128 = "-i128:128"
_MIXED_POINTERS = "-p270:32:32-p271:32:32-p272:64:64"
# Patterns are compiled when a module needs them: few of them are for its target.
_MANGLING_AND_POINTERS = r"\A([Ee]-m:[a-z](?:-p:32:32)?)(-[^\n]*)\Z"
_UP_TO_INTEGERS = r"\A(e(?:-[mpi][^-]*)*)((?:-[^mpi][^-]*)*)\Z"

_WINDOWS = ("windows", "win32")
_OTHER_ENVIRONMENTS = (
    "amplification|android|anyhit|callable|closesthit|code16|compute|coreclr|cygnus|domain|eabi|geometry|gnu|hull|"
    "intersection|itanium|library|llvm|macabi|mesh|miss|mlibc|mtia|musl|ohos|opencl|pauthtest|pixel|raygeneration|"
    "rootsignature|simulator|vertex"
)
"""How environments begin that are known and not Microsoft's; any other is."""

_FAMILIES: Mapping[str, str] = {
    "x86": r"i[3-9]86|x86_64h?|amd64",
    "aarch64": r"arm64ec|(?:aarch64(?:_be|_32)?|arm64(?:_32|e)?)(?:.|v[0-9](?!.*eb).*)?",
    "amdgcn": r"amdgcn",
    "r600": r"r600",
    "spir": r"spir(?:64)?|spirv(?:32|64)(?:v1\.[0-6])?",
    "native i32": r"riscv64(?:be)?|loongarch64",
    "mips64": r"mips(?:64eb|(?:(?:64|n32)(?:r6)?|isa64r6)(?:el)?)",
    "aligned i128": r"sparc(?:el|v9|64)?|wasm(?:32|64)",
    "ppc64": r"powerpc64(?:le)?|ppc64(?:le)?|ppu",
    "ppc32": r"powerpc(?:spe|le)?|ppc(?:32)?(?:le)?",
}
_RULES: Mapping[str, tuple[Callable[[str, _LayoutFacts], str], ...]] = {
    "x86": (_mixed_pointers, _aligned_i128_of_x86, _aligned_x86_fp80),
    "aarch64": (_function_alignment, _mixed_pointers),
    "amdgcn": (_variables_in_1, _buffers_not_integral, _buffer_pointers, _elf_mangling),
    "r600": (_variables_in_1, _elf_mangling),
    "spir": (_variables_in_1,),
    "native i32": (_native_i32,),
    "mips64": (_aligned_i128_of_mips,),
    "aligned i128": (_aligned_i128,),
    "ppc64": (_aligned_i128, _aix_doubles),
    "ppc32": (_aix_doubles,),
}
