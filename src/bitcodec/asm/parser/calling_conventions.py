# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Calling conventions.  Rules: docs/reference/text.md, 7 and 17.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.dialects.words import OLD_CALLING_CONVENTIONS
from bitcodec.asm.parser.phrases import expect, parse_uint32
from bitcodec.asm.parser.tokens import INTEGER, LEFT_PARENTHESIS, RIGHT_PARENTHESIS, WORD
from bitcodec.tables.calling_conventions import CALLING_CONVENTIONS, MAX_CALLING_CONVENTION

if TYPE_CHECKING:
    from bitcodec.asm.parser.dialects.dialect import TextDialect
    from bitcodec.asm.parser.lexer import Lexer

__all__ = ["parse_optional_calling_convention"]

_WORDS = {b"ccc": 0} | {
    spelling.strip().encode(): number for number, spelling in CALLING_CONVENTIONS.items() if "(" not in spelling
}
_WITH_ARGUMENT: dict[bytes, dict[int, int]] = {}
"""By word: the conventions that have a number in parentheses, by that number."""
for _number, _spelling in CALLING_CONVENTIONS.items():
    if "(" in _spelling:
        _word, _, _argument = _spelling.rstrip(")").partition("(")
        _WITH_ARGUMENT.setdefault(_word.encode(), {})[int(_argument)] = _number
_DEFAULT_ARGUMENT = 128


def parse_optional_calling_convention(lexer: Lexer, dialect: TextDialect) -> int:
    """Return the number of a calling convention, C's if it is absent.

    Raises:
        AssemblyError: the convention is unknown.
    """
    if lexer.kind != WORD:
        return 0
    word = lexer.text()
    found = _WORDS.get(word)
    if word in OLD_CALLING_CONVENTIONS and dialect.accepts(lexer, "expected type"):
        found = OLD_CALLING_CONVENTIONS[word]
    if found is not None:
        lexer.advance()
        return found
    if word == b"cc":
        lexer.advance()
        return parse_uint32(lexer) & MAX_CALLING_CONVENTION  # as LLVM, which has room for so many bits
    arguments = _WITH_ARGUMENT.get(word)
    if arguments is None:
        return 0
    lexer.advance()
    if lexer.kind != LEFT_PARENTHESIS:
        return arguments[_DEFAULT_ARGUMENT]
    lexer.advance()
    start = lexer.start
    if lexer.kind != INTEGER:
        lexer.refuse("expected integer")
    number = parse_uint32(lexer)
    expect(lexer, RIGHT_PARENTHESIS, "expected ')'")
    if number not in arguments:
        lexer.refuse("unknown RISC-V ABI VLEN", start)
    return arguments[number]
