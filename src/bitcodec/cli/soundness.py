"""Errors that the analyzing commands refuse, as `llvm-bcanalyzer` does, and others that they only warn of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.stream import not_a_block
from bitcodec.cli.problems import warn
from bitcodec.errors import BitstreamError

if TYPE_CHECKING:
    from bitcodec.bitstream import Bitstream, Columns

__all__ = ["check_whole", "warn_of_lying_lengths"]

_WORD = 32
"""Bits."""


def check_whole(stream: Bitstream, columns: Columns) -> None:
    """Refuse a stream that is malformed, or is not blocks from its magic number to its last byte.

    Raises:
        BitstreamError: it is not sound.
    """
    if columns.error is not None:
        raise columns.error
    rest = stream.payload[columns.end // 8 :]
    if len(rest):
        raise BitstreamError(not_a_block(rest), columns.end)


def warn_of_lying_lengths(title: str, columns: Columns) -> None:
    """Warn of blocks whose headers give a wrong length: a reader that skips them by that ends up elsewhere."""
    blocks = columns.blocks
    bodies = zip(blocks.body, blocks.end, blocks.size_in_words, strict=True)
    lying = [row for row, (body, end, words) in enumerate(bodies) if end and (end - body) // _WORD != words]
    if lying:
        row = lying[0]
        words = (blocks.end[row] - blocks.body[row]) // _WORD
        others = f", and {len(lying) - 1} more like it" if len(lying) > 1 else ""
        warn(
            f"{title}: block {blocks.id[row]} states a length of {blocks.size_in_words[row]} words, but ends after "
            f"{words}{others} (bit {blocks.start[row]})"
        )
