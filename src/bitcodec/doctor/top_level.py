"""What LLVM makes of the outermost blocks of a stream: it skips those that it does not know, by their length."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.bitstream.abbreviations import AbbreviationId
from bitcodec.bitstream.cursor import Cursor
from bitcodec.errors import BitstreamError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["FIRST_TO_REPORT_SKIPS", "LAST_FATAL", "end_of_file", "message_from", "module_size"]

LAST_FATAL = 14
"""The last version that ends the program when it cannot decode an abbreviation."""
FIRST_TO_REPORT_SKIPS = 9
"""The first version that checks the length of blocks that it skips."""
_WIDTH, _WORD = 2, 32
_TOLERATED = 8
"""Bytes at the end that LLVM does not look at."""
_MAX_CHUNK = 32
_FIXED, _VBR, _LAST_ENCODING = 1, 2, 5
_MAGIC_SIZE = 4


class _RefusedError(Exception):
    """LLVM's message."""


def message_from(payload: memoryview, bit_offset: int, version: int) -> str | None:
    """Return the message of a version of LLVM for what begins at a top-level block; None if it finds nothing wrong."""
    try:
        for _ in _blocks(payload, bit_offset, version):
            pass
    except _RefusedError as refused:
        return str(refused)
    except BitstreamError:
        return end_of_file(len(payload), version)
    return None


def end_of_file(size: int, version: int) -> str:
    """Return the message of a version for a stream of some bytes that ends too soon."""
    if version < FIRST_TO_REPORT_SKIPS:
        return "LLVM ERROR: Unexpected end of file"
    return f"Unexpected end of file reading {size} of {size} bytes"


def module_size(payload: memoryview, bit_offset: int) -> int:
    """Return the number of bytes that LLVM takes for the module around a place, with the block that identifies it."""
    first = None
    try:
        for block_id, start, end in _blocks(payload, _MAGIC_SIZE * 8, LAST_FATAL):
            if block_id == BlockId.IDENTIFICATION_BLOCK:
                first = start
            elif start <= bit_offset < end:
                return (end - (start if first is None else first)) // 8
            else:
                first = None
    except (_RefusedError, BitstreamError):
        pass
    return len(payload)


def _blocks(payload: memoryview, bit_offset: int, version: int) -> Iterator[tuple[int, int, int]]:
    """Yield id, first bit and end of the blocks from a place on.

    Raises:
        _RefusedError: LLVM refuses what is there.
        BitstreamError: the stream ends inside a header or a record.
    """
    cursor = Cursor(payload)
    cursor.skip_to(bit_offset)
    while cursor.bit_offset // 8 + _TOLERATED < len(payload):
        start = cursor.bit_offset
        kind = cursor.read_fixed(_WIDTH)
        if kind == AbbreviationId.END_BLOCK:
            raise _RefusedError("Malformed block")
        if kind == AbbreviationId.DEFINE_ABBREV:
            _define(cursor, "LLVM ERROR: " if version <= LAST_FATAL else "")
        elif kind == AbbreviationId.ENTER_SUBBLOCK:
            block_id = cursor.read_vbr(8)
            yield block_id, start, _skip(cursor, len(payload) * 8, version)
        else:
            cursor.read_vbr(6)
            for _ in range(cursor.read_vbr(6)):
                cursor.read_vbr(6)


def _skip(cursor: Cursor, size: int, version: int) -> int:
    """Skip a block from the width of its abbreviation ids on, which LLVM does not look at; return its end."""
    cursor.read_vbr(4)
    cursor.align32()
    words = cursor.read_fixed(_WORD)
    body = cursor.bit_offset
    end = body + words * _WORD
    if end > size:
        reported = version >= FIRST_TO_REPORT_SKIPS
        raise _RefusedError(f"can't skip to bit {end} from {body}" if reported else "Malformed block")
    cursor.skip_to(end)
    return end


def _define(cursor: Cursor, prefix: str) -> None:
    """Read the definition of an abbreviation as LLVM does."""
    count = cursor.read_vbr(5)
    for _ in range(count):
        if cursor.read_fixed(1):
            cursor.read_vbr(8)
            continue
        encoding = cursor.read_fixed(3)
        if not 0 < encoding <= _LAST_ENCODING:
            raise _RefusedError(f"{prefix}Invalid encoding")
        if encoding in {_FIXED, _VBR} and cursor.read_vbr(5) > _MAX_CHUNK:
            raise _RefusedError(f"{prefix}Fixed or VBR abbrev record with size > MaxChunkData")
    if not count:
        raise _RefusedError(f"{prefix}Abbrev record with no operands")
