"""From bytes to columns: the top level of a stream, its BLOCKINFO blocks, and its errors."""

from __future__ import annotations

import sys
from bisect import bisect_left
from typing import TYPE_CHECKING, cast

from bitcodec.bitstream.abbreviations import TOP_LEVEL_WIDTH, AbbreviationId
from bitcodec.bitstream.blockinfo import BlockInfo, BlockInfoEntry, InForce, read_block_info
from bitcodec.bitstream.magic import MAGIC_SIZE
from bitcodec.bitstream.reader import Reader
from bitcodec.errors import BitstreamError
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence

    from bitcodec.bitstream.columns import Columns

__all__ = ["UNLIMITED", "decode", "decode_block", "decode_blocks"]

UNLIMITED = sys.maxsize

_RECORDS_AT_ONCE = 1 << 18
_SMALL = 1 << 12
_LISTED = 1 << 9
"""Bytes for which there is room where nothing but top-level blocks is listed."""
_BLOCK_INFOS = 64
"""Number of BLOCKINFO blocks that are cached: a compiler writes one of a few into all files."""
_FIRST_NUMBER = 1
"""Number of the first abbreviation that a reader adopts; 0 is how records without one are read."""

_SMALLEST_BLOCK = 96
"""Bits of a header and an END_BLOCK: the minimum size of a block."""


def decode(
    data: memoryview,
    *,
    max_depth: int = UNLIMITED,
    skipped: Container[int] = frozenset(),
    progress: Callable[[int], object] | None = None,
    block_info: BlockInfo | None = None,
) -> Columns:
    """Decode the stream in `data`, from its first block to where no further block begins.

    Args:
        data: the bytes, magic number first.
        max_depth: how many levels of blocks to open: 0 lists the top-level blocks by their lengths alone.
        skipped: ids of blocks to pass over by their lengths, at any depth; BLOCKINFO (0) cannot be.
        progress: called now and then with the number of bits done so far.
        block_info: the BLOCKINFO in force until the stream contains one.

    Returns:
        Columns.  A malformed stream does not raise: `Columns.error` describes the error after the decoded part.
    """
    expected_bytes = len(data) if max_depth else min(len(data), _LISTED)
    decoder = _Decoder(data, expected_bytes, max_depth, skipped, progress, block_info)
    return decoder.columns(decoder.read_top_level)


def decode_block(
    data: memoryview,
    start: int,
    *,
    width: int = TOP_LEVEL_WIDTH,
    size: int,
    block_info: BlockInfo | None = None,
    max_depth: int = UNLIMITED,
    skipped: Container[int] = frozenset(),
) -> Columns:
    """Decode one block alone, as `decode` does a stream.

    Args:
        data: the whole stream.
        start: bit offset of the block's ENTER_SUBBLOCK.
        width: width of abbreviation ids around it, in bits.
        size: its size in bytes, roughly.
        block_info: the BLOCKINFO in force there.
        max_depth, skipped: as for `decode`; the block itself is the first level.
    """
    # The records of one block may be half as long as a stream's are in general.
    decoder = _Decoder(data, size + min(size, _SMALL), max_depth, skipped, None, block_info)
    return decoder.columns(lambda: decoder.read_one_block(start, width))


def decode_blocks(
    data: memoryview,
    places: Sequence[tuple[int, int]],
    *,
    size: int,
    block_info: BlockInfo | None = None,
    skipped: Container[int] = frozenset(),
) -> Columns:
    """Decode several blocks together, as `decode_block` does each of them.

    Args:
        data: the whole stream.
        places: the bit offset of each block's ENTER_SUBBLOCK, and the width of abbreviation ids around it, in bits.
        size: the size of all of them in bytes, roughly.
        block_info: the BLOCKINFO in force before the first of them.
        skipped: as for `decode`.
    """
    decoder = _Decoder(data, size + min(size, _SMALL), UNLIMITED, skipped, None, block_info)
    return decoder.columns(lambda: decoder.read_blocks(places))


