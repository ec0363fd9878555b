"""Arithmetic on floating-point bit patterns, as LLVM computes it: to nearest, ties to even."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bitcodec.ir.floating_point import DoubleDouble

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from fractions import Fraction

    from bitcodec.ir.floating_point import FloatingPointFormat

__all__ = ["FLOATING_OPERATIONS", "calculated", "compared", "truncated"]


def calculated(format: FloatingPointFormat, opcode: str, lhs: int, rhs: int) -> int | None:
    """Return the result of an operation; None for sums of two doubles, which have their own rounding."""
    if isinstance(format, DoubleDouble):
        return None
    for operand in (lhs, rhs):
        if format.is_nan(operand):
            return format.quieted(operand)
    return FLOATING_OPERATIONS[opcode](format, lhs, rhs)


def compared(format: FloatingPointFormat, predicate: int, lhs: int, rhs: int) -> bool:
    """Return whether a comparison holds.

    The number of a predicate gives it: bit 0 is set if equal numbers fulfil it, bit 1 if a greater one does, bit 2 if a
    less one does, bit 3 if a not-a-number does.
    """
    if format.is_nan(lhs) or format.is_nan(rhs):
        return bool(predicate & 8)
    left, right = _order(format, lhs), _order(format, rhs)
    return bool(predicate & (1 if left == right else 2 if left > right else 4))


def truncated(format: FloatingPointFormat, bits: int) -> int | None:
    """Return the integer next to a number on the way to zero, None if it is not finite."""
    return math.trunc(format.value(bits)) if format.is_finite(bits) else None


def _order(format: FloatingPointFormat, bits: int) -> Fraction | float:
    if format.is_finite(bits):
        return format.value(bits)
    return -math.inf if format.is_negative(bits) else math.inf


def _add(format: FloatingPointFormat, lhs: int, rhs: int) -> int:
    same_sign = format.is_negative(lhs) == format.is_negative(rhs)
    if format.is_infinite(lhs):
        return lhs if same_sign or format.is_finite(rhs) else format.nan
    if format.is_infinite(rhs):
        return rhs
    return format.rounded(format.value(lhs) + format.value(rhs), negative=same_sign and format.is_negative(lhs))


def _subtract(format: FloatingPointFormat, lhs: int, rhs: int) -> int:
    return _add(format, lhs, format.negated(rhs))


def _multiply(format: FloatingPointFormat, lhs: int, rhs: int) -> int:
    negative = format.is_negative(lhs) != format.is_negative(rhs)
    if format.is_infinite(lhs) or format.is_infinite(rhs):
        if format.is_zero(lhs) or format.is_zero(rhs):
            return format.nan
        return format.signed(format.infinity, negative=negative)
    return format.rounded(format.value(lhs) * format.value(rhs), negative=negative)


def _divide(format: FloatingPointFormat, lhs: int, rhs: int) -> int:
    negative = format.is_negative(lhs) != format.is_negative(rhs)
    if format.is_infinite(lhs):
        return format.nan if format.is_infinite(rhs) else format.signed(format.infinity, negative=negative)
    if format.is_infinite(rhs):
        return format.signed(0, negative=negative)
    if format.is_zero(rhs):
        return format.nan if format.is_zero(lhs) else format.signed(format.infinity, negative=negative)
    quotient = format.value(lhs) / format.value(rhs)
    return _with_sign(format, format.rounded(quotient), negative=negative)


def _remainder(format: FloatingPointFormat, lhs: int, rhs: int) -> int:
    if format.is_infinite(lhs) or format.is_zero(rhs):
        return format.nan
    if format.is_infinite(rhs) or format.is_zero(lhs):
        return lhs
    rest = abs(format.value(lhs)) % abs(format.value(rhs))
    return _with_sign(format, format.rounded(rest), negative=format.is_negative(lhs))


def _with_sign(format: FloatingPointFormat, bits: int, *, negative: bool) -> int:
    return format.signed(format.magnitude(bits), negative=negative)


FLOATING_OPERATIONS: Mapping[str, Callable[[FloatingPointFormat, int, int], int]] = {
    "fadd": _add,
    "fsub": _subtract,
    "fmul": _multiply,
    "fdiv": _divide,
    "frem": _remainder,
}
