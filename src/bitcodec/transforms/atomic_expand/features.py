"""Features of processors: which bring others with them, and which are not known here.

Only features that atomic accesses depend on are listed; all others change nothing.  Rules: what `opt` of LLVM 22 makes
of atomic instructions with each feature that `-mattr=help` lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "AARCH64_IMPLIED",
    "AARCH64_LOST",
    "AARCH64_UNKNOWN",
    "ARM_UNKNOWN",
    "RISCV_IMPLIED",
    "RISCV_LOST",
    "RISCV_UNKNOWN",
    "X86_IMPLIED",
    "X86_LOST",
    "X86_UNKNOWN",
    "Features",
]

Features = frozenset[str]
"""Names; `-name` is a feature that was taken away."""


def _each(*names: str) -> tuple[Features, ...]:
    return tuple(frozenset({name}) for name in names)


# x86

_AVX = frozenset({"avx"})
_WITH_AVX = (
    *("avx2", "avx10.1", "avx10.1-512", "avx10.2", "avx10.2-512", "avx512bf16", "avx512bitalg", "avx512bw", "avx512cd"),
    *("avx512dq", "avx512f", "avx512fp16", "avx512ifma", "avx512vbmi", "avx512vbmi2", "avx512vl", "avx512vnni"),
    *("avx512vp2intersect", "avx512vpopcntdq", "avxifma", "avxneconvert", "avxvnni", "avxvnniint16", "avxvnniint8"),
    *("amx-avx512", "f16c", "fma", "fma4", "sha512", "sm3", "sm4", "vaes", "vpclmulqdq", "xop"),
)
X86_IMPLIED: Mapping[str, Features] = dict.fromkeys(_WITH_AVX, _AVX)
X86_LOST: Mapping[str, Features] = dict.fromkeys(("sse", "sse2", "sse3", "ssse3", "sse4.1", "sse4.2"), _AVX)
X86_UNKNOWN = _each("-64bit", "-64bit-mode", "16bit-mode", "32bit-mode", "-cx8")

# AArch64

_LSE = frozenset({"lse"})
_LSE2 = _LSE | {"lse2"}
AARCH64_IMPLIED: Mapping[str, Features] = {
    "lse128": _LSE,
    "d128": _LSE | {"lse128"},
    **{f"v8.{minor}a": _LSE if minor < 4 else _LSE2 for minor in range(1, 10)},
    **{f"v9{minor}a": _LSE2 for minor in ("", ".1", ".2", ".3", ".4", ".5", ".6", ".7")},
}
AARCH64_LOST: Mapping[str, Features] = {"lse": frozenset({"lse128"})}
AARCH64_UNKNOWN = (*_each("lsfe", "oryon-1"), frozenset({"lse2", "rcpc3"}), frozenset({"lse2", "lse128"}))

# RISC-V

_ATOMICS = frozenset({"zalrsc", "zaamo"})
_AMO = frozenset({"zaamo"})
_PROFILES = ("rva20s64", "rva20u64", "rva22s64", "rva22u64", "rva23s64", "rva23u64", "rvb23s64", "rvb23u64")
RISCV_IMPLIED: Mapping[str, Features] = {
    "a": _ATOMICS,
    "zabha": _AMO,
    "zacas": _AMO,
    **dict.fromkeys(_PROFILES, _ATOMICS),
}
RISCV_LOST: Mapping[str, Features] = {"zaamo": frozenset({"zabha", "zacas"})}
RISCV_UNKNOWN = _each(
    *("-64bit", "32bit", "forced-atomics", "no-trailing-seq-cst-fence", "ztso", "zalasr", "experimental-zalasr")
)

# Arm: other versions of the architecture

ARM_UNKNOWN = _each(
    *("acquire-release", "mclass", "noarm", "-db", "-v7clrex", "-v6", "-v6k", "-v7"),
    *("armv6-m", "armv6s-m", "armv7-m", "armv7e-m", "armv8-m.base", "armv8-m.main", "armv8.1-m.main", "armv8-r"),
    *("armv8-a", *(f"armv8.{minor}-a" for minor in range(1, 10)), "armv9-a"),
    *(f"armv9.{minor}-a" for minor in range(1, 8)),
    *("v6m", "v8", *(f"v8.{minor}a" for minor in range(1, 10)), "v8m", "v8m.main", "v8.1m.main", "v9a"),
    *(f"v9.{minor}a" for minor in range(1, 8)),
)
