# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# compiled: with loops
# ruff: noqa: C901, PLR0911
"""Tokens of LLVM assembly, found one after another in bytes.

Columns of messages count bytes, so positions are byte offsets.  A token is its kind and its place; its content
is decoded when it is requested.  Rules: docs/reference/text.md, 16; messages match llvm-as 22.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.asm.parser.literals import MOST_DIGITS, hex_integer, integer_of, problem_of_id, unescaped
from bitcodec.asm.parser.tokens import (
    ATTRIBUTE_GROUP,
    COMDAT_NAME,
    DOTS,
    END,
    EXCLAIM,
    FLOAT,
    GLOBAL_ID,
    GLOBAL_NAME,
    HASH,
    HEX_FLOAT,
    HEX_INTEGER,
    INTEGER,
    INTEGER_TYPE,
    LABEL,
    LABEL_ID,
    LOCAL_ID,
    LOCAL_NAME,
    METADATA_NAME,
    PUNCTUATION,
    STRING,
    SUMMARY_ID,
    UNKNOWN,
    WORD,
)
from bitcodec.errors import AssemblyError
from bitcodec.host import native
from bitcodec.ir.types import IntegerType

if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["Lexer"]

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_DIGITS = b"0123456789"
_SPACES = b"\0 \t\r\n"

_IS_WORD, _IS_LABEL, _IS_DIGIT, _IS_METADATA, _IS_HEX = 1, 2, 4, 8, 16


def _classes() -> bytes:
    """Return by byte the runs of characters that it may belong to."""
    classes = bytearray(256)
    for characters, bits in (
        (_ALPHABET, _IS_WORD | _IS_LABEL | _IS_METADATA),
        (_DIGITS, _IS_WORD | _IS_LABEL | _IS_METADATA | _IS_DIGIT | _IS_HEX),
        (b"_", _IS_WORD | _IS_LABEL | _IS_METADATA),
        (b"-$.", _IS_LABEL | _IS_METADATA),
        (b"\\", _IS_METADATA),
        (b"abcdefABCDEF", _IS_HEX),
    ):
        for character in characters:
            classes[character] |= bits
    return bytes(classes)


_CLASSES = _classes()

_SPACE, _LETTER, _SIGIL, _NUMBER, _ONE, _QUOTE, _COMMENT, _NONE = range(8)


def _beginnings() -> bytes:
    """Return, by first byte, the kind of a token."""
    beginnings = bytearray([_NONE]) * 256
    for characters, kind in (
        (_SPACES, _SPACE),
        (_ALPHABET + b"_", _LETTER),
        (b"%@!#$^", _SIGIL),
        (_DIGITS + b"-+.", _NUMBER),
        ("".join(PUNCTUATION).encode(), _ONE),
        (b'"', _QUOTE),
        (b";/", _COMMENT),
    ):
        for character in characters:
            beginnings[character] = kind
    return bytes(beginnings)


_BEGINNINGS = _beginnings()
_ONES = bytes([PUNCTUATION.get(chr(byte), UNKNOWN) for byte in range(256)])

_CLASS_OF, _BEGINNING_OF, _ONE_OF = _CLASSES, _BEGINNINGS, _ONES
"""The same, as C code reads them."""

_PERCENT, _AT, _EXCLAIM, _HASH, _DOLLAR, _CARET = b"%@!#$^"
_QUOTATION, _COLON, _POINT, _SEMICOLON, _SLASH, _STAR, _PLUS, _MINUS, _ZERO = b'":.;/*+-0'
_LOWER_I, _LOWER_X, _LOWER_E, _UPPER_E, _LOWER_C = b"ixeEc"
_HEX_KINDS = b"KLMHR"
_HEX_WORD = re.compile(rb"[us]0x[0-9A-Fa-f]+(?![0-9A-Za-z_])")
_FEW_DIGITS = 17  # of a number of 64 bits
_MAX_ID_DIGITS = 10
_MAX_WIDTH = IntegerType.MAX_WIDTH
_KEPT, _LONGEST_KEPT = 1024, 24
_KEPT_MASK = _KEPT - 1
"""How many texts of words, and of other tokens, are kept for the next token that is alike, and how long they may be."""


class Lexer:
    """Finds tokens.  `kind`, `start` and `end` belong to the current one.

    Args:
        data: the text in UTF-8.
        name: of the file, for errors.

    Attributes:
        kind: of the current token, one of `tokens`.
        start, end: its place in `data`.
        fields: whether a word keeps its colon out: `name:` is then a word and a colon, not a label.
        problem: the error in an invalid token, and its position; None without a special message.
    """

    __slots__ = ("chars", "data", "end", "fields", "kept", "kind", "length", "name", "problem", "start")

    def __init__(self, data: bytes, name: str = "") -> None:
        self.length = len(data)
        # In C, bytes end with a zero that does not count.
        self.data = data if native.COMPILED else data + b"\0"
        self.chars = self.data
        self.kept: list[bytes | None] = [None] * (2 * _KEPT)
        self.name = name
        self.kind = END
        self.start = 0
        self.end = 0
        self.fields = False
        self.problem: tuple[str, int] | None = None
        self.advance()

    # Finding

    def advance(self) -> int:
        """Go to the next token, and return its kind."""
        chars, at = self.chars, self.end
        while True:
            first = chars[at]
            beginning = _BEGINNING_OF[first]
            if beginning == _SPACE:
                if at >= self.length:
                    self.start = self.end = self.length
                    self.kind = END
                    return END
                at += 1
                continue
            self.start = at
            if beginning == _ONE:
                self.end = at + 1
                self.kind = kind = _ONE_OF[first]
                return kind
            if beginning == _COMMENT:
                at = self._after_comment(at)
                if at < 0:
                    return self.kind
                continue
            if beginning == _LETTER:
                kind = self._word(at)
            elif beginning == _SIGIL:
                kind = self._sigil(first, at + 1)
            elif beginning == _NUMBER:
                kind = self._number(first, at)
            elif beginning == _QUOTE:
                kind = self._string(at)
            else:
                kind = self._none(at)
            self.kind = kind
            return kind

    def _after_comment(self, at: int) -> int:
        """Return the position after a comment, -1 without one: then the token is set."""
        chars = self.chars
        if chars[at] == _SEMICOLON:
            end = self.data.find(b"\n", at)
            return self.length if end < 0 else end
        if chars[at + 1] != _STAR:
            self.kind = self._none(at)
            return -1
        end = self.data.find(b"*/", at + 2)
        if end < 0:
            self.kind = self._refuse("unterminated comment", at, self.length)
            return -1
        return end + 2

    def _word(self, at: int) -> int:
        chars, start = self.chars, at
        at += 1
        while _CLASS_OF[chars[at]] & _IS_WORD:
            at += 1
        word_end = at
        while _CLASS_OF[chars[at]] & _IS_LABEL:
            at += 1
        if chars[at] == _COLON and not self.fields:
            self.end = at + 1
            return LABEL
        if chars[start] == _LOWER_I and _CLASS_OF[chars[start + 1]] & _IS_DIGIT:
            return self._integer_type(start)
        self.end = word_end
        if chars[start + 1] == _ZERO and chars[start + 2] == _LOWER_X:
            found = _HEX_WORD.match(self.data, start)
            if found is not None:
                self.end = found.end()
                return HEX_INTEGER
        if chars[start] == _LOWER_C and chars[start + 1] == _LOWER_C and chars[start + 2 : word_end].isdigit():
            self.end = start + 2  # `cc10` is two tokens
        return WORD

    def _integer_type(self, start: int) -> int:
        chars, at, width = self.chars, start + 1, 0
        while _CLASS_OF[chars[at]] & _IS_DIGIT:
            if at - start < _MAX_ID_DIGITS:
                width = width * 10 + (chars[at] - _ZERO)
            at += 1
        self.end = at
        if at - start > _MAX_ID_DIGITS or not 1 <= width <= _MAX_WIDTH:
            return self._refuse("bitwidth for integer type out of range", start, at)
        return INTEGER_TYPE

    def _sigil(self, first: int, at: int) -> int:
        chars = self.chars
        if first == _PERCENT:
            return self._name(at, LOCAL_NAME, LOCAL_ID)
        if first == _EXCLAIM:
            following = _CLASS_OF[chars[at]]
            if not following & _IS_METADATA or following & _IS_DIGIT:
                self.end = at
                return EXCLAIM
            while _CLASS_OF[chars[at]] & _IS_METADATA:
                at += 1
            self.end = at
            return METADATA_NAME
        if first == _AT:
            return self._name(at, GLOBAL_NAME, GLOBAL_ID)
        if first == _HASH:
            if _CLASS_OF[chars[at]] & _IS_DIGIT:
                return self._id(at, ATTRIBUTE_GROUP)
            self.end = at
            return HASH
        if first == _CARET:
            return self._id(at, SUMMARY_ID)
        return LABEL if self._ends_label(at) else self._name(at, COMDAT_NAME, UNKNOWN)

    def _name(self, at: int, named: int, numbered: int) -> int:
        chars = self.chars
        following = _CLASS_OF[chars[at]]
        if following & _IS_DIGIT:
            return self._none(self.start) if numbered == UNKNOWN else self._id(at, numbered)
        if following & _IS_LABEL:
            at += 1
            while _CLASS_OF[chars[at]] & _IS_LABEL:
                at += 1
            self.end = at
            return named
        if chars[at] != _QUOTATION:
            return self._none(self.start)
        end = self.data.find(b'"', at + 1)
        if end < 0:
            return self._refuse("end of file in global variable name", self.start, self.length)
        self.end = end + 1
        if b"\0" in unescaped(chars[at + 1 : end]):
            return self._refuse("NUL character is not allowed in names", self.start, end + 1)
        return named

    def _id(self, at: int, kind: int) -> int:
        chars, start = self.chars, at
        while _CLASS_OF[chars[at]] & _IS_DIGIT:
            at += 1
        if at == start:
            return self._none(self.start)
        self.end = at
        if at - start >= _MAX_ID_DIGITS:
            problem = problem_of_id(chars[start:at])
            if problem:
                return self._refuse(problem, self.start, at)
        return kind

    def _number(self, first: int, at: int) -> int:
        chars, start = self.chars, at
        at += 1
        is_digit = _CLASS_OF[first] & _IS_DIGIT
        if first == _POINT:
            return self._dots(at)
        if first == _PLUS:
            return self._positive(at)
        if not is_digit and not _CLASS_OF[chars[at]] & _IS_DIGIT:
            return LABEL if self._ends_label(at) else self._none(start)
        while _CLASS_OF[chars[at]] & _IS_DIGIT:
            at += 1
        if is_digit and chars[at] == _COLON:
            self._id(start, LABEL_ID)
            self.end = at + 1
            return self.kind if self.problem else LABEL_ID
        if (_CLASS_OF[chars[at]] & _IS_LABEL or chars[at] == _COLON) and self._ends_label(at):
            return LABEL
        if chars[at] != _POINT:
            if first == _ZERO and chars[start + 1] == _LOWER_X:
                return self._hexadecimal(start)
            self.end = at
            return INTEGER
        return self._fraction(at + 1)

    def _dots(self, at: int) -> int:
        chars = self.chars
        if self._ends_label(at):
            return LABEL
        if chars[at] == _POINT and chars[at + 1] == _POINT:
            self.end = at + 2
            return DOTS
        return self._none(self.start)

    def _positive(self, at: int) -> int:
        chars, start = self.chars, at
        while _CLASS_OF[chars[at]] & _IS_DIGIT:
            at += 1
        return self._fraction(at + 1) if at > start and chars[at] == _POINT else self._none(self.start)

    def _fraction(self, at: int) -> int:
        chars = self.chars
        while _CLASS_OF[chars[at]] & _IS_DIGIT:
            at += 1
        if chars[at] in (_LOWER_E, _UPPER_E):
            exponent = at + 2 if chars[at + 1] in (_PLUS, _MINUS) else at + 1
            if _CLASS_OF[chars[exponent]] & _IS_DIGIT:
                at = exponent
                while _CLASS_OF[chars[at]] & _IS_DIGIT:
                    at += 1
        self.end = at
        return FLOAT

    def _hexadecimal(self, start: int) -> int:
        chars, at = self.chars, start + 2
        if chars[at] in _HEX_KINDS:
            at += 1
        first = at
        while _CLASS_OF[chars[at]] & _IS_HEX:
            at += 1
        if at == first:
            return self._none(start)
        self.end = at
        return HEX_FLOAT

    def _string(self, at: int) -> int:
        chars = self.chars
        end = self.data.find(b'"', at + 1)
        if end < 0:
            return self._refuse("end of file in string constant", at, self.length)
        self.end = end + 1
        if chars[end + 1] != _COLON:
            return STRING
        self.end = end + 2
        if b"\0" in unescaped(chars[at + 1 : end]):
            return self._refuse("NUL character is not allowed in names", at, end + 2)
        return LABEL

    def _ends_label(self, at: int) -> bool:
        """Return whether the run of characters of labels ends with a colon; the token then ends after it."""
        chars = self.chars
        while _CLASS_OF[chars[at]] & _IS_LABEL:
            at += 1
        if chars[at] != _COLON:
            return False
        self.end = at + 1
        return True

    def _none(self, at: int) -> int:
        self.end = at + 1
        return UNKNOWN

    def _refuse(self, message: str, at: int, end: int) -> int:
        self.end = end
        self.problem = (message, at)
        self.kind = UNKNOWN
        return UNKNOWN

    # Content of the current token

    def text(self) -> bytes:
        """Return its characters."""
        return self.text_between(self.start, self.end)

    def text_between(self, start: int, end: int) -> bytes:
        """Return characters; in C, short texts that come again and again are one object, whose hash is known."""
        chars, count = self.chars, end - start
        if not native.COMPILED or not 1 < count <= _LONGEST_KEPT:
            return chars[start:end]
        place = (chars[start] * 67 + chars[start + (count >> 1)] * 31 + chars[end - 1] * 7 + count) & _KEPT_MASK
        if self.kind not in (WORD, INTEGER_TYPE):
            place += _KEPT  # words are few, and names shall not push them out
        known = self.kept[place]
        if known is not None and len(known) == count:
            other, index = known, 0
            while index < count and other[index] == chars[start + index]:
                index += 1
            if index == count:
                return known
        known = chars[start:end]
        self.kept[place] = known
        return known

    def is_text(self, text: bytes) -> bool:
        """Return whether these are its characters."""
        chars, other, start, count = self.chars, text, self.start, self.end - self.start
        if len(text) != count:
            return False
        if not native.COMPILED:
            return chars[start : self.end] == text
        index = 0
        while index < count and other[index] == chars[start + index]:
            index += 1
        return index == count

    def content(self) -> bytes:
        """Return the name in a name or label, or the content of a string, unescaped."""
        chars, kind, start, end = self.chars, self.kind, self.start, self.end
        if kind == LABEL:
            end -= 1
        elif kind != STRING:
            start += 1
        if kind == METADATA_NAME:
            text = self.text_between(start, end)
            return unescaped(text) if b"\\" in text else text
        if chars[start] == _QUOTATION:
            return unescaped(chars[start + 1 : end - 1])
        return self.text_between(start, end)

    def index(self) -> int:
        """Return the number of a token like `%5`, `@5`, `#5`, `^5`, which has 32 bits."""
        return self._decimal(self.start + 1, self.end)

    def short_number(self) -> int:
        """Return an integer of few digits and no sign, -1 for any other token."""
        start, end = self.start, self.end
        if self.kind != INTEGER or end - start > _FEW_DIGITS or self.chars[start] == _MINUS:
            return -1
        return self._decimal(start, end)

    def _decimal(self, at: int, end: int) -> int:
        chars, value = self.chars, 0
        while at < end:
            value = value * 10 + (chars[at] - _ZERO)
            at += 1
        return value

    def is_digit_next(self) -> bool:
        """Return whether a digit follows the current token at once."""
        return _CLASS_OF[self.chars[self.end]] & _IS_DIGIT != 0

    def number(self) -> int:
        """Return the number of a token like `%5`, `i32`, `7:` or of an integer.

        Raises:
            AssemblyError: no type can hold the integer.
        """
        kind = self.kind
        chars, at, end = self.chars, self.start, self.end
        if kind == LABEL_ID:
            end -= 1
        elif kind not in (INTEGER, HEX_INTEGER):
            at += 1
        if end - at <= _FEW_DIGITS and _CLASS_OF[chars[at]] & _IS_DIGIT and kind != HEX_INTEGER:
            return self._decimal(at, end)
        if kind == INTEGER and end - at > MOST_DIGITS:
            self.refuse("integer has more digits than a type can hold")
        return hex_integer(self.data[at:end]) if kind == HEX_INTEGER else integer_of(self.data[at:end])

    def error(self, message: str, position: int = -1) -> AssemblyError:
        """Return an error at a position, by default of the current token.

        Errors in the characters precede errors in their order.
        """
        if self.problem is not None:
            message, position = self.problem
        return self.error_at(message, self.start if position < 0 else position)

    def error_at(self, message: str, position: int) -> AssemblyError:
        """Return an error at a position."""
        return AssemblyError.in_text(message, self.data[: self.length], position, self.name)

    def refuse(self, message: str, position: int = -1) -> NoReturn:
        """Raise an error at a position, by default of the current token.

        Raises:
            AssemblyError: always.
        """
        raise self.error(message, position)
