"""Products and quotients of fixed-point numbers in integers of twice the width.

Rules: LLVM Language Reference, "Fixed Point Arithmetic Intrinsics".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.types import IntegerType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.values import Value

__all__ = ["product", "quotient"]

_MAX_WIDTH = 64
"""The widest numbers: LLVM has products and quotients of 128 bits on all targets."""


def _widened(builder: UnlistedBuilder, call: Call, *, is_signed: bool) -> tuple[Value, Value, int] | None:
    """Return both numbers in twice the width, and the scale; None if they are too wide."""
    one, other, scale = call.arguments
    scalar = one.type.scalar_type
    if not isinstance(scalar, IntegerType) or not isinstance(scale, ConstantInt) or scalar.bit_width > _MAX_WIDTH:
        return None
    wide = builder.types.like(one.type, builder.types.integer(2 * scalar.bit_width))
    extension = "sext" if is_signed else "zext"
    return builder.cast(extension, one, wide), builder.cast(extension, other, wide), scale.unsigned


def _narrowed(builder: UnlistedBuilder, call: Call, wide: Value, *, is_signed: bool, saturates: bool) -> Value:
    """Return a number in the width of the result."""
    if saturates:
        width: int = call.type.scalar_type.bit_width  # type: ignore[attr-defined]
        highest = (1 << width - is_signed) - 1
        too_large = builder.icmp("sgt" if is_signed else "ugt", wide, highest)
        wide = builder.select(too_large, builder.integer(wide.type, highest), wide)
        if is_signed:
            lowest = -1 << width - 1
            wide = builder.select(builder.icmp("slt", wide, lowest), builder.integer(wide.type, lowest), wide)
    return builder.cast("trunc", wide, call.type)


def product(*, is_signed: bool, saturates: bool) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion of `llvm.smul.fix` and its kin."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        found = _widened(builder, call, is_signed=is_signed)
        if found is None:
            return None
        one, other, scale = found
        shifted = builder.binary("ashr" if is_signed else "lshr", builder.binary("mul", one, other), scale)
        return _narrowed(builder, call, shifted, is_signed=is_signed, saturates=saturates)

    return make


def quotient(*, is_signed: bool, saturates: bool) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion of `llvm.sdiv.fix` and its kin, which round down as LLVM does."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        found = _widened(builder, call, is_signed=is_signed)
        if found is None:
            return None
        one, other, scale = found
        numerator = builder.binary("shl", one, scale)
        result: Value = builder.binary("sdiv" if is_signed else "udiv", numerator, other)
        if is_signed:
            rest = builder.binary("sub", numerator, builder.binary("mul", result, other))
            is_negative = builder.icmp("slt", builder.binary("xor", numerator, other), 0)
            is_rounded = builder.binary("and", builder.icmp("ne", rest, 0), is_negative)
            result = builder.binary("add", result, builder.cast("sext", is_rounded, result.type))
        return _narrowed(builder, call, result, is_signed=is_signed, saturates=saturates)

    return make
