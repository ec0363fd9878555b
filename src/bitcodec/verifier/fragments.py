"""Fragments: parts of variables that expressions describe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.debug_expressions import is_valid
from bitcodec.ir.debug_info import DIDerivedType, DIExpression, DIGlobalVariable, DILocalVariable, DIType
from bitcodec.ir.metadata import ConstantAsMetadata, constant_integer
from bitcodec.tables.dwarf import OPERATORS

if TYPE_CHECKING:
    from bitcodec.ir.metadata import Metadata

__all__ = ["fits_variable", "is_part_of_variable"]

_FRAGMENT = next(code for code, operator in OPERATORS.items() if operator.name == "LLVM_fragment")
_LOW_WORD = 0xFFFF_FFFF


def fits_variable(variable: Metadata | None, expression: Metadata | None) -> bool:
    """Return whether the part of a variable that an expression describes, if it does that, lies inside it."""
    fragment = _fragment(expression)
    return fragment is None or not (bits := _size(variable)) or (sum(fragment) & _LOW_WORD) <= bits


def is_part_of_variable(variable: Metadata | None, expression: Metadata | None) -> bool:
    """Return whether the part of a variable that an expression describes, if it does that, is not all of it."""
    fragment = _fragment(expression)
    return fragment is None or not (bits := _size(variable)) or fragment[1] != bits


def _fragment(expression: Metadata | None) -> tuple[int, int] | None:
    """Return offset and size of the part that an expression describes, in bits; None if it describes no part."""
    if not isinstance(expression, DIExpression) or _FRAGMENT not in expression.elements:
        return None
    if not is_valid(expression.elements):
        return None
    for operation in expression.operations:
        if operation[0] == _FRAGMENT:
            return operation[1] & _LOW_WORD, operation[2] & _LOW_WORD
    return None


def _size(variable: Metadata | None) -> int:
    """Return the size of a variable in bits, from its type or the base type of that; 0 if unknown."""
    found = variable.type if isinstance(variable, (DIGlobalVariable, DILocalVariable)) else None
    seen: set[Metadata] = set()
    while isinstance(found, DIType) and found not in seen:
        seen.add(found)
        size = getattr(found, "size", None)
        if isinstance(size, ConstantAsMetadata):
            number = constant_integer(size)
            size = None if number is None else number.unsigned
        if isinstance(size, int) and size:
            return size
        found = found.base_type if isinstance(found, DIDerivedType) else None
    return 0
