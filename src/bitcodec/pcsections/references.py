"""Addresses in PC sections that are not known before the file is linked or loaded."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Reference"]


class Reference(NamedTuple):
    """An address that only the linker, or the loader, knows.

    Attributes:
        offset: of its field, in bytes.
        symbol: whose address it is.
        addend: what is added, in bytes.
        size: bytes of the field.
    """

    offset: int
    symbol: str
    addend: int
    size: int
