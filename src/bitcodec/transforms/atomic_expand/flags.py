"""`atomicrmw` of a target whose instructions describe the new value by flags alone, and do not return the old one.

The expansion depends on the users of the old value: without users, it is left to the back end; if a condition or a
single bit is everything that is needed, an intrinsic gives that; else a loop must be made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.instructions import BinaryOperator, ICmp
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.opcodes import AtomicRMWOperation, ICmpPredicate
from bitcodec.transforms.atomic_expand.bits import expand_bit_test
from bitcodec.transforms.atomic_expand.description import Expansion
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.instructions import AtomicRMW
    from bitcodec.ir.values import Value

__all__ = ["expand_for_uses"]

_Op = AtomicRMWOperation
_P = ICmpPredicate

_EXCHANGING = frozenset({_Op.ADD, _Op.SUB})
"""Operations that can give the old value after all."""
_COMMUTATIVE = frozenset({_Op.ADD, _Op.AND, _Op.OR, _Op.XOR})
_ZERO_IF_EQUAL = frozenset({_Op.SUB, _Op.XOR})
"""Operations whose result is zero if the old value is the operand."""
_LOGIC = frozenset({_Op.AND, _Op.OR})
_EQUALITY = frozenset({_P.EQ, _P.NE})

_CONDITIONS: Mapping[tuple[ICmpPredicate, int], int] = {
    (_P.EQ, 0): 4,
    (_P.NE, 0): 5,
    (_P.SLT, 0): 8,
    (_P.SGT, -1): 9,
}
"""Numbers of conditions, by the comparison of the new value."""
_CONDITION_BITS = 32
_RESULT_BITS = 8


class _Condition(NamedTuple):
    """The condition that is tested of a result.

    Attributes:
        number: of the condition.
        compare: the comparison that asks.
        between: the instruction that computes the new value for it, if one does.
    """

    number: int
    compare: ICmp
    between: BinaryOperator | None = None


def expand_for_uses(rmw: AtomicRMW) -> Expansion:
    """Expand an instruction that an intrinsic can replace; return the expansion that it still needs."""
    if _is_left(rmw):
        return Expansion.NONE
    condition = _condition(rmw)
    if condition is not None:
        _test_condition(rmw, condition)
        return Expansion.NONE
    if rmw.operation in _EXCHANGING or expand_bit_test(rmw):
        return Expansion.NONE
    return Expansion.CMPXCHG


def _is_left(rmw: AtomicRMW) -> bool:
    """Return whether the result is unused, or the operation is equivalent to an addition."""
    value = rmw.value
    if isinstance(value, ConstantInt) and rmw.operation is _Op.XOR:
        return not rmw.is_used or value.unsigned == 1 << (value.type.bit_width - 1)
    return rmw.operation not in _EXCHANGING and not rmw.is_used


def _condition(rmw: AtomicRMW) -> _Condition | None:
    """Return the condition that the only use of a result tests."""
    match rmw.users:
        case (ICmp() as compare,):
            return _old_condition(rmw, compare)
        case (BinaryOperator() as between,) if _computes(between, rmw):
            return _new_condition(rmw, between)
    return None


def _old_condition(rmw: AtomicRMW, compare: ICmp) -> _Condition | None:
    """Return the condition of a comparison of the old value."""
    other = compare.rhs if compare.lhs is rmw else compare.lhs
    if compare.predicate not in _EQUALITY or not _is_zero_then(rmw, other):
        return None
    return _Condition(_CONDITIONS[compare.predicate, 0], compare)


def _new_condition(rmw: AtomicRMW, between: BinaryOperator) -> _Condition | None:
    """Return the condition of a comparison of the new value, computed once more."""
    match between.users:
        case (ICmp(predicate, _, ConstantInt() as limit) as compare,):
            number = _CONDITIONS.get((predicate, limit.signed))
            if number is not None and (predicate not in _EQUALITY or rmw.operation in _LOGIC):
                return _Condition(number, compare, between)
    return None


def _is_zero_then(rmw: AtomicRMW, old: Value) -> bool:
    """Return whether the new value is zero just if the old one is a certain one."""
    if rmw.operation is not _Op.ADD:
        return rmw.operation in _ZERO_IF_EQUAL and old is rmw.value
    match old:
        case BinaryOperator("sub", ConstantInt(0), negated):
            return negated is rmw.value
    return False


def _computes(user: BinaryOperator, rmw: AtomicRMW) -> bool:
    """Return whether an instruction computes the new value from the old one."""
    if user.opcode != rmw.operation.spelling:
        return False
    if user.lhs is rmw:
        return user.rhs is rmw.value
    return rmw.operation in _COMMUTATIVE and user.lhs is rmw.value


def _test_condition(rmw: AtomicRMW, condition: _Condition) -> None:
    builder = ReplacementBuilder(rmw, is_plain=True)
    number = builder.constants.integer(builder.integer(_CONDITION_BITS), condition.number)
    called = builder.reuse.overloaded(f"llvm.x86.atomic.{rmw.operation}.cc", rmw.type)
    address = builder.plain_address(rmw.pointer)
    holds = builder.intrinsic(called, builder.integer(_RESULT_BITS), [address, rmw.value, number])
    condition.compare.replace_all_uses_with(builder.cast("trunc", holds, builder.integer(1)))
    for gone in (condition.compare, condition.between, rmw):
        if gone is not None:
            gone.erase_from_parent()
