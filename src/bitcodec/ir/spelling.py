"""Text inside quotes.  Rules: docs/reference/text.md, 1.2."""

from __future__ import annotations

import re

__all__ = ["escaped", "printable"]

_SPECIAL = r"[^ !#-\[\]-~]"
_HARMLESS_BYTES = "[\x01\udca0-\udcff]"
"""The mark of names that are not mangled, and bytes that are not UTF-8 and that no terminal obeys."""


def escaped(text: str) -> str:
    r"""Return text as written inside quotes: backslashes doubled, other bytes that are not printable as `\XX`."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return re.sub(_SPECIAL, _escape, text)


def printable(text: str) -> str:
    """Return text that LLVM prints without escapes, escaped if something in it is not printable.

    Terminals obey such characters.  LLVM reads the escaped text as the same.
    """
    return text if text.isprintable() or re.sub(_HARMLESS_BYTES, "", text).isprintable() else escaped(text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character == "\\":
        return "\\\\"
    # A surrogate that stands for no byte of a file can come from a program alone: the writer refuses it.
    errors = "surrogateescape" if "\udc80" <= character <= "\udcff" else "surrogatepass"
    return "".join(f"\\{byte:02X}" for byte in character.encode("utf-8", errors))
