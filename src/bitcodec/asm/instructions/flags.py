"""What instructions promise, in words.  Rules: assembly text reference, section 9.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import FastMathFlags

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAST_MATH", "integer_flags"]

_FAST_MATH_WORDS = (
    (FastMathFlags.REASSOC, "reassoc"),
    (FastMathFlags.NNAN, "nnan"),
    (FastMathFlags.NINF, "ninf"),
    (FastMathFlags.NSZ, "nsz"),
    (FastMathFlags.ARCP, "arcp"),
    (FastMathFlags.CONTRACT, "contract"),
    (FastMathFlags.AFN, "afn"),
)


def _fast_math(flags: int) -> str:
    if flags & FastMathFlags.FAST == FastMathFlags.FAST:
        return " fast"
    return "".join(f" {word}" for flag, word in _FAST_MATH_WORDS if flags & flag)


FAST_MATH: Sequence[str] = tuple(map(_fast_math, range(2 * FastMathFlags.REASSOC)))
"""By fast-math flags: their words, a space in front of each."""

_WRAP = ("", " nuw", " nsw", " nuw nsw")
_NONE = ("",) * 4
_EXACT = ("", " exact") * 2
_DISJOINT = ("", " disjoint") * 2
_NON_NEGATIVE = ("", " nneg") * 2
_INTEGER_FLAGS = {
    "add": _WRAP,
    "sub": _WRAP,
    "mul": _WRAP,
    "shl": _WRAP,
    "trunc": _WRAP,
    "udiv": _EXACT,
    "sdiv": _EXACT,
    "lshr": _EXACT,
    "ashr": _EXACT,
    "or": _DISJOINT,
    "zext": _NON_NEGATIVE,
    "uitofp": _NON_NEGATIVE,
}


def integer_flags(opcode: str, flags: int) -> str:
    """Return what an operation or cast promises, a space in front of each word."""
    return _INTEGER_FLAGS.get(opcode, _NONE)[flags]
