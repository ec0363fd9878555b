"""Floating-point numbers as bit patterns: values, rounding, conversion, arithmetic.

Everything is exact until it is rounded, to nearest and ties to even.  Not-a-numbers come out as LLVM makes them: the
first one among the operands, made quiet, else the positive quiet one without a payload.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from bitcodec.ir.types import FloatingPointType

__all__ = ["FORMATS", "DoubleDouble", "FloatingPointFormat", "X87Extended", "format_of"]


class FloatingPointFormat:
    """An interchange format of IEEE 754: sign, biased exponent, fraction.  Methods take and return bit patterns.

    Args:
        exponent_bits: width of the exponent.
        fraction_bits: width of the fraction, an integer bit not counted.
    """

    __slots__ = ("bias", "exponent_bits", "fraction_bits", "infinity", "quiet_bit", "sign_bit")

    def __init__(self, exponent_bits: int, fraction_bits: int) -> None:
        self.exponent_bits = exponent_bits
        self.fraction_bits = fraction_bits
        self.bias = (1 << (exponent_bits - 1)) - 1
        self.infinity = self.encoded(((1 << exponent_bits) - 1) << fraction_bits)
        self.quiet_bit = 1 << (fraction_bits - 1)
        self.sign_bit = self._width() - 1

    @property
    def nan(self) -> int:
        """The not-a-number that invalid operations give."""
        return self.infinity | self.quiet_bit

    @property
    def one(self) -> int:
        """The number 1."""
        return self.encoded(self.bias << self.fraction_bits)

    def canonical(self, bits: int) -> int:
        """Return the pattern that LLVM keeps for a pattern."""
        return bits

    def is_negative(self, bits: int) -> bool:
        """Return whether the sign is minus; zero and not-a-number have one too."""
        return bool(bits >> self.sign_bit)

    def is_zero(self, bits: int) -> bool:
        """Return whether it is zero of either sign."""
        return not self.magnitude(bits)

    def is_infinite(self, bits: int) -> bool:
        """Return whether it is an infinity of either sign."""
        return self.magnitude(bits) == self.infinity

    def is_nan(self, bits: int) -> bool:
        """Return whether it is a not-a-number."""
        return self.magnitude(bits) > self.infinity

    def is_finite(self, bits: int) -> bool:
        """Return whether it is a number."""
        return self.magnitude(bits) < self.infinity

    def magnitude(self, bits: int) -> int:
        """Return the pattern without its sign."""
        return bits & ((1 << self.sign_bit) - 1)

    def signed(self, magnitude: int, *, negative: bool) -> int:
        """Return a pattern with a sign."""
        return magnitude | negative << self.sign_bit

    def negated(self, bits: int) -> int:
        """Return the number with its sign flipped."""
        return bits ^ 1 << self.sign_bit

    def quieted(self, nan: int) -> int:
        """Return a not-a-number as it leaves an operation."""
        return nan | self.quiet_bit

    def value(self, bits: int) -> Fraction:
        """Return the value of a finite number; zero loses its sign."""
        magnitude = self.decoded(self.magnitude(bits))
        exponent, fraction = magnitude >> self.fraction_bits, magnitude & ((1 << self.fraction_bits) - 1)
        significand = fraction | bool(exponent) << self.fraction_bits
        scale = max(exponent, 1) - self.bias - self.fraction_bits
        value = _scaled(significand, scale)
        return -value if self.is_negative(bits) else value

    def rounded(self, value: Fraction, *, negative: bool = False) -> int:
        """Return the number nearest to a value; `negative` is the sign of a zero."""
        if not value:
            return self.signed(0, negative=negative)
        exponent = max(_exponent(value), 1 - self.bias)
        significand = round(abs(value) * _scaled(1, self.fraction_bits - exponent))
        # A significand that was rounded up to the next power of two carries into the exponent, as it should.
        magnitude = self.encoded(((exponent + self.bias - 1) << self.fraction_bits) + significand)
        return self.signed(min(magnitude, self.infinity), negative=value < 0)

    def of_integer(self, value: int) -> int:
        """Return the number nearest to an integer."""
        return self.rounded(_scaled(value, 0))

    def converted(self, bits: int, source: FloatingPointFormat) -> int:
        """Return a number of another format, converted to this one."""
        negative = source.is_negative(bits)
        if source.is_nan(bits):
            payload = source.payload(bits)
            shift = self.fraction_bits - source.fraction_bits
            payload = payload << shift if shift >= 0 else payload >> -shift
            return self.signed(self.nan | payload, negative=negative)
        if source.is_infinite(bits):
            return self.signed(self.infinity, negative=negative)
        return self.rounded(source.converted_value(bits), negative=negative)

    def converted_value(self, bits: int) -> Fraction:
        """Return the value of a finite number that a conversion to another format uses."""
        return self.value(bits)

    def payload(self, nan: int) -> int:
        """Return the fraction of a not-a-number."""
        return nan & ((1 << self.fraction_bits) - 1)

    def encoded(self, magnitude: int) -> int:
        """Return the pattern of an exponent with the fraction below it."""
        return magnitude

    def decoded(self, magnitude: int) -> int:
        """Return an exponent with the fraction below it."""
        return magnitude

    def _width(self) -> int:
        return 1 + self.exponent_bits + self.fraction_bits


class X87Extended(FloatingPointFormat):
    """The format of 80 bits whose integer bit is written down."""

    __slots__ = ()

    def canonical(self, bits: int) -> int:
        """Return the pattern that LLVM keeps: patterns that no processor makes become others."""
        integer = bits >> self.fraction_bits & 1
        exponent = bits >> 64 & 0x7FFF
        if exponent == 0 and integer:
            return bits | 1 << 64
        if exponent and not integer:
            return bits | 0x7FFF << 64
        return bits

    def is_infinite(self, bits: int) -> bool:
        """Return whether it is an infinity of either sign."""
        return self.magnitude(self.canonical(bits)) == self.infinity

    def is_nan(self, bits: int) -> bool:
        """Return whether it is a not-a-number, or a pattern that is taken for one."""
        return not self.is_finite(bits) and not self.is_infinite(bits)

    def is_finite(self, bits: int) -> bool:
        """Return whether it is a number."""
        return self.canonical(bits) >> 64 & 0x7FFF != 0x7FFF

    def encoded(self, magnitude: int) -> int:
        """Return the pattern of an exponent with the fraction below it."""
        exponent, fraction = magnitude >> self.fraction_bits, magnitude & ((1 << self.fraction_bits) - 1)
        return exponent << 64 | bool(exponent) << self.fraction_bits | fraction

    def decoded(self, magnitude: int) -> int:
        """Return an exponent with the fraction below it."""
        canonical = self.canonical(magnitude)
        return canonical >> 64 << self.fraction_bits | self.payload(canonical)

    def _width(self) -> int:
        return 80


class DoubleDouble(FloatingPointFormat):
    """Two doubles, the first one in the low bits, whose sum is the number."""

    __slots__ = ("_double", "_sum")

    def __init__(self, double: FloatingPointFormat) -> None:
        self._double = double
        super().__init__(double.exponent_bits, double.fraction_bits)
        self._sum = _Sum(double.exponent_bits, 2 * double.fraction_bits + 1)

    def magnitude(self, bits: int) -> int:
        """Return the first double without its sign: it determines the kind of number."""
        return self._double.magnitude(self._first(bits))

    def is_negative(self, bits: int) -> bool:
        """Return the sign of the first double."""
        return self._double.is_negative(self._first(bits))

    def signed(self, magnitude: int, *, negative: bool) -> int:
        """Return a double with a sign, and no second one."""
        return self._double.signed(magnitude, negative=negative)

    def negated(self, bits: int) -> int:
        """Return both doubles with their signs flipped."""
        return bits ^ (1 << self.sign_bit | 1 << 127)

    def value(self, bits: int) -> Fraction:
        """Return the sum."""
        return self._double.value(self._first(bits)) + self._double.value(bits >> 64)

    def converted_value(self, bits: int) -> Fraction:
        """Return the first double: LLVM forgets the second one."""
        return self._double.value(self._first(bits))

    def rounded(self, value: Fraction, *, negative: bool = False) -> int:
        """Return the double nearest to a value of 106 bits, and the one nearest to the rest."""
        return self._pair(self._sum.to_precision(value), negative=negative)

    def of_integer(self, value: int) -> int:
        """Return the sum nearest to an integer; where nothing is left, the second zero has the sign of the first."""
        bits = self._pair(_scaled(value, 0), negative=False)
        return bits if value >= 0 or bits >> 64 else bits | 1 << 127

    def _pair(self, value: Fraction, *, negative: bool) -> int:
        first = self._double.rounded(value, negative=negative)
        if not self._double.is_finite(first) or not value:
            return first
        rest = value - self._double.value(first)
        return first | (self._double.rounded(rest) if rest else 0) << 64

    def _first(self, bits: int) -> int:
        return bits & ((1 << 64) - 1)

    def _width(self) -> int:
        return 64


class _Sum(FloatingPointFormat):
    """The 106 bits that LLVM computes sums of two doubles with."""

    __slots__ = ()

    def to_precision(self, value: Fraction) -> Fraction:
        if not value:
            return value
        # The rest of the least normal double is still one bit: the exponent range is that much smaller.
        exponent = max(_exponent(value), 1 - self.bias + self.fraction_bits // 2 + 1)
        scale = _scaled(1, self.fraction_bits - exponent)
        return round(value * scale) / scale


def _exponent(value: Fraction) -> int:
    """Return the exponent of the greatest power of two that is not above a value's magnitude."""
    numerator, denominator = abs(value.numerator), value.denominator
    exponent = numerator.bit_length() - denominator.bit_length()
    if exponent >= 0:
        return exponent - (numerator < denominator << exponent)
    return exponent - (numerator << -exponent < denominator)


def _scaled(number: int, exponent: int) -> Fraction:
    """Return a number times a power of two."""
    from fractions import Fraction  # noqa: PLC0415 - takes long to import, and most modules need no arithmetic

    return Fraction(number << exponent) if exponent >= 0 else Fraction(number, 1 << -exponent)


_DOUBLE = FloatingPointFormat(11, 52)

FORMATS: Mapping[str, FloatingPointFormat] = {
    "half": FloatingPointFormat(5, 10),
    "bfloat": FloatingPointFormat(8, 7),
    "float": FloatingPointFormat(8, 23),
    "double": _DOUBLE,
    "x86_fp80": X87Extended(15, 63),
    "fp128": FloatingPointFormat(15, 112),
    "ppc_fp128": DoubleDouble(_DOUBLE),
}
"""The formats, by the spelling of their types."""


def format_of(type: FloatingPointType) -> FloatingPointFormat:
    """Return the format of a type."""
    return FORMATS[type.spelling]
