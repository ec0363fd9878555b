"""What instructions promise, in words.  Rules: docs/reference/text.md, 9.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import FastMathFlags

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAST_MATH", "FAST_MATH_WORDS", "INTEGER_FLAG_WORDS", "integer_flags"]

# As plain integers: those of an enumeration take their time.
FAST_MATH_WORDS = (
    (int(FastMathFlags.REASSOC), "reassoc"),
    (int(FastMathFlags.NNAN), "nnan"),
    (int(FastMathFlags.NINF), "ninf"),
    (int(FastMathFlags.NSZ), "nsz"),
    (int(FastMathFlags.ARCP), "arcp"),
    (int(FastMathFlags.CONTRACT), "contract"),
    (int(FastMathFlags.AFN), "afn"),
)


_FAST = int(FastMathFlags.FAST)


def _fast_math(flags: int) -> str:
    if flags & _FAST == _FAST:
        return " fast"
    return "".join([f" {word}" for flag, word in FAST_MATH_WORDS if flags & flag])


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


INTEGER_FLAG_WORDS = {
    opcode: {text.strip().encode(): flag for flag, text in ((1, texts[1]), (2, texts[2])) if text}
    for opcode, texts in _INTEGER_FLAGS.items()
}
"""By opcode, the words for what an operation or cast may promise, and the bit of each."""
