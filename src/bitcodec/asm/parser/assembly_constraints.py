"""Constraints of inline assembly: their errors for a function type, with the messages of llvm-as 22.

Rules: LLVM Language Reference, "Inline Asm Constraint String".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import StructType, VoidType
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.ir.types import FunctionType

__all__ = ["constraint_problem"]

_CLOBBER, _OUTPUT, _LABEL = "~", "=", "!"
_INDIRECT, _EARLY, _COMMUTATIVE = "*", "&", "%"
_MODIFIERS = "&%#*"
_DIGITS = "0123456789"
_TWO_LETTERS, _COUNTED = "^", "@"


class _Constraint(NamedTuple):
    """One constraint: its kind, "" for an input, and whether an argument points to the operand."""

    kind: str
    is_indirect: bool


def constraint_problem(type: FunctionType, text: str) -> str:
    """Return the error in constraints for assembly of a function type, empty if they are valid."""
    if type.is_vararg:
        return "inline asm cannot be variadic"
    constraints = _parsed(text)
    if constraints is None:
        return "failed to parse constraints"
    outputs = inputs = indirect = clobbers = labels = 0
    for kind, is_indirect in constraints:
        if kind == _CLOBBER:
            clobbers += 1
            continue
        if kind == _OUTPUT and (inputs > indirect or clobbers or labels):
            return "output constraint occurs after input, clobber or label constraint"
        if kind != _OUTPUT and clobbers:
            return f"{'label' if kind == _LABEL else 'input'} constraint occurs after clobber constraint"
        labels += kind == _LABEL
        outputs += kind == _OUTPUT and not is_indirect
        indirect += kind == _OUTPUT and is_indirect
        inputs += kind == "" or (kind == _OUTPUT and is_indirect)
    return _problem_of_counts(type, outputs, inputs)


def _problem_of_counts(type: FunctionType, outputs: int, inputs: int) -> str:
    result = type.return_type
    if not outputs and not isinstance(result, VoidType):
        return "inline asm without outputs must return void"
    if outputs == 1 and isinstance(result, StructType):
        return "inline asm with one output cannot return struct"
    if outputs > 1 and (not isinstance(result, StructType) or len(result.element_types) != outputs):
        return "number of output constraints does not match number of return struct elements"
    if len(type.parameter_types) != inputs:
        return "number of input constraints does not match number of parameters"
    return ""


def _parsed(text: str) -> list[_Constraint] | None:
    """Return the constraints of a string, None if one is malformed."""
    found: list[_Constraint] = []
    matching: dict[int, int] = {}
    for part in text.split(",") if text else ():
        constraint = _constraint(part, found, matching)
        if constraint is None:
            return None
        found.append(constraint)
    return found


def _constraint(part: str, before: list[_Constraint], matching: dict[int, int]) -> _Constraint | None:
    """Return one constraint, None if it is malformed.

    Args:
        part: its text.
        before: the constraints before it.
        matching: by the number of an output, the number of the input that must be at the same place.
    """
    kind = part[:1] if part[:1] in (_CLOBBER, _OUTPUT, _LABEL) else ""
    at = len(kind)
    if kind == _CLOBBER and part[at:] and part[at] != "{":
        return None
    is_indirect = part[at : at + 1] == _INDIRECT
    at += is_indirect
    seen = ""
    while at < len(part) and part[at] in _MODIFIERS:
        is_misplaced = part[at] == _COMMUTATIVE and kind == _CLOBBER
        if part[at] not in (_EARLY, _COMMUTATIVE) or part[at] in seen or is_misplaced:
            return None
        if part[at] == _EARLY and kind != _OUTPUT:
            return None
        seen += part[at]
        at += 1
    if at == len(part) or not _are_codes(part, at, kind, before, matching):
        return None
    return _Constraint(kind, is_indirect)


def _are_codes(part: str, at: int, kind: str, before: list[_Constraint], matching: dict[int, int]) -> bool:
    """Return whether the codes of a constraint, from a position on, are well formed."""
    while at < len(part):
        first = part[at]
        if first == "{":
            at = part.find("}", at + 1) + 1
            if not at:
                return False
        elif first in _DIGITS:
            end = at
            while end < len(part) and part[end] in _DIGITS:
                end += 1
            digits = part[at:end].lstrip("0") or "0"
            number = int(digits) if len(digits) < len(str(len(before))) + 1 else len(before)
            if number >= len(before) or before[number].kind != _OUTPUT or kind:
                return False
            if matching.setdefault(number, len(before)) != len(before):
                return False
            at = end
        elif first == _TWO_LETTERS:
            at += 3
        elif first == _COUNTED and part[at + 1 : at + 2] in tuple(_DIGITS):
            at += 2 + int(part[at + 1])
        else:
            at += 1
    return at == len(part)
