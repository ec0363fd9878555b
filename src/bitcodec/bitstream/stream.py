"""A bitstream, opened: its blocks, its columns, and its bytes again."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.bitstream.blocks import Block
from bitcodec.bitstream.decoding import UNLIMITED, decode
from bitcodec.bitstream.magic import MAGIC_SIZE, StreamKind
from bitcodec.bitstream.scopes import Scopes
from bitcodec.bitstream.wrapper import Wrapper
from bitcodec.errors import BitstreamError
from bitcodec.files import read_file, write_whole
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Container
    from types import TracebackType
    from typing import Self

    import pyarrow as pa

    from bitcodec.bitstream.blockinfo import BlockInfo
    from bitcodec.bitstream.columns import Columns
    from bitcodec.bitstream.draft import Draft
    from bitcodec.sentences import Sentence

__all__ = ["Bitstream", "leading_zeros", "loads", "open"]

_ZEROS = bytes(1 << 16)
_TOLERATED_TRAILER = 8
"""Bytes of anything that LLVM's reader leaves alone after the last block."""


class Bitstream:
    """One stream, with or without a wrapper.  Nothing is decoded before it is requested.

    Args:
        data: any bytes-like object; it is not copied.

    Raises:
        BitstreamError: the magic number is missing, or the wrapper is malformed.
    """

    def __init__(self, data: bytes | bytearray | memoryview) -> None:
        self._data = memoryview(data).cast("B")
        self._wrapper = Wrapper.parse(self._data)
        offset = self._wrapper.offset if self._wrapper else 0
        size = self._wrapper.size if self._wrapper else len(self._data)
        self._payload = self._data[offset : offset + size]
        if size < MAGIC_SIZE:
            what = Reason.NO_MAGIC(size=size) if size else Reason.EMPTY_FILE()
            raise BitstreamError(what, 0)

    @property
    def data(self) -> memoryview:
        """All bytes, wrapper included."""
        return self._data

    @property
    def wrapper(self) -> Wrapper | None:
        """The wrapper around the stream, if there is one."""
        return self._wrapper

    @property
    def payload(self) -> memoryview:
        """The stream's own bytes, magic number first.  All offsets count from here."""
        return self._payload

    @property
    def magic(self) -> bytes:
        """The first four bytes."""
        return bytes(self._payload[:MAGIC_SIZE])

    @property
    def kind(self) -> StreamKind:
        """Kind of the stream, by its magic number."""
        return StreamKind.of(self.magic)

    @cached_property
    def listing(self) -> Columns:
        """The top-level blocks alone, found by their lengths; an error is in the columns."""
        return self.decode(max_depth=0)

    @cached_property
    def blocks(self) -> list[Block]:
        """The top-level blocks, found by their lengths alone.

        Raises:
            BitstreamError: a block's header is malformed, or the bytes after the last block are not a block.
        """
        columns = self.check(self.listing)
        return [Block(self, columns, row) for row in range(len(columns.blocks)) if columns.blocks.parent[row] < 0]

    @property
    def trailing(self) -> memoryview:
        """The bytes after the last top-level block."""
        end = self.blocks[-1].end if self.blocks else MAGIC_SIZE * 8
        return self._payload[end // 8 :]

    @cached_property
    def columns(self) -> Columns:
        """Everything, decoded once.

        Raises:
            BitstreamError: the stream is malformed; `decode` returns the part before that place.
        """
        return self.check(self.decode())

    @cached_property
    def scopes(self) -> Scopes:
        """The abbreviations in force in each block of `columns`."""
        return Scopes(self.columns)

    def decode(
        self,
        *,
        max_depth: int = UNLIMITED,
        skipped: Container[int] = frozenset(),
        progress: Callable[[int], object] | None = None,
        block_info: BlockInfo | None = None,
    ) -> Columns:
        """Decode the stream, or a part of it, again.

        Args:
            max_depth: how many levels of blocks to open; 0 finds the top-level blocks by their lengths alone.
            skipped: ids of blocks to pass over by their lengths, at any depth.
            progress: called now and then with the number of bits done so far.
            block_info: the BLOCKINFO in force until the stream contains one. Default: none.

        Returns:
            Columns; if the stream is malformed, up to that place, with the reason in their `error`.
        """
        return decode(self._payload, max_depth=max_depth, skipped=skipped, progress=progress, block_info=block_info)

    def to_arrow(self) -> tuple[pa.Table, pa.Table]:
        """Return `columns` as two Arrow tables, of records and of blocks (`bitcodec.bitstream.arrow`).

        Raises:
            ImportError: pyarrow is not installed; `pip install bitcodec[arrow]` brings it.
            BitstreamError: the stream is malformed.
        """
        from bitcodec.bitstream.arrow import to_arrow  # noqa: PLC0415 - an extra

        return to_arrow(self._payload, self.columns)

    def edit(self) -> Draft:
        """Return a draft of this stream: blocks and records that can be changed, and written back."""
        from bitcodec.bitstream.draft import Draft  # noqa: PLC0415 - who only reads need not wait for it

        return Draft(self)

    def dumps(self) -> bytes:
        """Return all bytes, as they were read: wrapper, stream and whatever follows."""
        return bytes(self._data)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the stream to `path`, which is replaced only when all is written.

        Raises:
            OSError: it cannot be written.
        """
        write_whole(path, self._data)

    def check(self, columns: Columns) -> Columns:
        """Return `columns`, decoded from this stream, if they hold all of it that a reader has to understand.

        Raises:
            BitstreamError: decoding stopped early, or the bytes after the last block are neither zeros nor few.
        """
        if columns.error is not None:
            raise columns.error
        rest = self._payload[columns.end // 8 :]
        if len(rest) > _TOLERATED_TRAILER and leading_zeros(rest) < len(rest):
            raise BitstreamError(not_a_block(rest), columns.end)
        return columns

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave the file's memory to be freed with the last view on it."""

    def __repr__(self) -> str:
        return f"<Bitstream {self.kind.value}, {len(self._payload)} bytes>"


def leading_zeros(data: memoryview) -> int:
    """Return how many zero bytes `data` begins with."""
    position = 0
    while (piece := data[position : position + len(_ZEROS)]) and piece == _ZEROS[: len(piece)]:
        position += len(piece)
    return position + next((index for index, byte in enumerate(piece) if byte), 0)


def not_a_block(rest: memoryview) -> Sentence:
    """Return the error in the bytes after the last top-level block."""
    if StreamKind.of(bytes(rest[:MAGIC_SIZE])) is not StreamKind.UNKNOWN:
        return Reason.ANOTHER_STREAM(count=len(rest))
    return Reason.TRAILING_BYTES(count=len(rest))


def loads(data: bytes | bytearray | memoryview) -> Bitstream:
    """Open a stream in memory.

    Args:
        data: a stream, magic number first, or a wrapper around one.

    Raises:
        BitstreamError: it is neither.
    """
    return Bitstream(data)


def open(path: str | os.PathLike[str], *, mmap: bool = False) -> Bitstream:  # noqa: A001 - as in gzip.open
    """Open the stream in a file.

    Args:
        path: the file.
        mmap: map the file into memory instead of reading it; if it shrinks meanwhile, the system kills the process.

    Raises:
        OSError: the file cannot be read, or no file can have this name.
        BitstreamError: it is not a stream.
    """
    return Bitstream(read_file(path, mmap=mmap))
