"""Names from modules, as text that anything can be done with."""

from __future__ import annotations

__all__ = ["encoded", "readable"]


def encoded(name: str) -> bytes:
    """Return the bytes that a name has in its file."""
    return name.encode("utf-8", "surrogateescape")


def readable(name: str) -> str:
    """Return a name with escapes for bytes that are no text."""
    return encoded(name).decode("utf-8", "backslashreplace")
