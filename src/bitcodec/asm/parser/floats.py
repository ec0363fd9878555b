"""Floating-point literals: from digits to the bit pattern of a type.  Rules: docs/reference/parsing.md, 5."""

from __future__ import annotations

from struct import pack
from typing import TYPE_CHECKING

from bitcodec.ir.floating_point import FORMATS

if TYPE_CHECKING:
    from bitcodec.ir.types import FloatingPointType

__all__ = ["FloatLiteral", "LiteralError", "parse_decimal", "parse_hexadecimal"]

_WORD = (1 << 64) - 1
_HEX_TYPES = {b"H": "half", b"R": "bfloat", b"K": "x86_fp80", b"L": "fp128", b"M": "ppc_fp128"}
_DIGITS = {"half": 4, "bfloat": 4}
_NARROW = frozenset({"half", "bfloat", "float", "double"})
_RANKS = {"half": 1, "bfloat": 1, "float": 2, "double": 3, "x86_fp80": 4, "fp128": 5, "ppc_fp128": 6}
"""By type: a literal of another type is reported as invalid if it is wider, else as a type mismatch."""


class LiteralError(Exception):
    """A literal has no value; the argument is llvm-as's message."""


class FloatLiteral:
    """A literal: the type that its spelling has, and its bit pattern."""

    __slots__ = ("bits", "spelling")

    def __init__(self, spelling: str, bits: int) -> None:
        self.spelling = spelling
        self.bits = bits

    def bits_as(self, type: FloatingPointType) -> int:
        """Return the bit pattern as a type has it.

        Raises:
            LiteralError: the type has no such number.
        """
        spelling = type.spelling
        if self.spelling == spelling:
            return self.bits
        if self.spelling == "double" and spelling in _NARROW:
            return _narrowed(self.bits, spelling)
        if _RANKS[self.spelling] < _RANKS[spelling] != _RANKS["ppc_fp128"]:
            raise LiteralError(f"floating point constant does not have type '{spelling}'")
        raise LiteralError("floating point constant invalid for type")


def _narrowed(bits: int, spelling: str) -> int:
    """Convert the pattern of a `double` to a narrower type, which must be exact."""
    double, narrow = FORMATS["double"], FORMATS[spelling]
    lost = double.fraction_bits - narrow.fraction_bits
    if double.is_nan(bits):
        fraction = bits & ((1 << double.fraction_bits) - 1)
        if fraction & ((1 << lost) - 1):
            raise LiteralError("floating point constant invalid for type")
        return narrow.signed(narrow.infinity | fraction >> lost, negative=double.is_negative(bits))
    converted = narrow.converted(bits, double)
    if double.converted(converted, narrow) != bits:
        raise LiteralError("floating point constant invalid for type")
    return converted


def parse_decimal(text: bytes) -> FloatLiteral:
    """Return the `double` that a decimal literal is nearest to."""
    return FloatLiteral("double", int.from_bytes(pack("<d", float(text)), "little"))


def parse_hexadecimal(text: bytes) -> FloatLiteral:
    """Return the number of a literal that begins with `0x`.

    Raises:
        LiteralError: it has too many digits.
    """
    spelling = _HEX_TYPES.get(text[2:3])
    if spelling is None:
        value = int(text, 0)
        return FloatLiteral("double", 0 if value > _WORD else value)
    digits = text[3:]
    if spelling in _DIGITS:
        value = int(digits, 16)
        if value >= 1 << 4 * _DIGITS[spelling]:
            width = "16-bit"
            raise LiteralError(f"hexadecimal constant too large for {spelling} ({width})")
        return FloatLiteral(spelling, value)
    if spelling == "x86_fp80":
        return FloatLiteral(spelling, int(digits[:4], 16) << 64 | int(digits[4:20] or b"0", 16))
    if len(digits) < 16:
        return FloatLiteral(spelling, int(digits, 16) << 64)
    return FloatLiteral(spelling, int(digits[:16], 16) | int(digits[16:32] or b"0", 16) << 64)
