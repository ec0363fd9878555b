"""Fast-math flags, in words.  Rules: docs/reference/text.md, 9.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.instruction_flags import FAST_MATH_WORDS, FastMathFlags

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FAST_MATH"]

_FAST = int(FastMathFlags.FAST)


def _fast_math(flags: int) -> str:
    if flags & _FAST == _FAST:
        return " fast"
    return "".join([f" {word}" for flag, word in FAST_MATH_WORDS if flags & flag])


FAST_MATH: Sequence[str] = tuple(map(_fast_math, range(2 * FastMathFlags.REASSOC)))
"""By fast-math flags: their words, a space in front of each."""
