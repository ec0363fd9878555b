"""Signed and wide integers of records.  Rules: docs/reference/records.md, 1.9 and 1.10."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.types import IntegerType
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["constant_range", "range_width", "rotated", "wide"]

_WORD_BITS = 64
_WORD = (1 << _WORD_BITS) - 1


def rotated(operand: int) -> int:
    """Return the signed integer of an operand that has its sign in the lowest bit."""
    if not operand & 1:
        return operand >> 1
    return -(operand >> 1) if operand != 1 else -1 << 63


def wide(words: Iterable[int]) -> int:
    """Return the unsigned integer of operands that are 64 bits each, rotated, the lowest first."""
    data = b"".join((rotated(word) & _WORD).to_bytes(8, "little") for word in words)
    return int.from_bytes(data, "little")


def range_width(take: Callable[[], int]) -> int:
    """Return the width in bits of the ranges to come; `take` gives the next operand.

    Raises:
        Malformed: the width is too large for an integer type.
    """
    width = take()
    if not 1 <= width <= IntegerType.MAX_WIDTH:
        raise Malformed(Reason.RANGE_WIDTH(width=width))
    return width


def constant_range(width: int, take: Callable[[], int]) -> ConstantRange:
    """Return the range of integers of `width` bits that the next operands encode; `take` returns the next one.

    Raises:
        Malformed: a bound is wider.
    """
    if width <= _WORD_BITS:
        return ConstantRange.of(width, rotated(take()), rotated(take()))
    counts = take()
    return ConstantRange.of(width, _bound(counts & 0xFFFF_FFFF, width, take), _bound(counts >> 32, width, take))


def _bound(count: int, width: int, take: Callable[[], int]) -> int:
    if (count - 1) * _WORD_BITS >= width:
        raise Malformed(Reason.BOUND_WIDTH(count=count, width=width))
    return wide([take() for _ in range(count)])
