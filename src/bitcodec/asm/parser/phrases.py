# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""The small steps of a parser: a token that must come, one that may, a string, a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.tokens import (
    HEX_INTEGER,
    INTEGER,
    STRING,
    WORD,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeVar

    from bitcodec.asm.parser.lexer import Lexer

    T = TypeVar("T")

__all__ = [
    "accept",
    "accept_word",
    "decoded",
    "expect",
    "expect_word",
    "is_integer",
    "is_unsigned",
    "is_word",
    "parse_optional_row",
    "parse_string",
    "parse_uint32",
    "parse_uint64",
]

_MINUS, _LOWER_U = b"-u"
_MAX_32 = 0xFFFF_FFFF
_MAX_64 = 0xFFFF_FFFF_FFFF_FFFF


def decoded(text: bytes) -> str:
    """Return text so that encoding it the same way (UTF-8, `surrogateescape`) gives the same bytes."""
    return str(text, "utf-8", "surrogateescape")


def accept(lexer: Lexer, kind: int) -> bool:
    """Go past a token of a kind, if that is the current one; return whether it was."""
    if lexer.kind != kind:
        return False
    lexer.advance()
    return True


def expect(lexer: Lexer, kind: int, message: str) -> None:
    """Go past a token of a kind.

    Raises:
        AssemblyError: another one is there.
    """
    if lexer.kind != kind:
        lexer.refuse(message)
    lexer.advance()


def is_word(lexer: Lexer, word: bytes) -> bool:
    """Return whether the current token is a word."""
    return lexer.kind == WORD and lexer.is_text(word)


def accept_word(lexer: Lexer, word: bytes) -> bool:
    """Go past a word, if that is the current token; return whether it was."""
    if lexer.kind != WORD or not lexer.is_text(word):
        return False
    lexer.advance()
    return True


def expect_word(lexer: Lexer, word: bytes, message: str) -> None:
    """Go past a word.

    Raises:
        AssemblyError: something else is there.
    """
    if not accept_word(lexer, word):
        lexer.refuse(message)


def parse_optional_row(lexer: Lexer, rows: Mapping[bytes, T]) -> T | None:
    """Return the row of the current token and skip that; None for an unknown word."""
    if lexer.kind != WORD:
        return None
    found = rows.get(lexer.text())
    if found is not None:
        lexer.advance()
    return found


def parse_string(lexer: Lexer, message: str = "expected string constant") -> str:
    """Return the content of a string.

    Raises:
        AssemblyError: the current token is not a string.
    """
    if lexer.kind != STRING:
        lexer.refuse(message)
    text = decoded(lexer.content())
    lexer.advance()
    return text


def is_integer(lexer: Lexer) -> bool:
    """Return whether the current token is an integer."""
    return lexer.kind in (INTEGER, HEX_INTEGER)


def is_unsigned(lexer: Lexer) -> bool:
    """Return whether the current token is an integer that is not signed: neither `-1` nor `s0x1`."""
    if lexer.kind == INTEGER:
        return lexer.chars[lexer.start] != _MINUS
    return lexer.kind == HEX_INTEGER and lexer.chars[lexer.start] == _LOWER_U


def parse_uint32(lexer: Lexer) -> int:
    """Return an unsigned number of 32 bits.

    Raises:
        AssemblyError: it is missing or too large.
    """
    return _parse_unsigned(lexer, _MAX_32, "expected 32-bit integer (too large)")


def parse_uint64(lexer: Lexer) -> int:
    """Return an unsigned number of 64 bits.

    Raises:
        AssemblyError: it is missing or too large.
    """
    return _parse_unsigned(lexer, _MAX_64, "expected 64-bit integer (too large)")


def _parse_unsigned(lexer: Lexer, most: int, message: str) -> int:
    if not is_unsigned(lexer):
        lexer.refuse("expected integer")
    value = lexer.number()
    if value > most:
        if most == _MAX_64:
            value = most  # as LLVM does
        else:
            lexer.refuse(message)
    lexer.advance()
    return value
