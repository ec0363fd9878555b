"""Folding of comparisons and selects."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constant_expressions import ConstantExpr
from bitcodec.ir.constants import (
    Constant,
    ConstantAggregate,
    ConstantFP,
    ConstantInt,
    ConstantPointerNull,
    ConstantVector,
    PoisonValue,
    UndefValue,
)
from bitcodec.ir.floating_point import format_of
from bitcodec.ir.folding.elements import (
    all_ones,
    elements_of,
    folded_vector,
    is_all_ones,
    is_expandable,
    is_huge,
    splat_value,
    vector_of,
)
from bitcodec.ir.folding.floating import compared
from bitcodec.ir.folding.relations import relation
from bitcodec.ir.functions import Function
from bitcodec.ir.globals import GlobalVariable
from bitcodec.ir.types import VectorType
from bitcodec.tables.opcodes import FCmpPredicate, ICmpPredicate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.types import Type

__all__ = ["fold_compare", "fold_select"]

_EQ, _NE = ICmpPredicate.EQ, ICmpPredicate.NE
_UGT, _UGE, _ULT, _ULE = ICmpPredicate.UGT, ICmpPredicate.UGE, ICmpPredicate.ULT, ICmpPredicate.ULE
_SGT, _SGE, _SLT, _SLE = ICmpPredicate.SGT, ICmpPredicate.SGE, ICmpPredicate.SLT, ICmpPredicate.SLE

_SWAPPED = {_UGT: _ULT, _ULT: _UGT, _UGE: _ULE, _ULE: _UGE, _SGT: _SLT, _SLT: _SGT, _SGE: _SLE, _SLE: _SGE}
"""Predicates with their operands swapped; others do not change."""
_TRUE_IF_LESS_EQUAL_GREATER: Mapping[ICmpPredicate, tuple[bool, bool, bool]] = {
    _EQ: (False, True, False),
    _NE: (True, False, True),
    _UGT: (False, False, True),
    _UGE: (False, True, True),
    _ULT: (True, False, False),
    _ULE: (True, True, False),
    _SGT: (False, False, True),
    _SGE: (False, True, True),
    _SLT: (True, False, False),
    _SLE: (True, True, False),
}
_SIGNED = frozenset({_SGT, _SGE, _SLT, _SLE})
_KNOWN: Mapping[ICmpPredicate, Mapping[ICmpPredicate, bool]] = {
    _EQ: {predicate: row[1] for predicate, row in _TRUE_IF_LESS_EQUAL_GREATER.items()},
    _NE: {_EQ: False, _NE: True},
    _UGT: {_UGT: True, _NE: True, _UGE: True, _ULT: False, _EQ: False, _ULE: False},
    _ULT: {_ULT: True, _NE: True, _ULE: True, _UGT: False, _EQ: False, _UGE: False},
}
"""For each relation of two addresses, which comparisons of them it decides."""


def fold_compare(
    table: ConstantTable, predicate: ICmpPredicate | FCmpPredicate, lhs: Constant, rhs: Constant
) -> Constant | None:
    """Return whether two constants compare so: a boolean or a vector of them."""
    result = table.types.like(lhs.type, table.types.integer(1))
    if is_huge(result):
        return None
    folded = _trivial(table, predicate, lhs, rhs, result)
    if folded is not None:
        return folded
    if isinstance(predicate, FCmpPredicate):
        return _floating(table, predicate, lhs, rhs, result)
    if result is lhs.type and predicate in {_EQ, _NE}:
        return _bits(table, predicate, lhs, rhs)
    if isinstance(result, VectorType):
        return _elements(table, predicate, lhs, rhs, result)
    return _scalars(table, predicate, lhs, rhs)


def _trivial(
    table: ConstantTable, predicate: ICmpPredicate | FCmpPredicate, lhs: Constant, rhs: Constant, result: Type
) -> Constant | None:
    """Return the result that follows from the predicate alone, from undefined operands, or from zero as the minimum."""
    if predicate in {FCmpPredicate.FALSE, FCmpPredicate.TRUE}:
        return _truth(table, result, value=predicate is FCmpPredicate.TRUE)
    if isinstance(lhs, PoisonValue) or isinstance(rhs, PoisonValue):
        return table.poison(result)
    if isinstance(lhs, UndefValue) or isinstance(rhs, UndefValue):
        return _with_undef(table, predicate, lhs, rhs, result)
    if rhs.is_null and predicate in {_UGE, _ULT}:
        return _truth(table, result, value=predicate is _UGE)
    return None


def _truth(table: ConstantTable, type: Type, *, value: bool) -> Constant:
    return vector_of(table, type, table.boolean(value=value))


def _with_undef(
    table: ConstantTable,
    predicate: ICmpPredicate | FCmpPredicate,
    lhs: Constant,
    rhs: Constant,
    result: Type,
) -> Constant:
    if isinstance(predicate, FCmpPredicate):
        # Not-a-number may be chosen for what is undefined.
        return _truth(table, result, value=bool(predicate.code & 8))
    if predicate in {_EQ, _NE} or lhs is rhs:
        return table.undef(result)
    return _truth(table, result, value=_TRUE_IF_LESS_EQUAL_GREATER[predicate][1])


def _holds(predicate: ICmpPredicate, lhs: ConstantInt, rhs: ConstantInt) -> bool:
    left, right = (lhs.signed, rhs.signed) if predicate in _SIGNED else (lhs.unsigned, rhs.unsigned)
    return _TRUE_IF_LESS_EQUAL_GREATER[predicate][(left >= right) + (left > right)]


def _bits(table: ConstantTable, predicate: ICmpPredicate, lhs: Constant, rhs: Constant) -> Constant:
    """Compare single bits by an operation on them."""
    if predicate is _NE:
        return table.binary("xor", lhs, rhs)
    ones = all_ones(table, lhs.type)
    if isinstance(lhs, ConstantExpr):
        return table.binary("xor", lhs, table.binary("xor", rhs, ones))
    return table.binary("xor", table.binary("xor", lhs, ones), rhs)


def _floating(
    table: ConstantTable, predicate: FCmpPredicate, lhs: Constant, rhs: Constant, result: Type
) -> Constant | None:
    if isinstance(lhs, ConstantFP) and isinstance(rhs, ConstantFP):
        return table.boolean(value=compared(format_of(lhs.type), predicate.code, lhs.bits, rhs.bits))
    if isinstance(result, VectorType):
        return _elements(table, predicate, lhs, rhs, result)
    if lhs is rhs and predicate in {FCmpPredicate.ONE, FCmpPredicate.UEQ}:
        return table.boolean(value=predicate is FCmpPredicate.UEQ)
    return None


def _elements(
    table: ConstantTable,
    predicate: ICmpPredicate | FCmpPredicate,
    lhs: Constant,
    rhs: Constant,
    result: VectorType,
) -> Constant | None:
    left, right = splat_value(table, lhs), splat_value(table, rhs)
    if left is not None and right is not None:
        folded = fold_compare(table, predicate, left, right)
        if folded is not None:
            return table.splat(result, folded)
    if not is_expandable(result):
        return None
    pairs = zip(elements_of(table, lhs), elements_of(table, rhs), strict=True)
    return folded_vector(table, result, (fold_compare(table, predicate, *pair) for pair in pairs))


def _scalars(table: ConstantTable, predicate: ICmpPredicate, lhs: Constant, rhs: Constant) -> Constant | None:
    if isinstance(lhs, ConstantInt) and isinstance(rhs, ConstantInt):
        return table.boolean(value=_holds(predicate, lhs, rhs))
    known = relation(lhs, rhs)
    decided = None if known is None else _KNOWN[known].get(predicate)
    if decided is not None:
        return table.boolean(value=decided)
    is_swapped = (isinstance(rhs, ConstantExpr) and not isinstance(lhs, ConstantExpr)) or (
        lhs.is_null and not rhs.is_null
    )
    return fold_compare(table, _SWAPPED.get(predicate, predicate), rhs, lhs) if is_swapped else None


def fold_select(
    table: ConstantTable, condition: Constant, true_value: Constant, false_value: Constant
) -> Constant | None:
    """Return the one of two constants that a condition chooses."""
    if condition.is_null:
        return false_value
    if is_all_ones(table, condition):
        return true_value
    if isinstance(condition, UndefValue):
        return _selected_element(table, condition, true_value, false_value)
    folded = None
    if isinstance(condition, ConstantVector) and is_expandable(condition.type):
        folded = _selected_elements(table, condition, true_value, false_value)
    return folded or _alike(true_value, false_value)


def _alike(true_value: Constant, false_value: Constant) -> Constant | None:
    """Return the one of two constants that may replace both."""
    if true_value is false_value or isinstance(false_value, PoisonValue):
        return true_value
    if isinstance(true_value, PoisonValue):
        return false_value
    if isinstance(true_value, UndefValue) and _is_never_poison(false_value):
        return false_value
    if isinstance(false_value, UndefValue) and _is_never_poison(true_value):
        return true_value
    return None


def _selected_elements(
    table: ConstantTable, condition: ConstantVector, true_value: Constant, false_value: Constant
) -> Constant | None:
    rows = zip(
        elements_of(table, condition), elements_of(table, true_value), elements_of(table, false_value), strict=True
    )
    type_ = cast("VectorType", true_value.type)
    return folded_vector(table, type_, (_selected_element(table, *row) for row in rows))


def _selected_element(
    table: ConstantTable, condition: Constant, true_value: Constant, false_value: Constant
) -> Constant | None:
    if isinstance(condition, PoisonValue):
        return table.poison(true_value.type)
    if true_value is false_value:
        return true_value
    if isinstance(condition, UndefValue):
        return true_value if isinstance(true_value, UndefValue) else false_value
    if not isinstance(condition, ConstantInt):
        return None
    return false_value if condition.is_null else true_value


def _is_never_poison(constant: Constant) -> bool:
    if isinstance(constant, (ConstantInt, GlobalVariable, ConstantFP, ConstantPointerNull, Function)):
        return True
    if not isinstance(constant.type, VectorType) or isinstance(constant, (PoisonValue, ConstantExpr)):
        return False
    unsure = (PoisonValue, ConstantExpr)
    return not isinstance(constant, ConstantAggregate) or not any(
        isinstance(part, unsure) for part in constant.operands
    )
