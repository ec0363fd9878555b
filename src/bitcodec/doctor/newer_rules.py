"""Rules that LLVM's verifier has not always checked, which modules of older versions break without harm.

Found by the messages that the libraries of LLVM 4 to 22 contain.  A rule that older versions have in other words is
not here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import Instruction

if TYPE_CHECKING:
    from bitcodec.ir.findings import Finding

__all__ = ["is_checked"]

_RULES = {
    8: ("DIFlagAllCallsDescribed must be attached to a definition",),
    9: (
        "function declaration may only have a unique !dbg attachment",
        "the third field of the element type is mandatory",
    ),
    11: (
        "DILocation not allowed within this metadata node",
        "can have any one of count or upperBound",
        "can only appear in array type",
        "bswap must be an even number of bytes",
    ),
    12: (
        "function definition may only have a distinct !dbg attachment",
        "Calling convention parameter requires byval",
        "Calling convention disallows ",
    ),
    13: ("invalid set base type",),
    14: (
        "scope list must consist of MDNodes",
        "scope must have two or three operands",
        "domain must have one or two operands",
        "first scope operand must be",
        "second scope operand must be",
        "third scope operand must be",
        "first domain operand must be",
        "second domain operand must be",
        "invariant.group metadata is only for loads and stores",
    ),
    15: ("Access scope list", "Incorrect alignment of"),
    16: (
        "nonnull metadata must be empty",
        "dllexport GlobalValue must have default or protected visibility",
        "dllimport GlobalValue must have default visibility",
    ),
    17: (
        "associated metadata must",
        "The upper and lower limits cannot be the same value",
        "invalid uses of intrinsic global variable",
    ),
    18: ("array types must have a base type", "llvm.ptrmask intrinsic "),
    20: ("DISubprogram contains null entry", "calling convention does not permit calls"),
    21: ("Global variable initializer must be sized", "alloca on amdgpu must be in addrspace(5)"),
    22: ("can only be used on alloca or poison", "target-features attribute should not contain an empty string"),
}
"""By the first version that checks them, parts of their messages."""
_PROFILES, _FIRST_WITH_PROFILES = "!prof ", 10
"""Part of the messages about profiles, and the first version that checks those of instructions, too."""


def is_checked(finding: Finding, version: int) -> bool:
    """Return whether a version of LLVM checks the rule that a finding is about."""
    if version < _FIRST_WITH_PROFILES and _PROFILES in finding.message and isinstance(finding.subject, Instruction):
        return False
    return not any(version < since and part in finding.message for since, parts in _RULES.items() for part in parts)
