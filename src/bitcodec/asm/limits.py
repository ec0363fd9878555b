"""Limits of the length of a module's text.

A repeated name, type or string is stored once in a file.  So a small file can describe a text that no
memory holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import BitcodecError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.module import Module

__all__ = ["FEW", "TextLimit"]

FEW = 16
"""Items of a list that are joined without a look at their lengths."""
_MAX_CHARACTERS = 1 << 25
_MAX_CHARACTERS_PER_BYTE = 32
_MAX_CHARACTERS_PER_LINE = 256
"""Limit of text in characters: this base, and so many for each byte of bitcode and for each line.

The text of modules from compilers has 2 to 14 characters for a byte of bitcode.
"""


class TextLimit:
    """Limits the text of a module that was read from bitcode, or of a part of it.

    Args:
        module: the module; None, or one that was not read from bitcode, has no limit.
        enough: as below.

    Attributes:
        left: the number of characters that may follow; None if any number may.
        enough: the number of characters after which constants, types, strings and lists may end; None if all of
            their text is needed.
    """

    __slots__ = ("enough", "left")

    def __init__(self, module: Module | None, enough: int | None = None) -> None:
        self.enough = enough
        size = None if module is None else module.bitcode_size
        self.left = None if size is None else _MAX_CHARACTERS + _MAX_CHARACTERS_PER_BYTE * size

    def spend(self, characters: int, lines: int) -> None:
        """Count text that was made.

        Raises:
            BitcodecError: there is too much of it.
        """
        if self.left is not None:
            self.check(characters)
            self.left -= characters - _MAX_CHARACTERS_PER_LINE * lines

    def check(self, characters: int) -> None:
        """Hold the length of a piece of text that is being made against the limit.

        Raises:
            BitcodecError: it is too long.
        """
        if self.left is not None and characters > self.left:
            raise BitcodecError(
                "the text of the module is out of proportion to its bitcode, because it repeats long names, types, "
                "constants or strings; `bitcodec dump` shows its records"
            )

    def join(self, texts: Iterable[str]) -> str:
        """Return texts with commas between them.

        Raises:
            BitcodecError: they are too long together.
        """
        found: list[str] = []
        size = 0
        for text in texts:
            found.append(text)
            size += len(text) + 2
            if len(found) > FEW:
                if self.enough is not None and size > self.enough:
                    break
                self.check(size)
        return ", ".join(found)
