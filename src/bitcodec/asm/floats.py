"""Floating-point numbers in text: in decimal where six digits are exact, else the bits in hex.

Rules: docs/reference/text.md, 5.1 and 5.2.
"""

from __future__ import annotations

from struct import pack, unpack

__all__ = ["float_text"]

_HEX = {"half": "0xH{:04X}", "bfloat": "0xR{:04X}", "x86_fp80": "0xK{:020X}"}
_LOW_WORD_FIRST = {"fp128": "0xL{:016X}{:016X}", "ppc_fp128": "0xM{:016X}{:016X}"}
_WORD = (1 << 64) - 1
_FLOAT_EXPONENT = 0xFF
_DOUBLE_EXPONENT = 0x7FF

_DIGITS = 6
_BITS_OF_DIGITS = 20


def float_text(spelling: str, bits: int) -> str:
    """Return the text of a bit pattern of a type.

    Args:
        spelling: of the type.
        bits: as wide as the type.
    """
    if spelling in _HEX:
        return _HEX[spelling].format(bits)
    if spelling in _LOW_WORD_FIRST:
        return _LOW_WORD_FIRST[spelling].format(bits & _WORD, bits >> 64)
    pattern = _double_of_float(bits) if spelling == "float" else bits
    if pattern >> 52 & _DOUBLE_EXPONENT != _DOUBLE_EXPONENT:
        value = unpack("<d", pack("<Q", pattern))[0]
        decimal = _decimal(value)
        # LLVM compares as `double`, of which zero has two.
        if float(decimal) == value:
            return decimal
    return f"0x{pattern:X}"


def _double_of_float(bits: int) -> int:
    """Return the pattern of the `double` of the same value; a signalling not-a-number stays one."""
    if bits >> 23 & _FLOAT_EXPONENT == _FLOAT_EXPONENT:
        return (bits >> 31) << 63 | _DOUBLE_EXPONENT << 52 | (bits & 0x7F_FFFF) << 29
    pattern: int = unpack("<Q", pack("<d", unpack("<f", pack("<I", bits))[0]))[0]
    return pattern


def _decimal(value: float) -> str:
    """Return a finite number in six digits, which LLVM cuts off before it rounds."""
    sign = "-" if pack(">d", value)[0] >> 7 else ""
    if value == 0:
        return f"{sign}0.000000e+00"
    digits, power = _cut(abs(value))
    exponent = power + len(digits) - 1
    return f"{sign}{digits[0]}.{digits[1:]:0<6}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"


def _cut(value: float) -> tuple[str, int]:
    """Return the digits of a positive number, six at most, and the power of ten of the last."""
    numerator, denominator = value.as_integer_ratio()
    power = 1 - denominator.bit_length()
    significand = numerator * 5**-power
    surplus = significand.bit_length() - _BITS_OF_DIGITS
    if surplus > 0:
        cut = surplus * 59 // 196
        significand //= 10**cut
        power += cut
    digits = str(significand).rstrip("0")
    power += len(str(significand)) - len(digits)
    if len(digits) > _DIGITS:
        power += len(digits) - _DIGITS
        rounded = str(int(digits[:_DIGITS]) + (digits[_DIGITS] >= "5"))
        digits = rounded.rstrip("0")
        power += len(rounded) - len(digits)
    return digits, power
