"""Data layouts that several modules use, without the letter of the byte order: LLVM 22's."""

from __future__ import annotations

__all__ = ["AARCH64", "ARM", "POWERPC64_ELFV1", "POWERPC64_ELFV2", "RISCV64", "X86_64", "X86_ADDRESS_SPACES"]

X86_ADDRESS_SPACES = "p270:32:32-p271:32:32-p272:64:64"
"""Of x86-64 and architectures with its address spaces."""

X86_64 = f"m:e-{X86_ADDRESS_SPACES}-i64:64-i128:128-f80:128-n8:16:32:64-S128"
AARCH64 = f"m:e-{X86_ADDRESS_SPACES}-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
ARM = "m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64"
RISCV64 = "m:e-p:64:64-i64:64-i128:128-n32:64-S128"

_POWERPC64 = "i64:64-i128:128-n32:64-S128-v256:256:256-v512:512:512"
POWERPC64_ELFV1 = f"m:e-Fi64-{_POWERPC64}"
POWERPC64_ELFV2 = f"m:e-Fn32-{_POWERPC64}"
