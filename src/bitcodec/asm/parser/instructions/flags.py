# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Flags of instructions. Rules: docs/reference/text.md, 9.1 and 17.7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import accept_word
from bitcodec.asm.parser.tokens import WORD
from bitcodec.ir.type_properties import holds_floating_point
from bitcodec.tables.instruction_flags import FAST_MATH_FLAGS, NO_FAST_MATH, FastMathFlags

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.ir.types import Type

__all__ = [
    "check_fast_math",
    "parse_optional_fast_math",
    "parse_optional_flags",
    "parse_ordered_flags",
]

_FAST_MATH = {row.word.encode(): int(row.member) for row in FAST_MATH_FLAGS} | {b"fast": int(FastMathFlags.FAST)}


def parse_optional_flags(lexer: Lexer, words: Mapping[bytes, int]) -> int:
    """Return the flags whose words are there, in any order, each at most once."""
    if not words:
        return 0
    flags = 0
    while lexer.kind == WORD:
        flag = words.get(lexer.text(), 0)
        if not flag or flags & flag:
            break
        flags |= flag
        lexer.advance()
    return flags


def parse_ordered_flags(lexer: Lexer, words: Mapping[bytes, int]) -> int:
    """Return the flags whose words are there, in the order of the words."""
    flags = 0
    for word, flag in words.items():
        if accept_word(lexer, word):
            flags |= flag
    return flags


def parse_optional_fast_math(lexer: Lexer | None) -> FastMathFlags:
    """Return the fast-math flags that are there; None if none may be."""
    if lexer is None or lexer.kind != WORD:
        return NO_FAST_MATH
    flags = 0
    while lexer.kind == WORD:
        flag = _FAST_MATH.get(lexer.text())
        if flag is None:
            break
        flags |= flag
        lexer.advance()
    return FastMathFlags(flags) if flags else NO_FAST_MATH


def check_fast_math(lexer: Lexer, opcode: str, type: Type, flags: FastMathFlags, start: int) -> None:
    """Check that the type of an instruction may have fast-math flags.

    Raises:
        AssemblyError: it cannot have them.
    """
    if flags is not NO_FAST_MATH and not holds_floating_point(type):
        what = f"fast-math-flags specified for {opcode} without floating-point scalar or vector return type"
        lexer.refuse(what, start)
