"""Flags of instructions, made once for each number.  Rules: docs/reference/records.md, 6.4."""

from __future__ import annotations

from functools import cache

from bitcodec.tables.instruction_flags import FastMathFlags

__all__ = ["fast_math"]


@cache
def _fast_math(code: int) -> FastMathFlags:
    return FastMathFlags.FAST if code & FastMathFlags.UNSAFE_ALGEBRA else FastMathFlags(code & FastMathFlags.FAST)


def fast_math(code: int) -> FastMathFlags:
    """Return the flags of a floating-point operation; the one bit that old files have stands for all."""
    return _fast_math(code & 0xFF)
