"""Floating-point intrinsics as plain operations.  Rules: LLVM Language Reference, "Intrinsic Functions"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.floating_point import FloatingPointFormat, X87Extended, format_of
from bitcodec.ir.types import FloatingPointType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["extreme", "extreme_number", "extreme_of", "is_class", "saturated", "split", "split_exponent"]

_DOUBLE_DOUBLE = "ppc_fp128"


def _format(type_: Type) -> FloatingPointFormat | None:
    """Return the format of floating-point numbers, None if their bits do not order them."""
    scalar = type_.scalar_type
    if not isinstance(scalar, FloatingPointType) or scalar.spelling == _DOUBLE_DOUBLE:
        return None
    return format_of(scalar)


def _are_alike(builder: UnlistedBuilder, one: Type, other: Type) -> bool:
    """Return whether two types are numbers, or vectors of the same length; signatures of conversions allow others."""
    return builder.types.like(one, other.scalar_type) is other


# minimum, maximum


def extreme_of(builder: UnlistedBuilder, one: Value, other: Value, *, is_maximum: bool) -> Value:
    """Return the smaller or larger of two numbers, of zeros the one with the right sign; of others, the second."""
    larger = builder.select(builder.fcmp("ogt" if is_maximum else "olt", one, other), one, other)
    bits = builder.bits_type(one.type)
    both = [builder.cast("bitcast", value, bits) for value in (one, other)]
    # The bits of equal numbers differ only in the sign of zero.
    zero = builder.cast("bitcast", builder.binary("and" if is_maximum else "or", *both), one.type)
    return builder.select(builder.fcmp("oeq", one, other), zero, larger)


def extreme(*, is_maximum: bool) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion of `llvm.maximum` or `llvm.minimum`."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        if _format(call.type) is None:
            return None
        one, other = call.arguments
        found = extreme_of(builder, one, other, is_maximum=is_maximum)
        not_a_number = builder.binary("fadd", one, other)
        return builder.select(builder.fcmp("uno", one, other), not_a_number, found)

    return make


def extreme_number(*, is_maximum: bool) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion of `llvm.maximumnum` or `llvm.minimumnum`, which prefer numbers."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        if _format(call.type) is None:
            return None
        one, other = call.arguments
        found = extreme_of(builder, one, other, is_maximum=is_maximum)
        found = builder.select(builder.fcmp("uno", other, other), one, found)
        found = builder.select(builder.fcmp("uno", one, one), other, found)
        both = builder.binary("and", builder.fcmp("uno", one, one), builder.fcmp("uno", other, other))
        return builder.select(both, builder.binary("fadd", one, other), found)

    return make


# Conversions


def saturated(*, is_signed: bool) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion of `llvm.fptosi.sat` or `llvm.fptoui.sat`."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        (value,) = call.arguments
        format_ = _format(value.type)
        if format_ is None or not _are_alike(builder, value.type, call.type):
            return None
        width = call.type.scalar_type.bit_width  # type: ignore[attr-defined]
        lowest, highest = (-1 << width - 1, (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
        limits = [builder.floating(value.type, _towards_zero(format_, limit)) for limit in (lowest, highest)]
        found = builder.cast("fptosi" if is_signed else "fptoui", value, call.type)
        too_small = builder.fcmp("ult", value, limits[0])
        found = builder.select(too_small, builder.integer(call.type, lowest), found)
        too_large = builder.fcmp("ogt", value, limits[1])
        found = builder.select(too_large, builder.integer(call.type, highest), found)
        if not is_signed:
            return found
        is_none = builder.fcmp("uno", value, value)
        return builder.select(is_none, builder.integer(call.type, 0), found)

    return make


def _towards_zero(format_: FloatingPointFormat, number: int) -> int:
    """Return the bits of the floating-point number nearest to an integer that is not further from zero."""
    bits = format_.of_integer(number)
    if format_.is_infinite(bits) or abs(format_.value(bits)) > abs(number):
        magnitude = format_.encoded(format_.decoded(format_.magnitude(bits)) - 1)
        return format_.signed(magnitude, negative=number < 0)
    return bits


# Classes

_SIGNALING, _QUIET, _NEGATIVE_INFINITY, _NEGATIVE_NORMAL, _NEGATIVE_SUBNORMAL, _NEGATIVE_ZERO = 1, 2, 4, 8, 16, 32
_POSITIVE_ZERO, _POSITIVE_SUBNORMAL, _POSITIVE_NORMAL, _POSITIVE_INFINITY = 64, 128, 256, 512
_ALL = 1023


def is_class(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.is.fpclass` to tests of bits."""
    value, test = call.arguments
    format_ = _format(value.type)
    if format_ is None or not isinstance(test, ConstantInt):
        return None
    wanted = test.unsigned & _ALL
    if wanted in (0, _ALL):
        return builder.integer(call.type, -1 if wanted else 0)
    bits = builder.cast("bitcast", value, builder.bits_type(value.type))
    magnitude = builder.binary("and", bits, (1 << format_.sign_bit) - 1)
    is_negative = builder.icmp("slt", bits, 0)
    found: Value | None = None
    for negative, positive, make in _TESTS:
        if not wanted & (negative | positive):
            continue
        one = make(builder, magnitude, format_)
        if wanted & (negative | positive) != negative | positive:
            sign = is_negative if wanted & negative else builder.binary("xor", is_negative, -1)
            one = builder.binary("and", one, sign)
        found = one if found is None else builder.binary("or", found, one)
    return found


