"""Simplification of operations that constants decide: LLVM's builder creates no instruction for these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import Constant, ConstantFP, ConstantInt, PoisonValue
from bitcodec.ir.floating_point import format_of
from bitcodec.ir.folding import fold_binary, fold_cast, fold_compare
from bitcodec.ir.folding.elements import splat_value
from bitcodec.ir.instructions import BinaryOperator, Cast, ICmp
from bitcodec.ir.types import VectorType
from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.tables.removed_expressions import REMOVED_EXPRESSIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["simplified_binary", "simplified_cast", "simplified_compare", "simplified_select"]

_NEUTRAL = {"add": 0, "sub": 0, "or": 0, "xor": 0, "and": -1, "shl": 0, "lshr": 0}
"""Second operands that leave the first one unchanged."""
_ABSORBING = {"and": 0, "or": -1}
"""Second operands that are the result."""
_COMMUTATIVE = frozenset({"add", "or", "xor", "and"})
_NULL_STAYS = frozenset({"shl", "lshr"})
"""Operations that leave a first operand of zero unchanged."""
_INVERSES = {"zext": "trunc", "sext": "trunc", "bitcast": "bitcast", "inttoptr": "ptrtoint", "ptrtoint": "inttoptr"}

_P = ICmpPredicate
_ABOVE = frozenset({_P.UGT, _P.SGT})
_DECIDED: Mapping[ICmpPredicate, tuple[int, bool, bool]] = {
    _P.UGE: (0, False, True),
    _P.ULT: (0, False, False),
    _P.ULE: (-1, False, True),
    _P.UGT: (-1, False, False),
    _P.SGE: (0, True, True),
    _P.SLT: (0, True, False),
    _P.SLE: (-1, True, True),
    _P.SGT: (-1, True, False),
}
"""By predicate: whether the least number, 0, or the greatest, -1, decides it as second operand; signed; the outcome."""


def simplified_binary(table: ConstantTable, opcode: str, lhs: Value, rhs: Value) -> Value | None:
    """Return the result of an operation on integers or floating-point numbers, None if it cannot be simplified."""
    if isinstance(lhs, Constant) and isinstance(rhs, Constant):
        return fold_binary(table, opcode, lhs, rhs)
    if isinstance(lhs, Constant) and opcode in _COMMUTATIVE:
        lhs, rhs = rhs, lhs
    if isinstance(rhs, PoisonValue):
        return rhs
    if isinstance(rhs, Constant):
        return _with_constant(table, opcode, lhs, rhs)
    if isinstance(lhs, ConstantInt) and opcode in _NULL_STAYS and _is(lhs, 0):
        return lhs
    if opcode != "or":
        return None
    return table.boolean(value=True) if _are_all(lhs, rhs) else _sum_of_upper_bits(lhs, rhs)


def simplified_cast(table: ConstantTable, opcode: str, value: Value, type: Type) -> Value | None:
    """Return the result of a cast: of a constant, to its own type, or back to the type before a cast; else None."""
    if value.type is type:
        return value
    if isinstance(value, Constant):
        if opcode in REMOVED_EXPRESSIONS:
            return fold_cast(table, opcode, value, type)
        return table.cast(opcode, value, type)
    if isinstance(value, Cast) and value.operand.type is type and _INVERSES.get(value.opcode) == opcode:
        return value.operand
    return None


def simplified_compare(table: ConstantTable, predicate: ICmpPredicate, lhs: Value, rhs: Value) -> Value | None:
    """Return the result of a comparison of integers, None if it cannot be simplified."""
    if isinstance(lhs, Constant) and isinstance(rhs, Constant):
        return fold_compare(table, predicate, lhs, rhs)
    if isinstance(rhs, PoisonValue):
        return table.poison(table.types.integer(1))
    match predicate, lhs, rhs:
        case _P.NE, Cast("zext", condition), ConstantInt(0) if condition.type is table.types.integer(1):
            return condition
    if isinstance(rhs, ConstantInt) and predicate in _DECIDED:
        limit, is_signed, outcome = _DECIDED[predicate]
        if _is(rhs, limit, is_signed=is_signed):
            return table.boolean(value=outcome)
    return None


def simplified_select(table: ConstantTable, condition: Value, true_value: Value, false_value: Value) -> Value | None:
    """Return the result of a `select`, None if it cannot be simplified."""
    if true_value is false_value and not isinstance(condition, PoisonValue):
        return true_value
    match condition:
        case ConstantInt(is_true):
            return true_value if is_true else false_value
        case PoisonValue():
            return table.poison(true_value.type)
        case ICmp(predicate, number, ConstantInt() as known):
            return _chosen_by(table, predicate, number, known, true_value, false_value)
    return None


def _chosen_by(
    table: ConstantTable,
    predicate: ICmpPredicate,
    number: Value,
    known: ConstantInt,
    true_value: Value,
    false_value: Value,
) -> Value | None:
    """Return the result of a `select` by a comparison with a constant that decides for all numbers but one."""
    if predicate is _P.EQ:
        return _in_both_cases(table, number, known, true_value, false_value)
    # What is above the least number is another one.
    if predicate in _ABOVE and _is(known, 0, is_signed=predicate is _P.SGT):
        return _in_both_cases(table, number, known, false_value, true_value)
    return None


def _in_both_cases(
    table: ConstantTable, number: Value, known: ConstantInt, if_equal: Value, otherwise: Value
) -> Value | None:
    """Return the value for an unequal number if it is also the value for the known number; else None."""
    result = otherwise
    if otherwise is number:
        result = known
    elif isinstance(otherwise, BinaryOperator) and isinstance(otherwise.rhs, Constant) and otherwise.lhs is number:
        result = fold_binary(table, otherwise.opcode, known, otherwise.rhs) or otherwise
    return otherwise if result is if_equal else None


def _with_constant(table: ConstantTable, opcode: str, lhs: Value, rhs: Constant) -> Value | None:
    """Return the operand that the other one leaves unchanged, also if each element of a vector does."""
    element = splat_value(table, rhs) if isinstance(rhs.type, VectorType) else rhs
    if isinstance(element, ConstantFP):
        return lhs if element.bits == _neutral_zero(element, opcode) else None
    if not isinstance(rhs, ConstantInt):
        return None
    if _is(rhs, _NEUTRAL.get(opcode)):
        return lhs
    return rhs if _is(rhs, _ABSORBING.get(opcode)) else None


def _neutral_zero(number: ConstantFP, opcode: str) -> int | None:
    """Return the zero that an operation with floating-point numbers may have for nothing: plus zero changes -0.0."""
    return {"fadd": format_of(number.type).signed(0, negative=True), "fsub": 0}.get(opcode)


def _sum_of_upper_bits(lhs: Value, rhs: Value) -> Value | None:
    """Return the sum in an `or` of its upper bits with the lower bits of one addend, if the other addend has none."""
    match lhs, rhs:
        case (
            BinaryOperator("and", number, ConstantInt() as low),
            BinaryOperator("and", BinaryOperator("add", first, second) as total, ConstantInt() as high),
        ) if first is number and _is_low_mask(low, high) and _has_none(second, low.unsigned):
            return total
    return None


def _is_low_mask(low: ConstantInt, high: ConstantInt) -> bool:
    """Return whether two numbers are the lower bits, all set, and all others."""
    every = (1 << low.type.bit_width) - 1
    return low.unsigned ^ high.unsigned == every and low.unsigned != 0 and low.unsigned & (low.unsigned + 1) == 0


def _has_none(value: Value, mask: int) -> bool:
    """Return whether a number has no bit of a mask of lower bits."""
    match value:
        case ConstantInt():
            return value.unsigned & mask == 0
        case BinaryOperator("shl", _, ConstantInt(distance)):
            return mask >> distance == 0
    return False


def _are_all(lhs: Value, rhs: Value) -> bool:
    """Return whether one comparison holds for zero and the other for everything above it, of the same number."""
    match lhs, rhs:
        case ICmp(_P.EQ, one, ConstantInt(0)), ICmp(_P.UGT, other, ConstantInt(0)):
            return one is other
    return False


def _is(number: ConstantInt, wanted: int | None, *, is_signed: bool = False) -> bool:
    """Return whether a number is the least, 0, or the greatest, -1, that its type has."""
    if wanted is None:
        return False
    mask = (1 << number.type.bit_width) - 1
    sign = 1 << (number.type.bit_width - 1) if is_signed else 0
    return number.unsigned ^ sign == wanted & mask
