"""How `str` prints what a module consists of: as LLVM assembly.

The model does not know who prints it; that is told here, once, and loaded when something is printed first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Printable", "print_with"]


class Printable:
    """Something that has a text in LLVM assembly."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return its text; see `bitcodec.asm.text_of`."""
        return _text_of(self)


def print_with(text_of: Callable[[object], str]) -> None:
    """Have texts made by a function from now on."""
    global _text_of  # noqa: PLW0603 - the one thing that this file holds
    _text_of = text_of


_text_of: Callable[[object], str] = repr
