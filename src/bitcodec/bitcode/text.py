"""Characters of records.  Rules: docs/reference/records.md, 1.8."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["characters", "decoded"]


def decoded(data: bytes | bytearray | memoryview) -> str:
    """Return text of a file so that encoding it the same way (UTF-8, `surrogateescape`) gives the same bytes."""
    return str(data, "utf-8", "surrogateescape")


def characters(operands: Sequence[int]) -> str:
    """Return the text of operands that are characters each; bytes from 0x80 may be sign-extended."""
    try:
        return decoded(bytes(operands))
    except ValueError:
        return decoded(bytes(operand & 0xFF for operand in operands))
