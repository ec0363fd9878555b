"""Text inside quotes.  Rules: assembly text reference, section 1.2."""

from __future__ import annotations

import re

__all__ = ["escaped"]

_SPECIAL = r"[^ !#-\[\]-~]"


def escaped(text: str) -> str:
    r"""Return text as it stands inside quotes: backslashes doubled, other bytes that are not printable as `\XX`."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return text
    return re.sub(_SPECIAL, _escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character == "\\":
        return "\\\\"
    return "".join(f"\\{byte:02X}" for byte in character.encode("utf-8", "surrogateescape"))
