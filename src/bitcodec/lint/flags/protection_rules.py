"""Rules for flags that protect control flow, and that a link may lose."""

from __future__ import annotations

from bitcodec.lint.findings import Severity
from bitcodec.lint.flags.faults import FlagFault
from bitcodec.lint.flags.rows import STOPS, FlagCheck

__all__ = ["ROWS"]

_ERROR, _WARNING, _NOTE = Severity

ROWS = (
    FlagCheck(
        "protection-lost",
        frozenset(
            {
                "branch-target-enforcement",
                "sign-return-address",
                "sign-return-address-all",
                "sign-return-address-with-bkey",
                "branch-protection-pauth-lr",
                "guarded-control-stack",
                "cf-protection-branch",
                "cf-protection-return",
                "ptrauth-sign-personality",
                "ptrauth-elf-got",
            }
        ),
        {**STOPS, FlagFault.LOST: _WARNING, FlagFault.CHOSEN: _WARNING},
        "Inputs without branch protection turn it off for the whole program",
        "The linked module is marked as unprotected. On x86, LTO then leaves out the marks of indirect-branch targets "
        "in all functions. On AArch64, functions keep their attributes, but functions that LLVM makes itself and the "
        "note that enables the protection in the kernel lose it.",
        "Compile all inputs with the protection, assembly and Rust included.",
        is_for_all=True,
    ),
    FlagCheck(
        "protection-claimed",
        frozenset({"cf-protection-branch", "cf-protection-return"}),
        {FlagFault.FORCED: _WARNING, FlagFault.MISSING: _WARNING},
        "An input overrides the missing protection of others",
        "rustc and clang before 16 write the flag with behavior Override: the linked module is marked as protected "
        "although other inputs were compiled without. Hand-written assembly and native objects stay unprotected.",
        "Compile all inputs with the protection.",
        is_for_all=True,
    ),
    FlagCheck(
        "windows-guard-mixed",
        frozenset({"cfguard", "ehcontguard"}),
        {**STOPS, FlagFault.CHOSEN: _WARNING, FlagFault.MISSING: _WARNING},
        "Control flow guard is on in some inputs only",
        "With full LTO, one input decides for all: calls may be left unchecked. Without, the objects that lack the "
        "guard make the linker turn it off.",
        "Compile all inputs with the same /guard: option.",
        is_for_all=True,
    ),
    FlagCheck(
        "cfi-mixed",
        frozenset(
            {
                "kcfi",
                "kcfi-arity",
                "kcfi-offset",
                "kcfi-hash",
                "cfi-normalize-integers",
                "CFI Canonical Jump Tables",
                "Cross-DSO CFI",
            }
        ),
        {**STOPS, FlagFault.MISSING: _WARNING},
        "Control flow integrity differs between inputs",
        "Indirect calls between the inputs compare different type identifiers, or look for them in different places, "
        "and the program stops at a valid call.",
        "Compile all inputs with the same CFI options. For C called from Rust, both need normalized integers.",
        is_for_all=True,
    ),
)
