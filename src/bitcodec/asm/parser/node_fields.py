# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Values of the fields of specialised nodes other than metadata: numbers, names, flags, strings.

Messages match llvm-as 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.asm.parser.phrases import accept, accept_word, decoded, is_integer, is_unsigned, parse_string
from bitcodec.asm.parser.tokens import BAR, HEX_INTEGER, LABEL, STRING, WORD

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.tables.names import Named

__all__ = [
    "numbers_of",
    "parse_boolean",
    "parse_checksum_kind",
    "parse_field_string",
    "parse_flags",
    "parse_integer",
    "parse_named",
    "parse_signed",
    "parse_unsigned",
]

_MAX_32 = 0xFFFF_FFFF
_NUMBERS: dict[type[Named], dict[bytes, int]] = {}


def numbers_of(names: type[Named]) -> dict[bytes, int]:
    """Return the numbers of names, by how text spells these."""
    found = _NUMBERS.get(names)
    if found is None:
        found = _NUMBERS[names] = {spelling.encode(): number for number, spelling in names.spellings.items()}
    return found


def parse_unsigned(lexer: Lexer, name: str, limit: int) -> int:
    """Return an unsigned number, the value of the field of a name.

    Raises:
        AssemblyError: it is missing or too large.
    """
    number = lexer.short_number()
    if number < 0:
        if not is_unsigned(lexer):
            lexer.refuse("expected unsigned integer")
        number = lexer.number()
    if number > limit:
        lexer.refuse(f"value for '{name}' too large, limit is {limit}")
    lexer.advance()
    return number


def parse_signed(lexer: Lexer, name: str, minimum: int, limit: int) -> int:
    """Return a signed number, the value of the field of a name.

    Raises:
        AssemblyError: it is missing, too small or too large.
    """
    if not is_integer(lexer):
        lexer.refuse("expected signed integer")
    number = lexer.number()
    if number < minimum:
        lexer.refuse(f"value for '{name}' too small, limit is {minimum}")
    if number > limit:
        lexer.refuse(f"value for '{name}' too large, limit is {limit}")
    lexer.advance()
    return number


def parse_integer(lexer: Lexer) -> tuple[int, int, bool]:
    """Return an integer of any size, its width in bits as LLVM reads it, and whether it is unsigned.

    Raises:
        AssemblyError: it is missing.
    """
    if not is_integer(lexer):
        lexer.refuse("expected integer")
    number, unsigned = lexer.number(), is_unsigned(lexer)
    width = (number if unsigned else ~number).bit_length() + (not unsigned)
    if lexer.kind == HEX_INTEGER and number == 0:
        width = 4 * (lexer.end - lexer.start - len("u0x"))
    lexer.advance()
    return number, max(1, width), unsigned


def parse_boolean(lexer: Lexer) -> bool:
    """Return `true` or `false`.

    Raises:
        AssemblyError: neither is there.
    """
    if accept_word(lexer, b"true"):
        return True
    if not accept_word(lexer, b"false"):
        lexer.refuse("expected 'true' or 'false'")
    return False


def parse_field_string(lexer: Lexer, name: str, may_be_empty: bool) -> str:
    """Return a string, the value of the field of a name.

    Raises:
        AssemblyError: it is missing, or empty and must not be.
    """
    start = lexer.start
    text = parse_string(lexer)
    if not text and not may_be_empty:
        lexer.refuse(f"'{name}' cannot be empty", start)
    return text


def parse_named(lexer: Lexer, name: str, names: type[Named]) -> int:
    """Return a number, which may be written by its name.

    Raises:
        AssemblyError: it is missing, too large, or an unknown name.
    """
    if lexer.kind != WORD:
        if not is_integer(lexer):
            lexer.refuse(f"expected {names.meaning}")
        assert names.limit is not None, "a kind of numbers that may be written without names"  # noqa: S101
        return parse_unsigned(lexer, name, names.limit)
    number = numbers_of(names).get(lexer.text())
    if number is None:
        _refuse_name(lexer, names, names.meaning)
    lexer.advance()
    return number


def parse_flags(lexer: Lexer, names: type[Named], old: Mapping[bytes, int]) -> int:
    """Return flags, names and numbers that are joined by `|`.

    Args:
        lexer: the tokens.
        names: of the flags.
        old: flags by names that older LLVMs had for them.

    Raises:
        AssemblyError: one of them is missing, unknown, or larger than 32 bits.
    """
    flags = 0
    while True:
        if lexer.kind == WORD:
            flag = numbers_of(names).get(lexer.text(), old.get(lexer.text()))
            if flag is None:
                _refuse_name(lexer, names, "debug info flag")
        else:
            if not is_unsigned(lexer):
                lexer.refuse("expected debug info flag")
            flag = lexer.number()
            if flag > _MAX_32:
                lexer.refuse("expected 32-bit integer (too large)")
        flags |= flag
        lexer.advance()
        if not accept(lexer, BAR):
            return flags


def parse_checksum_kind(lexer: Lexer, name: str, names: type[Named]) -> int:
    """Return how a checksum was made; there must be a name.

    Raises:
        AssemblyError: it is missing or unknown.
    """
    number = numbers_of(names).get(lexer.text()) if lexer.kind == WORD else None
    if number is None:
        # LLVM shows the last text that its lexer has kept, which may be that of the field's label.
        shown = decoded(lexer.content()) if lexer.kind in (LABEL, STRING) else name
        if lexer.kind == WORD and lexer.text().startswith(_KEPT_PREFIXES):
            shown = decoded(lexer.text())
        lexer.refuse(f"invalid {names.meaning} '{shown}'")
    lexer.advance()
    return number


_KEPT_PREFIXES = (b"DW_", b"DIFlag", b"DISPFlag", b"CSK_")


def _refuse_name(lexer: Lexer, names: type[Named], expected: str) -> NoReturn:
    text = decoded(lexer.text())
    if names.prefix and text.startswith(names.prefix):
        lexer.refuse(f"invalid {names.meaning} '{text}'")
    lexer.refuse(f"expected {expected}")
