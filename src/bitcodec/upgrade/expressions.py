"""Expressions of debug information of older LLVMs.  Rules: docs/reference/upgrades.md, 10.7."""

from __future__ import annotations

from bitcodec.malformed import Malformed
from bitcodec.reasons import Reason

__all__ = ["EXPRESSION_VERSION", "expression_version", "upgraded_expression"]

EXPRESSION_VERSION = 3
"""The version of expressions that LLVM has written since 5.0."""

_VERSIONS = (((4, 0), 0), ((5, 0), 1))


def expression_version(llvm: tuple[int, int]) -> int:
    """Return the version of the expressions of an LLVM, given as major and minor version."""
    return next((version for until, version in _VERSIONS if llvm < until), EXPRESSION_VERSION)


def upgraded_expression(version: int, elements: list[int]) -> list[int]:
    """Return the elements of an expression as LLVM 22 has them.

    Raises:
        Malformed: no LLVM knows the version.
    """
    if version > EXPRESSION_VERSION:
        raise Malformed(Reason.EXPRESSION_VERSION(version=version))
    if version < 1 and elements[-3:-2] == [_BIT_PIECE]:
        elements[-3] = _FRAGMENT
    if version < 2 and elements[:1] == [_DEREF]:
        end = -3 if elements[-3:-2] == [_FRAGMENT] and len(elements) > 3 else len(elements)
        elements = [*elements[1:end], _DEREF, *elements[end:]]
    return elements if version == EXPRESSION_VERSION else _arithmetic_upgraded(elements)


_DEREF, _CONSTU, _MINUS, _PLUS, _PLUS_UCONST, _BIT_PIECE, _FRAGMENT = 0x06, 0x10, 0x1C, 0x22, 0x23, 0x9D, 0x1000
_OLD_SIZES = {_CONSTU: 2, _MINUS: 2, _PLUS: 2, _FRAGMENT: 3}


def _arithmetic_upgraded(elements: list[int]) -> list[int]:
    """Give `plus` and `minus` the form with their argument on the stack."""
    upgraded: list[int] = []
    index = 0
    while index < len(elements):
        operator = elements[index]
        end = index + _OLD_SIZES.get(operator, 1)
        arguments = elements[index + 1 : end]
        if operator == _PLUS:
            upgraded += (_PLUS_UCONST, *arguments)
        elif operator == _MINUS:
            upgraded += (_CONSTU, *arguments, _MINUS)
        else:
            upgraded += (operator, *arguments)
        index = end
    return upgraded
