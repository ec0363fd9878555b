"""Damaged bitstreams made sound again: parts that can no longer be decoded are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.abbreviations import TOP_LEVEL_WIDTH, AbbreviationId
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.bitstream import Columns

__all__ = ["Mended", "mended"]

_WORD = 32
_FILLER_ID, _FILLER_WIDTH = 127, 2
"""An unused block id, and the width of abbreviation ids, for the block that replaces the parts left out."""
_ID_BITS, _WIDTH_BITS = 8, 4


class Mended(NamedTuple):
    """A bitstream that was damaged.

    Attributes:
        data: the bitstream.
        place: up to which bit it is as it was.
    """

    data: bytes
    place: int


def mended(payload: memoryview, columns: Columns) -> Mended | None:
    """Return a bitstream in which the blocks around the first damage end before it; None if it is sound.

    If the length of one of them can be right, the data behind it stays there, behind a block of an unknown id.  Blocks
    before it get the lengths that they have: LLVM enters them, and does not check the stated ones.

    Args:
        payload: the damaged bitstream.
        columns: the same, decoded as far as it goes.
    """
    blocks = columns.blocks
    unended = [row for row, end in enumerate(blocks.end) if not end]
    sizes = zip(blocks.body, blocks.end, blocks.size_in_words, strict=True)
    wrong = [(body, end) for body, end, words in sizes if end and end - body != words * _WORD]
    if not unended and not wrong:
        return None
    ends = [columns.records.end[-1:], columns.definitions.end[-1:], blocks.end, [blocks.body[row] for row in unended]]
    place = end = max(max(each, default=0) for each in ends) if unended else payload.nbytes * 8
    data = bytearray(payload[: -(-place // 8)])
    if place % 8:
        data[-1] &= (1 << place % 8) - 1
    for body, ended in wrong:
        _state_size(data, body, ended)
    for row in reversed(unended):
        # The id of END_BLOCK is 0.
        end = _align(end + blocks.abbreviation_width[row])
        data += bytes(end // 8 - len(data))
        body, parent = blocks.body[row], blocks.parent[row]
        _state_size(data, body, end)
        stated = body + blocks.size_in_words[row] * _WORD
        around = payload.nbytes * 8 if parent < 0 else blocks.body[parent] + blocks.size_in_words[parent] * _WORD
        width = TOP_LEVEL_WIDTH if parent < 0 else blocks.abbreviation_width[parent]
        if stated > min(around, payload.nbytes * 8):
            continue
        filler = _filler(width, stated - end)
        if filler is not None:
            return Mended(bytes(data + filler) + bytes(payload[stated // 8 :]), place)
    return Mended(bytes(data), place)


def _state_size(data: bytearray, body: int, end: int) -> None:
    data[body // 8 - 4 : body // 8] = ((end - body) // _WORD).to_bytes(4, "little")


def _align(bits: int) -> int:
    return -(-bits // _WORD) * _WORD


def _filler(width: int, size: int) -> bytes | None:
    """Return a block of a size in bits, None if it cannot have that, given the width of abbreviation ids around it."""
    header = _align(width + _ID_BITS + _WIDTH_BITS) + _WORD
    if size < header:
        return None if size else b""
    first = AbbreviationId.ENTER_SUBBLOCK | _FILLER_ID << width | _FILLER_WIDTH << width + _ID_BITS
    words = (size - header) // _WORD
    return (first | words << header - _WORD).to_bytes(size // 8, "little")
