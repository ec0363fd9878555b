"""Names from modules, as text that anything can be done with."""

from __future__ import annotations

__all__ = ["encoded", "readable", "shown_name"]


def encoded(name: str) -> bytes:
    """Return the bytes that a name has in its file."""
    return name.encode("utf-8", "surrogateescape")


def readable(name: str) -> str:
    """Return a name with escapes for bytes that are not text."""
    return encoded(name).decode("utf-8", "backslashreplace")


def shown_name(name: str) -> str:
    """Return the name of a symbol unchanged, or quoted as in LLVM IR if something in it is not printable."""
    if name.isprintable():
        return name
    from bitcodec.ir.spelling import escaped  # noqa: PLC0415 - few names need it

    return f'"{escaped(name)}"'
