"""Rules that LLVM's verifier has not always checked, which modules of older versions break without harm.

Found by the messages that the libraries of LLVM 4 to 22 contain.  A rule that older versions have in other words is
not here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import Instruction

if TYPE_CHECKING:
    from bitcodec.ir.findings import Finding

__all__ = ["FIRST_TO_CHECK", "PROFILES", "is_checked"]

_RULES = {
    8: ("diflagallcallsdescribed-must-be-attached-to-a-definition",),
    9: (
        "function-declaration-may-only-have-a-unique-dbg-attachment",
        "the-third-field-of-the-element-type-is-mandatory-specify-ptr-null-to-migrate-from-the-obsoleted-2-field-form",
    ),
    11: (
        "dilocation-not-allowed-within-this-metadata-node",
        "subrange-can-have-any-one-of-count-or-upperbound",
        "genericsubrange-can-have-any-one-of-count-or-upperbound",
        "datalocation-can-only-appear-in-array-type",
        "associated-can-only-appear-in-array-type",
        "allocated-can-only-appear-in-array-type",
        "rank-can-only-appear-in-array-type",
        "bswap-must-be-an-even-number-of-bytes",
    ),
    12: (
        "function-definition-may-only-have-a-distinct-dbg-attachment",
        "calling-convention-parameter-requires-byval",
        "calling-convention-disallows-byval",
        "calling-convention-disallows-preallocated",
        "calling-convention-disallows-inalloca",
        "calling-convention-disallows-stack-byref",
    ),
    13: ("invalid-set-base-type",),
    14: (
        "scope-list-must-consist-of-mdnodes",
        "scope-must-have-two-or-three-operands",
        "domain-must-have-one-or-two-operands",
        "first-scope-operand-must-be-self-referential-or-string",
        "second-scope-operand-must-be-mdnode",
        "third-scope-operand-must-be-string-if-used",
        "first-domain-operand-must-be-self-referential-or-string",
        "second-domain-operand-must-be-string-if-used",
        "invariant-group-metadata-is-only-for-loads-and-stores",
    ),
    15: (
        "access-scope-list-must-consist-of-mdnodes",
        "access-scope-list-contains-invalid-access-scope",
        "incorrect-alignment-of-to-called-function",
    ),
    16: (
        "nonnull-metadata-must-be-empty",
        "dllexport-globalvalue-must-have-default-or-protected-visibility",
        "dllimport-globalvalue-must-have-default-visibility",
    ),
    17: (
        "associated-metadata-must-have-one-operand",
        "associated-metadata-must-have-a-global-value",
        "associated-metadata-must-be-valueasmetadata",
        "associated-metadata-must-point-to-a-globalobject",
        "the-upper-and-lower-limits-cannot-be-the-same-value",
        "invalid-uses-of-intrinsic-global-variable",
    ),
    18: (
        "array-types-must-have-a-base-type",
        "llvm-ptrmask-intrinsic-first-argument-must-be-pointer-or-vector-of-pointers",
        "llvm-ptrmask-intrinsic-arguments-must-be-both-scalars-or-both-vectors",
        "llvm-ptrmask-intrinsic-arguments-must-have-the-same-number-of-elements",
        "llvm-ptrmask-intrinsic-second-argument-bitwidth-must-match-pointer-index-type-size-of-first-argument",
    ),
    20: (
        "disubprogram-contains-null-entry-in-elements-field",
        "calling-convention-does-not-permit-calls",
    ),
    21: (
        "global-variable-initializer-must-be-sized",
        "alloca-on-amdgpu-must-be-in-addrspace-5",
    ),
    22: (
        "llvm-lifetime-start-end-can-only-be-used-on-alloca-or-poison",
        "target-features-attribute-should-not-contain-an-empty-string",
    ),
}
"""By the first version that checks them, the names of rules."""
FIRST_TO_CHECK = {rule: since for since, rules in _RULES.items() for rule in rules}
PROFILES = (
    "function-declaration-may-not-have-a-prof-attachment",
    "prof-annotations-should-have-no-less-than-2-operands",
    "expected-string-with-name-of-the-prof-annotation",
    "unknown-prof-should-have-a-single-additional-operand",
    "unknown-prof-should-have-an-additional-operand-of-type-string",
    "the-unknown-prof-operand-should-not-be-an-empty-string",
    "prof-annotations-should-have-at-least-1-operand",
    "unknown-prof-should-only-appear-on-instructions-on-which-branch-weights-would",
    "prof-brunch-weights-operand-is-not-a-const-int",
    "vp-prof-missing-kind-argument",
    "invalid-vp-prof-kind",
    "vp-prof-should-have-an-even-number-of-arguments-after-vp",
    "vp-prof-indirect-call-or-memop-size-expected-to-be-applied-to-callbase-instructions-only",
    "prof-branch-weights-are-not-allowed-for-this-instruction",
)
"""Rules of profiles."""
_FIRST_WITH_PROFILES = 10
"""The first version that checks profiles of instructions, too."""


def is_checked(finding: Finding, version: int) -> bool:
    """Return whether a version of LLVM checks the rule that a finding is about."""
    rule = finding.rule
    if version < _FIRST_WITH_PROFILES and rule in PROFILES and isinstance(finding.subject, Instruction):
        return False
    return version >= FIRST_TO_CHECK.get(rule, 0)
