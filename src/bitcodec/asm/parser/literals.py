"""Decodes names, strings and numbers of a text."""

from __future__ import annotations

import re

__all__ = ["MOST_DIGITS", "hex_integer", "integer_of", "problem_of_id", "unescaped"]

MOST_DIGITS = 2_525_224
"""Of the largest integer of the widest type, and a sign: longer ones would take more than time in proportion."""

_ESCAPE = re.compile(rb"\\(?:\\|([0-9A-Fa-f]{2}))")
_MAX_ID = 0xFFFF_FFFF
_MAX_64 = 0xFFFF_FFFF_FFFF_FFFF
_MOST_ID_DIGITS = 20


def problem_of_id(digits: bytes) -> str:
    """Return the error in a number of ten digits or more, empty if it is valid."""
    digits = digits.lstrip(b"0")
    if len(digits) > _MOST_ID_DIGITS or int(digits or b"0") > _MAX_64:
        return "constant bigger than 64 bits detected"
    return "invalid value number (too large)" if int(digits or b"0") > _MAX_ID else ""


def unescaped(text: bytes) -> bytes:
    r"""Return text with the escapes `\XX` and `\\` decoded."""
    return _ESCAPE.sub(_unescape, text) if b"\\" in text else text


def _unescape(match: re.Match[bytes]) -> bytes:
    digits = match[1]
    return b"\\" if digits is None else bytes([int(digits, 16)])


_MOST_PLAIN_DIGITS = 4000
"""Longer integers are converted in halves, because `int` takes quadratic time for them and refuses long ones."""


def integer_of(text: bytes) -> int:
    """Return a decimal integer of any length."""
    if len(text) <= _MOST_PLAIN_DIGITS:
        return int(text)
    if text[:1] == b"-":
        return -integer_of(text[1:])
    # Powers of ten are shared by all halves of one length, so that the work is that of a few multiplications.
    parts = [int(text[max(0, end - _MOST_PLAIN_DIGITS) : end]) for end in range(len(text), 0, -_MOST_PLAIN_DIGITS)]
    power = 10**_MOST_PLAIN_DIGITS
    while len(parts) > 1:
        if len(parts) % 2:
            parts.append(0)
        parts = [low + high * power for low, high in zip(parts[::2], parts[1::2], strict=True)]
        power *= power
    return parts[0]


def hex_integer(text: bytes) -> int:
    """Return `u0x...` or `s0x...`, whose sign is the highest bit that is set."""
    value = int(text[3:], 16)
    return value - (1 << value.bit_length()) if text[:1] == b"s" and value else value
