"""Text of floating-point constants.  Rules: docs/reference/text.md, 5.1 and 5.2."""

from __future__ import annotations

from struct import pack, unpack

_HALVES_SWAPPED = {"fp128": "L", "ppc_fp128": "M"}
_PLAIN = {"half": ("H", 4), "bfloat": ("R", 4), "x86_fp80": ("K", 20)}
_DIGITS = 6
_BITS_OF_SIX_DIGITS = 20


def float_text(spelling: str, bits: int) -> str:
    """Return the text of a bit pattern of the type that is spelled so."""
    if spelling in _PLAIN:
        letter, width = _PLAIN[spelling]
        return f"0x{letter}{bits:0{width}X}"
    if spelling in _HALVES_SWAPPED:
        return f"0x{_HALVES_SWAPPED[spelling]}{bits & (1 << 64) - 1:016X}{bits >> 64:016X}"
    if spelling == "float":
        bits = double_of_float(bits)
    value = unpack("<d", pack("<Q", bits))[0]
    if bits >> 52 & 0x7FF != 0x7FF:
        candidate = _candidate(value)
        if pack("<d", float(candidate)) == pack("<Q", bits):
            return candidate
    return f"0x{bits:X}"


def double_of_float(bits: int) -> int:
    """Return the double of the same value; a signalling not-a-number stays one."""
    if bits >> 23 & 0xFF == 0xFF:
        return (bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29
    return int(unpack("<Q", pack("<d", unpack("<f", pack("<I", bits))[0]))[0])


def _candidate(value: float) -> str:
    """Return a finite number with six digits, cut off and rounded as LLVM does both."""
    sign = "-" if pack(">d", value)[0] >> 7 else ""
    if value == 0:
        return f"{sign}0.000000e+00"
    significand, power = _exact(abs(value))
    surplus = significand.bit_length() - _BITS_OF_SIX_DIGITS
    if surplus > 0:
        cut = surplus * 59 // 196
        significand //= 10**cut
        power += cut
    digits = str(significand)
    power += len(digits) - len(digits.rstrip("0"))
    digits = digits.rstrip("0")
    if len(digits) > _DIGITS:
        power += len(digits) - _DIGITS
        kept = str(int(digits[:_DIGITS]) + (digits[_DIGITS] >= "5"))
        power += len(kept) - len(kept.rstrip("0"))
        digits = kept.rstrip("0")
    exponent = power + len(digits) - 1
    return f"{sign}{digits[0]}.{digits[1:]:0<6}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"


def _exact(value: float) -> tuple[int, int]:
    """Return a positive number as an integer and the power of ten it is multiplied by."""
    numerator, denominator = value.as_integer_ratio()
    power = denominator.bit_length() - 1
    return numerator * 5**power, -power
