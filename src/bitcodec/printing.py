"""How `str` prints what a module consists of, as LLVM assembly; and how texts from anywhere are printed safely.

The model does not know who prints it; that is told here, once, and loaded when something is printed first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Printable", "one_line", "print_with"]


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


def one_line(text: str, *, kept: str = "") -> str:
    r"""Return text with what is not printable escaped as LLVM IR escapes it, `\XX` for each byte.

    Texts from files, and names of files, may hold anything: new lines, sequences that terminals obey, characters that
    turn the direction of text, bytes that are not UTF-8.

    Args:
        text: the text; `surrogateescape` stands for bytes that are not UTF-8.
        kept: characters that stay though they are not printable.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else _escaped_bytes(c) for c in text)


def _escaped_bytes(character: str) -> str:
    is_byte = "\udc80" <= character <= "\udcff"
    return "".join(
        f"\\{byte:02X}" for byte in character.encode("utf-8", "surrogateescape" if is_byte else "surrogatepass")
    )


_text_of: Callable[[object], str] = repr
