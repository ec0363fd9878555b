"""How `str` prints what a module consists of, as LLVM assembly; and how texts from anywhere are printed safely.

The model does not know who prints it; `print_with` sets that once, and it is loaded when something is printed first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["beginning_of", "one_line", "print_with", "reference_to", "text_of"]


def text_of(printed: object) -> str:
    """Return the text of a part of a module in LLVM assembly; see `bitcodec.asm.text_of`."""
    return _text_of(printed)


def print_with(text_of: Callable[..., str], name_of: Callable[[Any], str]) -> None:
    """Have texts, and names of operands, made by functions from now on."""
    global _text_of, _name_of
    _text_of, _name_of = text_of, name_of


def beginning_of(printed: object, enough: int) -> str:
    """Return the text of a part of a module, of which only the first characters are needed: the rest may be cut off."""
    return _text_of(printed, enough)


def reference_to(value: object) -> str:
    """Return how an operand refers to a value: `%name` or `%0`; see `bitcodec.asm.name_of`."""
    return _name_of(value)


def one_line(text: str, *, kept: str = "") -> str:
    r"""Return text with unprintable characters escaped as in LLVM IR, `\XX` for each byte.

    Texts from files, and names of files, may hold anything: new lines, sequences that terminals obey, characters that
    turn the direction of text, bytes that are not UTF-8.

    Args:
        text: the text; `surrogateescape` represents bytes that are not UTF-8.
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


_text_of: Callable[..., str] = repr
_name_of: Callable[[Any], str] = repr
