"""Expansions to instructions of scalar intrinsics that readers of profiles lack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import IntegerType, VectorType

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.builder import Builder
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "absolute",
    "by_nvvm",
    "canonicalize",
    "clock",
    "copy_sign",
    "fraction",
    "leading_zeros",
    "overflowing",
    "population",
    "round_away",
    "swap_bytes",
    "trailing_zeros",
]

_HALF, _WORD, _WIDE = 32, 64, 128
_BYTE = 8


def _width(value: Value) -> int:
    type_ = value.type
    return _WORD if type_.spelling == "double" else _HALF  # type: ignore[attr-defined]


def _bits(builder: Builder, value: Value) -> Value:
    return builder.bitcast(value, builder.types.integer(_width(value)))


def by_nvvm(name: str) -> Callable[[Builder, Sequence[Value]], Value]:
    """Return a function that calls the intrinsic of NVPTX for float or double."""

    def make(builder: Builder, parts: Sequence[Value]) -> Value:
        (value,) = parts
        letter = "d" if _width(value) == _WORD else "f"
        return builder.intrinsic(f"llvm.nvvm.{name}.{letter}", value.type, [value])

    return make


def absolute(builder: Builder, parts: Sequence[Value]) -> Value:
    """Return a number without its sign."""
    (value,) = parts
    mask = (1 << _width(value) - 1) - 1
    return builder.bitcast(builder.and_(_bits(builder, value), mask), value.type)


def copy_sign(builder: Builder, parts: Sequence[Value]) -> Value:
    """Return a number with the sign of another."""
    value, sign = parts
    top = 1 << _width(value) - 1
    magnitude = builder.and_(_bits(builder, value), top - 1)
    return builder.bitcast(builder.or_(magnitude, builder.and_(_bits(builder, sign), -top)), value.type)


def canonicalize(builder: Builder, parts: Sequence[Value]) -> Value:
    """Return a number times 1, which quiets it."""
    (value,) = parts
    return builder.fmul(value, 1.0)


def round_away(builder: Builder, parts: Sequence[Value]) -> Value:
    """Round to the nearest integer, halves away from zero."""
    (value,) = parts
    magnitude = absolute(builder, [value])
    whole = by_nvvm("trunc")(builder, [magnitude])
    is_up = builder.fcmp("oge", builder.fsub(magnitude, whole), 0.5)
    return copy_sign(builder, [builder.select(is_up, builder.fadd(whole, 1.0), whole), value])


def fraction(builder: Builder, parts: Sequence[Value]) -> Value:
    """Return the fractional part, with the sign of the number: 0 for infinity."""
    (value,) = parts
    whole = by_nvvm("trunc")(builder, [value])
    is_whole = builder.fcmp("oeq", value, whole)
    zero = builder.constants.null(value.type)
    return copy_sign(builder, [builder.select(is_whole, zero, builder.fsub(value, whole)), value])


def clock(builder: Builder, _: Sequence[Value]) -> Value:
    """Return the number of cycles."""
    return builder.intrinsic("llvm.nvvm.read.ptx.sreg.clock64", builder.types.integer(_WORD))


# Bits of integers


def _integer_width(value: Value) -> int:
    assert isinstance(value.type, IntegerType)  # noqa: S101 - only integers are counted
    return value.type.bit_width


def _known_width(width: int) -> int:
    """Return the next width that libNVVM counts bits in; wider numbers are counted in words."""
    return _HALF if width <= _HALF else -(-width // _WORD) * _WORD


def _words(builder: Builder, value: Value) -> list[Value]:
    """Return the words of a number whose width is a multiple of theirs, the lowest first."""
    word = builder.types.integer(_WORD)
    count = _integer_width(value) // _WORD
    return [builder.trunc(builder.lshr(value, index * _WORD), word) for index in range(count)]


def _call(builder: Builder, name: str, value: Value) -> Value:
    """Call an intrinsic; an intrinsic that counts zeros is to return the width for 0."""
    arguments: list[Value | bool] = [value, *([False] if name in {"ctlz", "cttz"} else [])]
    return builder.intrinsic(f"llvm.{name}.{value.type}", value.type, arguments)


def _resized(builder: Builder, value: Value, type_: Type) -> Value:
    old, new = _integer_width(value), type_.bit_width  # type: ignore[attr-defined]
    if old == new:
        return value
    return builder.zext(value, type_) if old < new else builder.trunc(value, type_)


def population(builder: Builder, parts: Sequence[Value]) -> Value:
    """Return the number of ones."""
    (value,) = parts
    wide = _resized(builder, value, builder.types.integer(_known_width(_integer_width(value))))
    words = [wide] if _integer_width(wide) <= _WORD else _words(builder, wide)
    total = _call(builder, "ctpop", words[0])
    for word in words[1:]:
        total = builder.add(total, _call(builder, "ctpop", word))
    return _resized(builder, total, value.type)


def leading_zeros(builder: Builder, parts: Sequence[Value]) -> Value:
    """Return the number of zeros above the highest one; the width for 0."""
    value = parts[0]
    width = _integer_width(value)
    wide = _resized(builder, value, builder.types.integer(_known_width(width)))
    padding = _integer_width(wide) - width
    words = [wide] if _integer_width(wide) <= _WORD else _words(builder, wide)
    total = _call(builder, "ctlz", words[0])
    for word in words[1:]:
        below = builder.add(total, _WORD)
        total = builder.select(builder.icmp("eq", word, 0), below, _call(builder, "ctlz", word))
    return _resized(builder, builder.sub(total, padding) if padding else total, value.type)


def trailing_zeros(builder: Builder, parts: Sequence[Value]) -> Value:
    """Return the number of zeros below the lowest one; the width for 0."""
    value = parts[0]
    width = _integer_width(value)
    wide = _resized(builder, value, builder.types.integer(_known_width(width)))
    if _integer_width(wide) > width:
        wide = builder.or_(wide, builder.constants.integer(wide.type, 1 << width))  # type: ignore[arg-type]
    words = [wide] if _integer_width(wide) <= _WORD else _words(builder, wide)
    total = _call(builder, "cttz", words[-1])
    for word in reversed(words[:-1]):
        above = builder.add(total, _WORD)
        total = builder.select(builder.icmp("eq", word, 0), above, _call(builder, "cttz", word))
    return _resized(builder, total, value.type)


def swap_bytes(builder: Builder, parts: Sequence[Value]) -> Value:
    """Return the bytes in reverse order."""
    (value,) = parts
    width = _integer_width(value)
    if width in {16, _HALF, _WORD}:
        return _call(builder, "bswap", value)
    result = None
    byte = builder.types.integer(_BYTE)
    for index in range(width // _BYTE):
        part = builder.zext(builder.trunc(builder.lshr(value, index * _BYTE), byte), value.type)
        moved = builder.shl(part, width - _BYTE * (index + 1))
        result = moved if result is None else builder.or_(result, moved)
    return value if result is None else result


def overflowing(builder: Builder, sign: str, operation: str, operands: Sequence[Value]) -> tuple[Value, Value] | None:
    """Return a sum, difference or product, and whether it overflows; None for products of more than 128 bits.

    Args:
        builder: inserts the instructions.
        sign: "s" or "u".
        operation: "add", "sub" or "mul".
        operands: two integers, or two vectors of these.
    """
    left, right = operands
    result = getattr(builder, operation)(left, right)
    scalar = left.type.scalar_type
    assert isinstance(scalar, IntegerType)  # noqa: S101 - the intrinsics take nothing else
    if operation == "mul":
        if scalar.bit_width > _WIDE:
            return None
        return result, _product_overflows(builder, sign, left, right, result)
    if sign == "u":
        first, second = (result, left) if operation == "add" else (left, right)
        return result, builder.icmp("ult", first, second)
    other = builder.xor(right, result) if operation == "add" else builder.xor(left, right)
    changed = builder.and_(builder.xor(left, result), other)
    return result, builder.icmp("slt", changed, builder.constants.null(left.type))


def _product_overflows(builder: Builder, sign: str, left: Value, right: Value, result: Value) -> Value:
    """Compare the product with that in twice as many bits."""
    scalar = left.type.scalar_type
    wide: Type = builder.types.integer(2 * scalar.bit_width)  # type: ignore[attr-defined]
    if isinstance(left.type, VectorType):
        wide = builder.types.vector(left.type.count, wide)
    extend = builder.sext if sign == "s" else builder.zext
    product = builder.mul(extend(left, wide), extend(right, wide))
    return builder.icmp("ne", product, extend(result, wide))
