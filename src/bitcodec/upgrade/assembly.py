"""Assembly text of older modules.  Rules: docs/reference/upgrades.md, 10."""

from __future__ import annotations

__all__ = ["upgraded_assembly"]

_OBJC_MARKER = ("mov\tfp", "objc_retainAutoreleaseReturnValue", "# marker")


def upgraded_assembly(text: str) -> str:
    """Return the text of an assembly call; the marker of Objective-C's runtime begins its comment with a semicolon."""
    start, function, marker = _OBJC_MARKER
    if text.startswith(start) and function in text and marker in text:
        at = text.index(marker)
        return f"{text[:at]};{text[at + 1 :]}"
    return text
