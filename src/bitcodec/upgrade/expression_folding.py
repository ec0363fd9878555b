"""Arithmetic on constants in expressions, which LLVM 22 does ahead wherever it makes one expression of another.

Numbers have 64 bits; operations that would overflow, or lose bits, are not folded.
"""

from __future__ import annotations

from operator import add, mul, sub
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["folded"]

Operation: TypeAlias = tuple[int, ...]
"""An operator and its arguments."""

_CONSTU, _PLUS_UCONST, _ARG = 0x10, 0x23, 0x1005
_DIV, _MINUS, _MUL, _PLUS, _SHL, _SHR = 0x1B, 0x1C, 0x1E, 0x22, 0x24, 0x25
_LITERALS = range(0x30, 0x50)
_BITS = 64
_LONGEST = 6
"""Operations in the longest pattern."""


def _shifted_left(left: int, right: int) -> int | None:
    return left << right if right < _BITS else None


def _shifted_right(left: int, right: int) -> int | None:
    return left >> right if right < _BITS and left >> right << right == left else None


def _divided(left: int, right: int) -> int | None:
    return left // right if right else None


_ARITHMETIC: dict[int, Callable[[int, int], int | None]] = {
    _PLUS: add,
    _MINUS: sub,
    _MUL: mul,
    _DIV: _divided,
    _SHL: _shifted_left,
    _SHR: _shifted_right,
}
_NEUTRAL = {_PLUS: 0, _MINUS: 0, _SHL: 0, _SHR: 0, _MUL: 1, _DIV: 1}
_COMMUTATIVE = {_PLUS, _MUL}


def folded(operations: Iterable[Operation]) -> list[Operation]:
    """Return the operations of an expression that does the same with fewer constants."""
    working = list(_spread(operations))
    index = 0
    while index < len(working):
        found = _shorter(working[index : index + _LONGEST])
        if found is None:
            index += 1
        else:
            working[index : index + _LONGEST] = found
            index = max(index - _LONGEST, 0)
    return list(_gathered(working))


def _spread(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield each constant as a separate operation."""
    for operation in operations:
        operator = operation[0]
        if operator in _LITERALS:
            yield _CONSTU, operator - _LITERALS.start
        elif operator == _PLUS_UCONST and len(operation) > 1:
            yield _CONSTU, operation[1]
            yield (_PLUS,)
        else:
            yield operation


def _gathered(operations: Sequence[Operation]) -> Iterator[Operation]:
    """Yield the shortest form of operations with constants."""
    pairs = zip(operations, [*operations[1:], None], strict=False)
    for operation, follower in pairs:
        constant = _constant(operation)
        if constant == 0:
            yield (_LITERALS.start,)
        elif constant is not None and follower == (_PLUS,):
            yield _PLUS_UCONST, constant
            next(pairs)
        else:
            yield operation


def _shorter(operations: Sequence[Operation]) -> list[Operation] | None:
    """Return fewer operations than those given, which do the same; None if those that come first are needed."""
    first = _constant(operations[0])
    if first is None or len(operations) == 1:
        return None
    if _NEUTRAL.get(operations[1][0]) == first:
        return list(operations[2:])
    for operator, second, kept in _PATTERNS:
        if len(operations) <= max(operator, second):
            return None
        constant = _constant(operations[second])
        if constant is None or not _is_alike(operations, kept, operator):
            continue
        result = _computed(operations[operator][0], first, constant)
        if result is None:
            return None
        return [(_CONSTU, result), *operations[1 : 1 + kept], *operations[1 + max(operator, second) :]]
    return None


_PATTERNS = ((2, 1, 0), (3, 2, 1), (5, 4, 3))
"""Indices after a constant of the operator and of the other constant, and the number of operations kept between."""


def _is_alike(operations: Sequence[Operation], between: int, operator: int) -> bool:
    """Whether the operations between two constants may trade places with the second one."""
    last = operations[operator]
    if between and last[0] not in _COMMUTATIVE:
        return False
    if between == 3 and operations[2][0] != _ARG:
        return False
    return all(operations[index] == last for index in range(1, 1 + between, 2))


def _computed(operator: int, left: int, right: int) -> int | None:
    arithmetic = _ARITHMETIC.get(operator)
    result = None if arithmetic is None else arithmetic(left, right)
    return None if result is None or not 0 <= result < 1 << _BITS else result


def _constant(operation: Operation) -> int | None:
    """Return the constant that an operation pushes onto the stack, None for another operation."""
    return operation[1] if operation[0] == _CONSTU and len(operation) > 1 else None
