"""Bytes of memory as words, which C accesses in one step.

Compiled files read `words.pxd` instead, which has the same functions for memory.
"""

from __future__ import annotations

from typing import Any

__all__ = ["copy_bytes", "decimal", "numbers_at", "pointer_to", "put_word", "word_at"]


def pointer_to(data: Any) -> Any:
    """Return the data; in C the address of its first byte, which is good as long as the data is held."""
    return data


def numbers_at(data: Any) -> Any:
    """Return a column of numbers; in C the address of the first, likewise."""
    return data


def word_at(start: Any, bit: int, size: int) -> int:  # noqa: ARG001 - C cannot know where memory ends
    """Return the next 57 bits or more from a bit on, zeros past the end.

    Args:
        start: the `pointer_to` the data.
        bit: an offset in it, in bits.
        size: the size of the data, in bits.
    """
    byte = bit >> 3
    return int.from_bytes(start[byte : byte + 8], "little") >> (bit & 7)


def put_word(data: Any, at: int, word: int) -> None:
    """Put the low 32 bits of a word at a byte."""
    data[at] = word & 0xFF
    data[at + 1] = word >> 8 & 0xFF
    data[at + 2] = word >> 16 & 0xFF
    data[at + 3] = word >> 24 & 0xFF


def copy_bytes(data: Any, at: int, source: Any, count: int) -> None:
    """Copy the first bytes of a source to a place."""
    data[at : at + count] = source[:count]


def decimal(bits: int) -> bytes:
    """Return the digits of 64 bits read as a signed number."""
    return b"%d" % (bits - (bits >> 63 << 64))
