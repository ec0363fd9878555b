"""Integers as two registers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import IntegerType

if TYPE_CHECKING:
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder

__all__ = ["halves", "joined"]


def halves(builder: ReplacementBuilder, value: Value, register: IntegerType, prefix: str = "") -> tuple[Value, Value]:
    """Return the lower and the upper half of an integer; their names have a prefix."""
    low = builder.cast("trunc", value, register, f"{prefix}lo")
    return low, builder.cast("trunc", builder.binary("lshr", value, register.bit_width), register, f"{prefix}hi")


def joined(builder: ReplacementBuilder, pair: Value, whole: Type, *, is_high_first: bool = False) -> Value:
    """Return the integer of a struct of its lower and its upper half, or of its upper and its lower half."""
    low, high = builder.extractvalue(pair, 0, name="lo"), builder.extractvalue(pair, 1, name="hi")
    if is_high_first:
        low, high = high, low
    low_bits, high_bits = builder.cast("zext", low, whole, "lo64"), builder.cast("zext", high, whole, "hi64")
    register = low.type
    assert isinstance(register, IntegerType)  # noqa: S101 - both halves are
    return builder.binary("or", low_bits, builder.binary("shl", high_bits, register.bit_width), "val64")