def _is_quiet(builder: UnlistedBuilder, magnitude: Value, format_: FloatingPointFormat) -> Value:
    return builder.icmp("uge", magnitude, format_.nan)


def _is_signaling(builder: UnlistedBuilder, magnitude: Value, format_: FloatingPointFormat) -> Value:
    above = builder.icmp("ugt", magnitude, format_.infinity)
    return builder.binary("and", above, builder.icmp("ult", magnitude, format_.nan))


def _is_infinite(builder: UnlistedBuilder, magnitude: Value, format_: FloatingPointFormat) -> Value:
    return builder.icmp("eq", magnitude, format_.infinity)


def _is_zero(builder: UnlistedBuilder, magnitude: Value, _format: FloatingPointFormat) -> Value:
    return builder.icmp("eq", magnitude, 0)


def _is_subnormal(builder: UnlistedBuilder, magnitude: Value, format_: FloatingPointFormat) -> Value:
    return builder.icmp("ult", builder.binary("sub", magnitude, 1), (1 << format_.fraction_bits) - 1)


def _is_normal(builder: UnlistedBuilder, magnitude: Value, format_: FloatingPointFormat) -> Value:
    is_x87 = isinstance(format_, X87Extended)
    first = 1 << format_.fraction_bits + is_x87
    last = ((1 << format_.exponent_bits) - 2) * first
    found = builder.icmp("ult", builder.binary("sub", magnitude, first), last)
    if not is_x87:
        return found
    integer = builder.binary("and", magnitude, 1 << format_.fraction_bits)
    return builder.binary("and", found, builder.icmp("ne", integer, 0))


_TESTS = (
    (_SIGNALING, _SIGNALING, _is_signaling),
    (_QUIET, _QUIET, _is_quiet),
    (_NEGATIVE_INFINITY, _POSITIVE_INFINITY, _is_infinite),
    (_NEGATIVE_ZERO, _POSITIVE_ZERO, _is_zero),
    (_NEGATIVE_SUBNORMAL, _POSITIVE_SUBNORMAL, _is_subnormal),
    (_NEGATIVE_NORMAL, _POSITIVE_NORMAL, _is_normal),
)
"""The bits of a class for negative and for positive numbers, and a test of the bits without the sign."""


# Parts of numbers


def split(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.modf`: the fraction has the sign of the number, and is zero for an infinite number."""
    (value,) = call.arguments
    format_ = _format(value.type)
    suffix = builder.suffix(value.type)
    whole = builder.call_of(f"llvm.trunc.{suffix}", [value])
    if format_ is None or whole is None:
        return None
    rest = builder.binary("fsub", value, whole)
    size = builder.call_of(f"llvm.fabs.{suffix}", [value])
    if size is None:
        return None
    is_infinite = builder.fcmp("oeq", size, builder.floating(value.type, format_.infinity))
    rest = builder.select(is_infinite, builder.zero(value.type), rest)
    fraction = builder.call_of(f"llvm.copysign.{suffix}", [rest, value])
    return None if fraction is None else builder.struct(call.type, fraction, whole)


def split_exponent(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.frexp`: the exponent is in the bits, of small numbers after they are made large."""
    (value,) = call.arguments
    format_ = _format(value.type)
    exponent_type: Any = call.type.element_types[1]
    if format_ is None or isinstance(format_, X87Extended) or not _are_alike(builder, value.type, exponent_type):
        return None
    fraction_bits, bits_type = format_.fraction_bits, builder.bits_type(value.type)
    growth = fraction_bits + 1
    if exponent_type.scalar_type.bit_width < format_.exponent_bits + 1:
        return None
    sign = builder.binary("and", builder.cast("bitcast", value, bits_type), 1 << format_.sign_bit)
    magnitude = builder.binary("xor", builder.cast("bitcast", value, bits_type), sign)
    factor = builder.floating(value.type, (format_.bias + growth) << fraction_bits)
    grown = builder.cast("bitcast", builder.binary("fmul", value, factor), bits_type)
    is_small = builder.icmp("ult", magnitude, 1 << fraction_bits)
    magnitude_2 = builder.select(is_small, builder.binary("and", grown, (1 << format_.sign_bit) - 1), magnitude)
    exponent = builder.resized(builder.binary("lshr", magnitude_2, fraction_bits), exponent_type)
    bias = builder.select(
        is_small,
        builder.integer(exponent_type, format_.bias - 1 + growth),
        builder.integer(exponent_type, format_.bias - 1),
    )
    exponent = builder.binary("sub", exponent, bias)
    fraction = builder.binary("and", magnitude_2, (1 << fraction_bits) - 1)
    fraction = builder.binary("or", builder.binary("or", fraction, (format_.bias - 1) << fraction_bits), sign)
    # Zero, infinite numbers and those that are none stay as they are.
    is_zero = builder.icmp("eq", magnitude, 0)
    is_other = builder.binary("or", is_zero, builder.icmp("uge", magnitude, format_.infinity))
    first = builder.select(is_other, value, builder.cast("bitcast", fraction, value.type))
    second = builder.select(is_other, builder.integer(exponent_type, 0), exponent)
    return builder.struct(call.type, first, second)
