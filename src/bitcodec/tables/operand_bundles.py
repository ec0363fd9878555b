"""Tags of operand bundles that LLVM knows itself, by number.

Rules: docs/reference/text.md, 10.
"""

from __future__ import annotations

__all__ = ["OPERAND_BUNDLE_TAGS"]

OPERAND_BUNDLE_TAGS = (
    "deopt",
    "funclet",
    "gc-transition",
    "cfguardtarget",
    "preallocated",
    "gc-live",
    "clang.arc.attachedcall",
    "ptrauth",
    "kcfi",
    "convergencectrl",
    "align",
    "deactivation-symbol",
)
