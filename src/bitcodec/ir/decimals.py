"""Integers of any width in decimal."""

from __future__ import annotations

__all__ = ["decimal_text"]

_SHORT = 1 << 11
"""Bits up to which `str` is fast, and never refuses, whatever limit of digits Python was given."""
_CHUNK = 1 << 7
"""Bytes that are converted at once."""


def decimal_text(number: int) -> str:
    """Return an integer in decimal, however long, in nearly linear time.

    `decimal` multiplies long numbers by number-theoretic transforms; `str` takes time in the square of the length.
    """
    if number.bit_length() <= _SHORT:
        return str(number)
    import decimal  # noqa: PLC0415 - few modules have integers so long

    sign, number = ("-", -number) if number < 0 else ("", number)
    data = number.to_bytes(number.bit_length() // 8 + 1, "little")
    with decimal.localcontext(decimal.Context(prec=decimal.MAX_PREC, Emax=decimal.MAX_EMAX, traps=[decimal.Inexact])):
        parts = [
            decimal.Decimal(int.from_bytes(data[at : at + _CHUNK], "little")) for at in range(0, len(data), _CHUNK)
        ]
        scale = decimal.Decimal(1 << 8 * _CHUNK)
        while len(parts) > 1:
            if len(parts) % 2:
                parts.append(decimal.Decimal(0))
            parts = [low + high * scale for low, high in zip(parts[::2], parts[1::2], strict=True)]
            scale *= scale
        return f"{sign}{parts[0]:f}"
