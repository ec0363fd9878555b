"""The small steps of reading a summary: fields, lists in parentheses, flags.  Messages match llvm-as 22."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.asm.parser.keywords import is_keyword
from bitcodec.asm.parser.phrases import accept, accept_word, decoded, expect, expect_word, parse_uint64
from bitcodec.asm.parser.tokens import COLON, COMMA, LEFT_PARENTHESIS, RIGHT_PARENTHESIS, SUMMARY_ID, WORD
from bitcodec.tables.summary_labels import Label

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.asm.parser.lexer import Lexer

__all__ = [
    "close",
    "expect_comma",
    "open_field",
    "open_list",
    "parse_bit",
    "parse_bits",
    "parse_field",
    "parse_global_reference",
    "parse_list",
    "parse_number_list",
    "parse_reference",
    "parse_row",
    "skip_word",
]

T = TypeVar("T")


def expect_comma(lexer: Lexer, place: str = "here") -> None:
    """Go past a comma.

    Raises:
        AssemblyError: it is missing.
    """
    expect(lexer, COMMA, f"expected ',' {place}")


def close(lexer: Lexer, place: str = "here") -> None:
    """Go past a closing parenthesis.

    Raises:
        AssemblyError: it is missing.
    """
    expect(lexer, RIGHT_PARENTHESIS, f"expected ')' {place}")


def skip_word(lexer: Lexer) -> None:
    """Skip a token that LLVM does not check; of a word that is not a token, it skips the first letter."""
    if lexer.kind == WORD and not is_keyword(lexer.text()):
        lexer.end = lexer.start + 1
    lexer.advance()


def parse_field(lexer: Lexer, word: str, place: str = "here", *, colon: str = " here") -> None:
    """Go past `word:`.

    Raises:
        AssemblyError: it is not there.
    """
    expect_word(lexer, word.encode(), f"expected '{word}' {place}")
    expect(lexer, COLON, f"expected ':'{colon}")


def open_list(lexer: Lexer, place: str = "here") -> None:
    """Skip `: (` after the name of a field.

    Raises:
        AssemblyError: it is not there.
    """
    expect(lexer, COLON, f"expected ':' {place}")
    expect(lexer, LEFT_PARENTHESIS, f"expected '(' {place}")


def open_field(lexer: Lexer, word: str) -> None:
    """Go past `word: (`.

    Raises:
        AssemblyError: it is not there.
    """
    parse_field(lexer, word)
    expect(lexer, LEFT_PARENTHESIS, "expected '(' here")


def parse_list(lexer: Lexer, parse: Callable[[], T], place: str = "here") -> tuple[T, ...]:
    """Return the items of a list up to its closing parenthesis, after the opening one; there is at least one.

    Raises:
        AssemblyError: it is malformed.
    """
    items = [parse()]
    while accept(lexer, COMMA):
        items.append(parse())
    close(lexer, place)
    return tuple(items)


def parse_number_list(lexer: Lexer, parse: Callable[[Lexer], int], place: str = "here") -> tuple[int, ...]:
    """Return the numbers of a list as `parse_list` does."""
    return parse_list(lexer, lambda: parse(lexer), place)


def parse_bit(lexer: Lexer) -> bool:
    """Return whether the number after a colon is not 0.

    Raises:
        AssemblyError: it is missing.
    """
    expect(lexer, COLON, "expected ':'")
    return parse_uint64(lexer) != 0


def parse_bits(lexer: Lexer, rows: Mapping[str, T], message: str, place: str) -> frozenset[T]:
    """Return the rows of the words whose numbers are not 0, up to the closing parenthesis.

    Raises:
        AssemblyError: a word has no row.
    """
    found = set()
    while True:
        row = parse_row(lexer, rows, message)
        if parse_bit(lexer):
            found.add(row)
        else:
            found.discard(row)
        if not accept(lexer, COMMA):
            close(lexer, place)
            return frozenset(found)


def parse_row(lexer: Lexer, rows: Mapping[str, T], message: str) -> T:
    """Return the row of a word.

    Raises:
        AssemblyError: the word is unknown.
    """
    row = rows.get(decoded(lexer.text())) if lexer.kind == WORD else None
    if row is None:
        lexer.refuse(message)
    lexer.advance()
    return row


def parse_reference(lexer: Lexer, message: str) -> int:
    """Return the number of `^N`.

    Raises:
        AssemblyError: it is not there.
    """
    if lexer.kind != SUMMARY_ID:
        lexer.refuse(message)
    number = lexer.number()
    lexer.advance()
    return number


def parse_global_reference(lexer: Lexer) -> int:
    """Return the number of `^N` where a global is expected; `readonly` and `writeonly` matter elsewhere.

    Raises:
        AssemblyError: it is not there.
    """
    if not accept_word(lexer, Label.READ_ONLY.encode()):
        accept_word(lexer, Label.WRITE_ONLY.encode())
    return parse_reference(lexer, "expected GV ID")
