"""Addresses in PC sections that are not known before the file is linked or loaded."""

from __future__ import annotations

from bitcodec.named_tuple import NamedTuple

__all__ = ["Reference"]


class Reference(NamedTuple):
    """An address that only the linker, or the loader, knows.

    Attributes:
        offset: of the field that holds it, in bytes.
        symbol: its base, as the object file names it; for a block `blockaddress(FUNCTION, BLOCK)`.
        addend: bytes from the symbol.
        size: of the field, in bytes.
    """

    offset: int
    symbol: str
    addend: int
    size: int
