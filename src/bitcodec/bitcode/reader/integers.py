"""Signed and wide integers of records.  Rules: bitcode record reference, section 1.9."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["rotated", "wide"]

_WORD = (1 << 64) - 1


def rotated(operand: int) -> int:
    """Return the signed integer of an operand that has its sign in the lowest bit."""
    if not operand & 1:
        return operand >> 1
    return -(operand >> 1) if operand != 1 else -1 << 63


def wide(words: Iterable[int]) -> int:
    """Return the unsigned integer of operands that are 64 bits each, rotated, the lowest first."""
    data = b"".join((rotated(word) & _WORD).to_bytes(8, "little") for word in words)
    return int.from_bytes(data, "little")
