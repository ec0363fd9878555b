"""The version of LLVM that a text is written for.

A text is read as one of today until an old form is found.  Then it is read again from the beginning, as an old one:
the text before that form may depend on it, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitcodec.asm.parser.lexer import Lexer
    from bitcodec.errors import AssemblyError

__all__ = ["LAST_WITH_TYPED_POINTERS", "NEWEST", "OLDEST", "OldForm", "TextDialect", "dialect_of"]

NEWEST = (22, 0)
LAST_WITH_TYPED_POINTERS = (14, 0)
OLDEST = (3, 0)
_LAST_3 = 9

_VERSION = re.compile(r"(\d{1,2})(?:\.(\d))?\Z")


class OldForm(Exception):  # noqa: N818 - ends the first reading of a text; never seen outside the parser
    """The text has a form that LLVM 22 does not have.

    Attributes:
        error: the error of LLVM 22, None if it accepts the form.
    """

    def __init__(self, error: AssemblyError | None = None) -> None:
        super().__init__(error)
        self.error = error


class TextDialect:
    """Dialect of a text.

    Attributes:
        is_old: whether old forms are accepted.
        is_detected: whether an old form means that the text is an old one.
        newest: the newest LLVM that it may be of, as major and minor version.
    """

    __slots__ = ("is_detected", "is_old", "newest")

    def __init__(self, newest: tuple[int, int] = NEWEST, *, is_old: bool = False, is_detected: bool = False) -> None:
        self.newest = newest
        self.is_old = is_old
        self.is_detected = is_detected

    def accepts(self, lexer: Lexer, message: str = "", position: int = -1) -> bool:
        """Return whether an old form is accepted, which is the next thing in the text.

        Args:
            lexer: the tokens.
            message: the message of LLVM 22; empty if it accepts the form.
            position: the position of the message. Default: the current token.

        Raises:
            OldForm: the text has been taken for one of today.
        """
        if self.is_old:
            return True
        if not self.is_detected:
            return False
        raise OldForm(lexer.error(message, position) if message else None)

    @property
    def is_strict(self) -> bool:
        """Whether the text is known to be LLVM 22's, so that the errors of its llvm-as are raised."""
        return not self.is_old and not self.is_detected

    def is_before(self, major: int, minor: int = 0) -> bool:
        """Return whether the text is known to be of an LLVM before a version."""
        return self.newest < (major, minor)


def dialect_of(version: str | int | None) -> TextDialect:
    """Return the dialect of a version: `7` or `"3.4"`; None means detection.

    Raises:
        ValueError: bitcodec knows no such version.
    """
    if version is None:
        return TextDialect(is_detected=True)
    found = _VERSION.match(str(version))
    if found is not None:
        number = (int(found[1]), int(found[2] or 0))
        if number[0] == 3 and found[2] is None:
            number = (3, _LAST_3)
        if OLDEST <= number < (NEWEST[0] + 1, 0):
            return TextDialect(number, is_old=number < NEWEST)
    raise ValueError(f"LLVM {version}: the text of LLVM 3.0 to {NEWEST[0]} can be read")
