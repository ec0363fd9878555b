"""Bytes and names as text that may be printed, where the bytes are LLVM's business the way LLVM's tools do."""

from __future__ import annotations

__all__ = ["escaped", "is_printable"]

_PRINTABLE = bytes(range(0x20, 0x7F))
_ESCAPES = {byte: chr(byte) if byte in _PRINTABLE else f"\\x{byte:02X}" for byte in range(256)}
_ESCAPES |= {ord("\\"): "\\\\", ord("\t"): "\\t", ord("\n"): "\\n", ord('"'): '\\"'}


def is_printable(data: bytes) -> bool:
    """Whether all bytes are printable ASCII characters."""
    return not data.translate(None, _PRINTABLE)


def escaped(data: bytes) -> str:
    """Return the bytes with backslash escapes for quotes, backslashes and everything that is not printable."""
    return data.decode("latin-1").translate(_ESCAPES)
