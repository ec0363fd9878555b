"""Expressions of debug information for older versions of LLVM, whose verifiers know fewer operators.

Rules: docs/reference/older-readers.md, 8; found by giving each operator to the verifiers of LLVM 4 to 21.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from bitcodec.downgrade.constructs import Construct, Way

if TYPE_CHECKING:
    from bitcodec.ir.debug_info import DIExpression

__all__ = [
    "ARGUMENT_LISTS",
    "SINCE_PLUS_CONSTANT",
    "first_version",
    "fragment_of",
    "has_one_argument",
    "lacked_operators",
    "older_elements",
]

_SINCE = {
    5: (0x16, 0x18, 0x1C, 0x22),
    6: (0x1E,),
    7: (0x12, 0x1A, 0x1B, 0x1D, 0x20, 0x21, 0x24, 0x25, 0x26, 0x27, 0x30),
    9: (0x94, 0x1001, 0x1002),
    10: (*range(0x50, 0x70), *range(0x70, 0x90), 0x90, 0x92, 0x1003),
    11: (0x97,),
    12: (0x11, 0x14, 0x1004),
    13: (0x1005,),
    17: (*range(0x29, 0x2F),),
    19: (0x1006, 0x1007),
    22: (0x1F, 0x19),
}
_FIRST_VERSIONS = {operator: since for since, operators in _SINCE.items() for operator in operators}
_DEREF, _PLUS_CONSTANT, _PLUS = 0x06, 0x23, 0x22
ARGUMENT_LISTS = 13
"""The first version of LLVM that has `!DIArgList`; expressions for it have an operator that older versions lack."""
SINCE_PLUS_CONSTANT = 5
"""LLVM 4 writes the number behind `DW_OP_plus`."""
_FRAGMENT = 0x1000
_ARGUMENT = 0x1005


def lacked_operators(since: int, *, is_in_type: bool = False) -> Construct:
    """Return the construct of an expression whose operators a version is the first to know."""
    if is_in_type:
        return Construct("operators of !DIExpression in a type", since, Way.DROP, "an empty expression")
    return Construct("operators of !DIExpression", since, Way.DROP, "a variable without location")


def has_one_argument(expression: DIExpression) -> bool:
    """Return whether an expression begins with the first argument of a list, and names no argument elsewhere."""
    return [place for place, each in enumerate(expression.operations) if each[0] == _ARGUMENT] == [0] and (
        next(iter(expression.operations))[1] == 0
    )


def first_version(expression: DIExpression) -> int:
    """Return the first version of LLVM whose verifier knows all operators of an expression in its older form."""
    operations = list(expression.operations)
    if has_one_argument(expression):
        operations = operations[1:]
    since = max((_FIRST_VERSIONS.get(operation[0], 0) for operation in operations), default=0)
    if len(operations) > 1 and operations[0][0] == _DEREF and operations[1][0] != _FRAGMENT:
        # Before, this operator preceded the operator in front of it.
        return max(since, SINCE_PLUS_CONSTANT)
    return since


def older_elements(expression: DIExpression, version: int) -> tuple[int, ...] | None:
    """Return the elements of an expression in the form of a version, None if they are the same."""
    operations = list(expression.operations)
    older = operations
    if version < _FIRST_VERSIONS[_ARGUMENT] and has_one_argument(expression):
        older = older[1:]
    if version < SINCE_PLUS_CONSTANT:
        older = [(_PLUS, each[1]) if each[0] == _PLUS_CONSTANT else each for each in older]
    return None if older == operations else tuple(chain.from_iterable(older))


def fragment_of(expression: DIExpression) -> tuple[int, ...]:
    """Return the elements that define the fragment of the variable that an expression describes."""
    return tuple(chain.from_iterable(each for each in expression.operations if each[0] == _FRAGMENT))
