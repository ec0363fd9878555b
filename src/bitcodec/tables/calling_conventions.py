"""Calling conventions: number and spelling.  Rules: docs/reference/records.md, 3.7."""

from __future__ import annotations

__all__ = ["CALLING_CONVENTIONS", "MAX_CALLING_CONVENTION", "PTX_KERNEL", "X86_INTR", "C", "spelling"]

C = 0
PTX_KERNEL = 71
X86_INTR = 83
MAX_CALLING_CONVENTION = 1023

CALLING_CONVENTIONS: dict[int, str] = {
    8: "fastcc",
    9: "coldcc",
    10: "ghccc",
    13: "anyregcc",
    14: "preserve_mostcc",
    15: "preserve_allcc",
    16: "swiftcc",
    17: "cxx_fast_tlscc",
    18: "tailcc",
    19: "cfguard_checkcc",
    20: "swifttailcc",
    21: "preserve_nonecc",
    64: "x86_stdcallcc",
    65: "x86_fastcallcc",
    66: "arm_apcscc",
    67: "arm_aapcscc",
    68: "arm_aapcs_vfpcc",
    69: "msp430_intrcc",
    70: "x86_thiscallcc",
    71: "ptx_kernel",
    72: "ptx_device",
    75: "spir_func",
    76: "spir_kernel",
    77: "intel_ocl_bicc",
    78: "x86_64_sysvcc",
    79: "win64cc",
    80: "x86_vectorcallcc",
    81: "hhvmcc",
    82: "hhvm_ccc",
    83: "x86_intrcc",
    84: "avr_intrcc ",
    85: "avr_signalcc ",
    87: "amdgpu_vs",
    88: "amdgpu_gs",
    89: "amdgpu_ps",
    90: "amdgpu_cs",
    91: "amdgpu_kernel",
    92: "x86_regcallcc",
    93: "amdgpu_hs",
    95: "amdgpu_ls",
    96: "amdgpu_es",
    97: "aarch64_vector_pcs",
    98: "aarch64_sve_vector_pcs",
    100: "amdgpu_gfx",
    102: "aarch64_sme_preservemost_from_x0",
    103: "aarch64_sme_preservemost_from_x2",
    104: "amdgpu_cs_chain",
    105: "amdgpu_cs_chain_preserve",
    106: "m68k_rtdcc",
    107: "graalcc",
    110: "riscv_vector_cc",
    111: "aarch64_sme_preservemost_from_x1",
    **{112 + power: f"riscv_vls_cc({32 << power})" for power in range(12)},
    124: "amdgpu_gfx_whole_wave",
    125: "cheriot_compartmentcallcc",
    126: "cheriot_compartmentcalleecc",
    127: "cheriot_librarycallcc",
}
"""Conventions with a spelling; two end in a blank, as LLVM prints them."""


def spelling(convention: int) -> str:
    """Return how text spells a calling convention, "" for C's."""
    return "" if convention == C else CALLING_CONVENTIONS.get(convention, f"cc{convention}")