class _Decoder:
    """Drives a `Reader` and turns its tables into `Columns`."""

    def __init__(
        self,
        data: memoryview,
        expected_bytes: int,
        max_depth: int,
        skipped: Container[int],
        progress: Callable[[int], object] | None,
        block_info: BlockInfo | None = None,
    ) -> None:
        template = _template(block_info or _NOTHING)
        self._data = data
        self._reader = Reader(data, expected_bytes, max_depth, skipped, self._read_block_info, template)
        self._progress = progress
        self._block_infos = [] if block_info is None else [InForce(0, block_info, _FIRST_NUMBER)]
        self._end = 0

    def columns(self, read: Callable[[], None]) -> Columns:
        """Return the columns that `read` decodes, with the error that it ends with."""
        error = None
        try:
            read()
        except BitstreamError as caught:
            error = BitstreamError(caught.reason, caught.bit_offset, self._reader.path)
            self._reader.break_off()
        columns = self._reader.columns(self._block_infos, self._end, error)
        # It refers back to this: what it holds would stay until cycles are collected.
        del self._reader
        return columns

    def read_top_level(self) -> None:
        """Read blocks until the end, or until no block follows; the caller judges the rest."""
        reader = self._reader
        self._end = min(MAGIC_SIZE * 8, reader.size_in_bits)
        reader.skip_to(self._end)
        while reader.size_in_bits - self._end >= _SMALLEST_BLOCK:
            if reader.read_fixed(TOP_LEVEL_WIDTH) != AbbreviationId.ENTER_SUBBLOCK:
                return
            self._read_block(self._end)

    def read_one_block(self, start: int, width: int) -> None:
        """Read the block whose ENTER_SUBBLOCK begins at bit `start`."""
        reader = self._reader
        reader.skip_to(start)
        if reader.read_fixed(width) != AbbreviationId.ENTER_SUBBLOCK:
            raise BitstreamError(Reason.NO_BLOCK_HERE(), start)
        self._read_block(start)

    def read_blocks(self, places: Sequence[tuple[int, int]]) -> None:
        """Read blocks, given bit offset and width of abbreviation ids of each."""
        for start, width in places:
            self.read_one_block(start, width)

    def _read_block(self, start: int) -> None:
        reader = self._reader
        reader.enter(start)
        while not reader.run(reader.record_total + _RECORDS_AT_ONCE):
            if self._progress is not None:
                self._progress(reader.bit_offset)
        self._end = reader.bit_offset

    def _read_block_info(self, row: int) -> None:
        reader = self._reader
        width, start = reader.inside(row)
        key = width, bytes(self._data[start : reader.bit_offset // 8])
        info = _known_block_infos.get(key)
        if info is None:
            columns = reader.columns((), 0, None)
            entries = [*_records(columns, row), *_definitions(columns, row)]
            info = read_block_info(sorted(entries, key=lambda entry: entry.start))
            if len(_known_block_infos) >= _BLOCK_INFOS:
                _known_block_infos.clear()
            if len(key[1]) <= _SMALL:
                _known_block_infos[key] = info
        self._block_infos.append(InForce(reader.block_total, info, reader.adopt(info.abbreviations, _template(info))))


_known_block_infos: dict[tuple[int, bytes], BlockInfo] = {}
"""Content of BLOCKINFO blocks, by abbreviation width and bytes: they take longer to read than most other blocks."""


_NOTHING = BlockInfo()
"""In force where no other is."""


def _template(info: BlockInfo) -> Reader:
    """Return the initial reader where a BLOCKINFO applies; the blocks of a stream are decoded one by one."""
    if info.template is None:
        reader = Reader(b"", 0, 0, (), None)
        reader.adopt(info.abbreviations)
        template = reader.template()
        object.__setattr__(info, "template", template)  # what it says is the same with it
        return template
    return cast("Reader", info.template)


def _records(columns: Columns, row: int) -> Iterator[BlockInfoEntry]:
    """Yield the records of the block `row`, the last one read."""
    records = columns.records
    for record in range(columns.blocks.first_record[row], len(records)):
        if records.block[record] == row:
            operands = columns.operands[records.first_operand[record] : records.first_operand[record + 1]]
            yield BlockInfoEntry(records.start[record], code=records.code[record], operands=operands)


def _definitions(columns: Columns, row: int) -> Iterator[BlockInfoEntry]:
    """Yield the definitions of the block `row`, the last one read."""
    definitions = columns.definitions
    for definition in range(bisect_left(definitions.start, columns.blocks.start[row]), len(definitions)):
        if definitions.block[definition] == row:
            abbreviation = columns.abbreviations[definitions.number[definition]]
            yield BlockInfoEntry(definitions.start[definition], abbreviation)
