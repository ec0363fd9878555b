"""Sizes of functions that linker relaxation leaves to relocations, put where they will be.

Rules: docs/reference/pc-sections.md, 2.4: the bytes in the object are placeholders, and the linker keeps their number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import PCSectionsError, quote_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.pcsections.objects.pieces import Piece
    from bitcodec.pcsections.schemas.kinds import Kind

__all__ = ["with_lengths"]

_WORD = 4


def with_lengths(piece: Piece, kinds: Sequence[Kind]) -> memoryview:
    """Return the bytes of a section of an object with its sizes of functions.

    Args:
        piece: the section.
        kinds: possible kinds of its entries.

    Raises:
        PCSectionsError: a size does not fit into its field.
    """
    data = bytearray(piece.data)
    forms = {kind.is_compressed for kind in kinds if kind.is_function}
    only = True in forms
    for place, size in piece.lengths.items():
        # Without a schema, or with both forms in it: a field that is not a ULEB128 is a word of zeros.
        is_compressed = only if len(forms) == 1 else any(data[place : place + _WORD])
        end = _end(data, place) if is_compressed else place + _WORD
        if end > len(data) or size >> (7 * (end - place) if is_compressed else 8 * _WORD):
            name = quote_name(piece.name)
            raise PCSectionsError(f"{name}: the size at byte {place}, {size}, does not fit where it is to be")
        data[place:end] = _padded(size, end - place) if is_compressed else size.to_bytes(_WORD, piece.byte_order)
    return memoryview(data).toreadonly()


def _end(data: bytearray, place: int) -> int:
    """Return where a ULEB128 ends."""
    while place < len(data) and data[place] & 0x80:
        place += 1
    return place + 1


def _padded(number: int, length: int) -> bytes:
    """Return a ULEB128 of some length."""
    groups = [number >> 7 * index & 0x7F | 0x80 for index in range(length)]
    return bytes([*groups[:-1], groups[-1] & 0x7F])
