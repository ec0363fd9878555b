"""A stream that can be changed: blocks as lists of items, written back with all unchanged parts bit for bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.emission import emit
from bitcodec.bitstream.items import DraftBlock, first_block
from bitcodec.bitstream.wrapper import rewrapped
from bitcodec.files import write_whole

if TYPE_CHECKING:
    import os

    from bitcodec.bitstream.stream import Bitstream

__all__ = ["Draft"]


class Draft:
    """A stream to be changed.  Made by `Bitstream.edit`.

    Offsets in the records of an application are not corrected here; `bitcodec.bitcode` corrects LLVM IR's.

    Attributes:
        source: the stream that it was made from.
        blocks: the top-level blocks; the list itself, to be changed.

    Example:
        >>> draft = bitstream.open("examples/hello.bc").edit()  # doctest: +SKIP
        >>> draft.block(8).record(2).text = "aarch64-unknown-linux-gnu"  # doctest: +SKIP
        >>> draft.save("hello-aarch64.bc")  # doctest: +SKIP
    """

    def __init__(self, stream: Bitstream) -> None:
        self.source = stream
        self.blocks = [DraftBlock.of(block) for block in stream.blocks]

    def block(self, id: int) -> DraftBlock:
        """Return the first top-level block of this id.

        Raises:
            LookupError: the draft has no such block.
        """
        return first_block(self.blocks, id)

    def new_block(self, id: int, *, abbreviation_width: int = 3) -> DraftBlock:
        """Return an empty block with the abbreviations of BLOCKINFO for such blocks; the caller inserts it."""
        infos = self.source.columns.block_infos
        shared = infos[-1].info.abbreviations.get(id, ()) if infos else ()
        return DraftBlock(id, abbreviation_width=abbreviation_width, shared=shared)

    def dumps(self) -> bytes:
        """Return the changed stream; in a wrapper, and followed by the same bytes, if it was.

        Raises:
            EncodingError: an abbreviation cannot express its record.
        """
        return self.wrapped(emit(self.source, self.blocks) + bytes(self.source.trailing))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the changed stream to `path`, which is replaced only when all is written.

        Raises:
            EncodingError: an abbreviation cannot express its record.
            OSError: it cannot be written.
        """
        write_whole(path, self.dumps())

    def wrapped(self, payload: bytes) -> bytes:
        """Return `payload` in a wrapper like the stream's, if it had one."""
        return rewrapped(payload, self.source.wrapper, self.source.data)
