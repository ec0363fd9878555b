"""Folding of operations on numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constant_expressions import ConstantBinary, ConstantExpr
from bitcodec.ir.constants import Constant, ConstantFP, ConstantInt, PoisonValue, UndefValue
from bitcodec.ir.floating_point import format_of
from bitcodec.ir.folding.elements import (
    DEPTH,
    all_ones,
    elements_of,
    folded_vector,
    is_expandable,
    is_huge,
    splat_value,
    vector_of,
)
from bitcodec.ir.folding.floating import FLOATING_OPERATIONS, calculated
from bitcodec.ir.type_properties import is_fixed
from bitcodec.ir.types import VectorType

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.floating_point import FloatingPointFormat
    from bitcodec.ir.types import FloatingPointType, IntegerType, Type

__all__ = ["COMMUTATIVE", "fold_binary", "fold_unary"]

_KEPT = frozenset({"add", "sub", "xor"})
"""Operations that may remain constant expressions; others exist only if they fold."""
COMMUTATIVE = frozenset({"add", "mul", "and", "or", "xor", "fadd", "fmul"})
"""Operations whose operands may be swapped."""
_ASSOCIATIVE = frozenset({"add", "mul", "and", "or", "xor"})
_DIVISIONS = frozenset({"udiv", "sdiv", "urem", "srem"})
_SHIFTS = frozenset({"shl", "lshr", "ashr"})
_NULL_IS_IDENTITY = frozenset({"add", "or", "xor", "sub", "fsub"}) | _SHIFTS
_INTEGER_IDENTITIES = {"and": -1, "mul": 1, "udiv": 1, "sdiv": 1}
_FLOATING_IDENTITIES: Mapping[str, Callable[[FloatingPointFormat], int]] = {
    "fadd": lambda number: number.signed(0, negative=True),
    "fmul": lambda number: number.one,
    "fdiv": lambda number: number.one,
}


def fold_unary(table: ConstantTable, opcode: str, operand: Constant) -> Constant | None:
    """Return `fneg` of a constant."""
    if isinstance(operand, ConstantFP):
        return table.floating(operand.type, format_of(operand.type).negated(operand.bits))
    if isinstance(operand, UndefValue):
        return operand
    if not isinstance(operand.type, VectorType) or is_huge(operand.type):
        return None
    splat = splat_value(table, operand)
    folded = None if splat is None else fold_unary(table, opcode, splat)
    if folded is not None:
        return table.splat(operand.type, folded)
    if not is_expandable(operand.type):
        return None
    elements = elements_of(table, operand)
    return folded_vector(table, operand.type, (fold_unary(table, opcode, element) for element in elements))


def fold_binary(table: ConstantTable, opcode: str, lhs: Constant, rhs: Constant) -> Constant | None:
    """Return the result of an operation on two constants of one type."""
    type_ = lhs.type
    if is_huge(type_):
        return None
    folded = _trivial(table, opcode, lhs, rhs) or _numbers(table, opcode, lhs, rhs)
    if folded is None and isinstance(type_, VectorType):
        folded = _vectors(table, opcode, lhs, rhs, type_)
    if folded is None and not is_expandable(type_):
        folded = _expressions(table, opcode, lhs, rhs)
    return folded


def _binary(table: ConstantTable, opcode: str, lhs: Constant, rhs: Constant) -> Constant | None:
    return table.binary(opcode, lhs, rhs) if opcode in _KEPT else fold_binary(table, opcode, lhs, rhs)


def _trivial(table: ConstantTable, opcode: str, lhs: Constant, rhs: Constant) -> Constant | None:
    """Return the result if an operand is the identity, or is undefined."""
    identity = _identity(table, opcode, lhs.type)
    if rhs is identity:
        return lhs
    if lhs is identity and opcode in COMMUTATIVE:
        return rhs
    if isinstance(lhs, PoisonValue) or isinstance(rhs, PoisonValue):
        return table.poison(lhs.type)
    if (isinstance(lhs, UndefValue) or isinstance(rhs, UndefValue)) and not is_fixed(lhs.type):
        return _with_undef(table, opcode, lhs, rhs)
    return None


def _identity(table: ConstantTable, opcode: str, type: Type) -> Constant | None:
    """Return the right-hand side that changes nothing; of commutative operations it is one on the left as well."""
    if opcode in _NULL_IS_IDENTITY:
        return table.null(type)
    scalar = type.scalar_type
    if opcode in _INTEGER_IDENTITIES:
        return vector_of(table, type, table.integer(cast("IntegerType", scalar), _INTEGER_IDENTITIES[opcode]))
    if opcode in _FLOATING_IDENTITIES:
        number = cast("FloatingPointType", scalar)
        return vector_of(table, type, table.floating(number, _FLOATING_IDENTITIES[opcode](format_of(number))))
    return None


def _with_undef(table: ConstantTable, opcode: str, lhs: Constant, rhs: Constant) -> Constant:
    """Return the result of an operation with at least one undefined operand."""
    type_ = lhs.type
    both = isinstance(lhs, UndefValue) and isinstance(rhs, UndefValue)
    if opcode in FLOATING_OPERATIONS:
        return _floating_with_undef(table, opcode, lhs, rhs, both=both)
    if opcode in _WITH_UNDEF:
        if_both, if_one = _WITH_UNDEF[opcode]
        return (if_both if both else if_one)(table, type_)
    if opcode == "mul":
        known = _number(table, rhs if isinstance(lhs, UndefValue) else lhs)
        is_odd = known is not None and known.unsigned & 1
        return table.undef(type_) if both or is_odd else table.null(type_)
    is_poison = isinstance(rhs, UndefValue) or (opcode in _DIVISIONS and rhs.is_null)
    return table.poison(type_) if is_poison else table.null(type_)


def _null(table: ConstantTable, type: Type) -> Constant:
    return table.null(type)


def _undef(table: ConstantTable, type: Type) -> Constant:
    return table.undef(type)


_WITH_UNDEF: Mapping[str, tuple[Callable[[ConstantTable, Type], Constant], ...]] = {
    "add": (_undef, _undef),
    "sub": (_undef, _undef),
    "xor": (_null, _undef),
    "and": (_undef, _null),
    "or": (_undef, all_ones),
}
"""Results of operations if both operands are undefined, and if one is."""


def _floating_with_undef(table: ConstantTable, opcode: str, lhs: Constant, rhs: Constant, *, both: bool) -> Constant:
    scalar = cast("FloatingPointType", lhs.type.scalar_type)
    negative_zero = vector_of(table, lhs.type, table.floating(scalar, format_of(scalar).signed(0, negative=True)))
    if both or (opcode == "fsub" and lhs is negative_zero):
        return rhs
    return vector_of(table, lhs.type, table.floating(scalar, format_of(scalar).nan))


def _number(table: ConstantTable, constant: Constant) -> ConstantInt | None:
    """Return the integer that a constant is, or that all its elements are."""
    splat = splat_value(table, constant) if isinstance(constant.type, VectorType) else constant
    return splat if isinstance(splat, ConstantInt) else None


def _numbers(table: ConstantTable, opcode: str, lhs: Constant, rhs: Constant) -> Constant | None:
    """Return the result that follows from numbers on one side or both."""
    match lhs, rhs:
        case ConstantInt(), ConstantInt():
            return _integers(table, opcode, lhs, rhs)
        case _, ConstantInt():
            return _known_right(table, opcode, rhs)
        case ConstantInt(), _ if opcode in COMMUTATIVE:
            return _binary(table, opcode, rhs, lhs)
        case ConstantInt(0), _ if opcode in _SHIFTS | _DIVISIONS:
            return lhs
        case ConstantFP(), ConstantFP():
            bits = calculated(format_of(lhs.type), opcode, lhs.bits, rhs.bits)
            return None if bits is None else table.floating(lhs.type, bits)
    return None


def _known_right(table: ConstantTable, opcode: str, rhs: ConstantInt) -> Constant | None:
    absorbs = rhs.is_null if opcode in {"and", "mul"} else rhs.signed == -1 and opcode == "or"
    if absorbs:
        return rhs
    if opcode in _DIVISIONS and rhs.is_null:
        return table.poison(rhs.type)
    if opcode in {"urem", "srem"} and rhs.unsigned == 1:
        return table.null(rhs.type)
    return None


def _integers(table: ConstantTable, opcode: str, lhs: ConstantInt, rhs: ConstantInt) -> Constant:
    type_ = lhs.type
    if opcode in _DIVISIONS:
        overflows = opcode[0] == "s" and rhs.signed == -1 and lhs.signed == -1 << type_.bit_width - 1
        if rhs.is_null or (overflows and not (opcode == "srem" and rhs.unsigned == 1)):
            return table.poison(type_)
    if opcode in _SHIFTS and rhs.unsigned >= type_.bit_width:
        return table.poison(type_)
    left, right = (lhs.signed, rhs.signed) if opcode in {"sdiv", "srem"} else (lhs.unsigned, rhs.unsigned)
    if opcode == "ashr":
        left = lhs.signed
    return table.integer(type_, _INTEGER_OPERATIONS[opcode](left, right))


def _divided(lhs: int, rhs: int) -> int:
    """Return a quotient rounded to zero."""
    quotient = abs(lhs) // abs(rhs)
    return quotient if (lhs < 0) == (rhs < 0) else -quotient


_INTEGER_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda lhs, rhs: lhs + rhs,
    "sub": lambda lhs, rhs: lhs - rhs,
    "mul": lambda lhs, rhs: lhs * rhs,
    "udiv": _divided,
    "sdiv": _divided,
    "urem": lambda lhs, rhs: lhs % rhs,
    "srem": lambda lhs, rhs: lhs - _divided(lhs, rhs) * rhs,
    "shl": lambda lhs, rhs: lhs << rhs,
    "lshr": lambda lhs, rhs: lhs >> rhs,
    "ashr": lambda lhs, rhs: lhs >> rhs,
    "and": lambda lhs, rhs: lhs & rhs,
    "or": lambda lhs, rhs: lhs | rhs,
    "xor": lambda lhs, rhs: lhs ^ rhs,
}


def _vectors(table: ConstantTable, opcode: str, lhs: Constant, rhs: Constant, type: VectorType) -> Constant | None:
    right = splat_value(table, rhs)
    if right is not None:
        if opcode in _DIVISIONS and right.is_null:
            return table.poison(type)
        left = splat_value(table, lhs)
        if left is not None:
            folded = _binary(table, opcode, left, right)
            return None if folded is None else table.splat(type, folded)
    if not is_expandable(type):
        return None
    pairs = zip(elements_of(table, lhs), elements_of(table, rhs), strict=True)
    return folded_vector(table, type, (_binary(table, opcode, left, right) for left, right in pairs))


def _expressions(table: ConstantTable, opcode: str, lhs: Constant, rhs: Constant) -> Constant | None:
    """Return the result that follows from the structure of expressions, or from a width of one bit."""
    if isinstance(lhs, ConstantExpr):
        folded = _reassociated(table, opcode, lhs, rhs)
        if folded is not None:
            return folded
    elif isinstance(rhs, ConstantExpr) and opcode in COMMUTATIVE:
        return fold_binary(table, opcode, rhs, lhs)
    return _bits(table, opcode, lhs, rhs) if lhs.type is table.types.integer(1) else None


def _reassociated(table: ConstantTable, opcode: str, lhs: ConstantExpr, rhs: Constant) -> Constant | None:
    """Return (a op b) op c as a op (b op c) if b op c folds."""
    if opcode not in _ASSOCIATIVE:
        return None
    left_sides: list[Constant] = []
    innermost: Constant = lhs
    while isinstance(innermost, ConstantBinary) and innermost.opcode == opcode:
        left_sides.append(innermost.lhs)
        innermost = innermost.rhs
        if len(left_sides) > DEPTH:
            return None
    if not left_sides:
        return None
    folded = table.binary(opcode, innermost, rhs)
    for left in reversed(left_sides):
        if isinstance(folded, ConstantBinary) and folded.opcode == opcode:
            return None
        folded = table.binary(opcode, left, folded)
    return folded


def _bits(table: ConstantTable, opcode: str, lhs: Constant, rhs: Constant) -> Constant | None:
    """Return the result of an operation on single bits: any other outcome would be undefined."""
    if opcode in {"add", "sub"}:
        return table.binary("xor", lhs, rhs)
    if opcode in _SHIFTS or opcode in {"udiv", "sdiv"}:
        return lhs
    return table.boolean(value=False) if opcode in {"urem", "srem"} else None
