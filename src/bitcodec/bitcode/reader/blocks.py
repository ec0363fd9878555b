"""Blocks as the reader takes them: decoded on first access, their records by row, their errors with their place."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections import defaultdict
from operator import attrgetter
from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.schema.blocks import RECORD_CODES, BlockId
from bitcodec.bitstream.abbreviations import TOP_LEVEL_WIDTH, AbbreviationId
from bitcodec.bitstream.decoding import UNLIMITED, decode_block
from bitcodec.bitstream.scopes import Scopes
from bitcodec.errors import BitcodeError, BitstreamError
from bitcodec.named_tuple import NamedTuple
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from bitcodec.bitstream.abbreviations import Abbreviation
    from bitcodec.bitstream.blockinfo import BlockInfo
    from bitcodec.bitstream.columns import Columns
    from bitcodec.sentences import Sentence

__all__ = ["BlockPlace", "Records", "decoded_records"]


_SHALLOW, _SHALLOW_SHIFT = 1 << 11, 6
"""Bytes of a block's own records, roughly, and their share of a large block, as a power of two.

Inner blocks that are passed over take no room.
"""

_FROM_ROW = attrgetter("from_row")
_CODE_SIZE = 4
"""Bytes of a code in its column."""
_LOW_BYTE = 0 if sys.byteorder == "little" else _CODE_SIZE - 1
_HIGH_BYTES = [place for place in range(_CODE_SIZE) if place != _LOW_BYTE]


class BlockPlace(NamedTuple):
    """Position of a block, and the state for decoding it.

    Attributes:
        data: the whole stream.
        id: block id.
        start: bit offset of its ENTER_SUBBLOCK.
        width: width of abbreviation ids around it, in bits.
        size: its size in bytes, as the stream states it.
        block_info: the BLOCKINFO in force there.
        path: ids of the blocks around it, outermost first.
    """

    data: memoryview
    id: int
    start: int
    width: int
    size: int
    block_info: BlockInfo | None
    path: tuple[int, ...]

    def decode(self, max_depth: int = UNLIMITED, skipped: Container[int] = frozenset()) -> Records:
        """Return its records.

        Args:
            max_depth: how many levels of blocks to open, itself included.
            skipped: ids of inner blocks to pass over.

        Raises:
            BitstreamError: it is malformed.
        """
        columns = decode_block(
            self.data,
            self.start,
            width=self.width,
            size=min(self.size, _SHALLOW + (self.size >> _SHALLOW_SHIFT)) if max_depth == 1 else self.size,
            block_info=self.block_info,
            max_depth=max_depth,
            skipped=skipped,
        )
        if columns.error is not None:
            error = columns.error
            raise BitstreamError(error.reason, error.bit_offset, self.path + error.block_path)
        self._check_length(columns)
        return Records(self.data, columns, 0, self.path, self.block_info)

    def _check_length(self, columns: Columns) -> None:
        """Check that the content ends at the block's stated length, by which it was skipped before.

        LLVM continues after the END_BLOCK, so that it would read another block there. Function bodies and
        modules are skipped by their lengths in LLVM too.

        Raises:
            BitstreamError: it ends elsewhere.
        """
        blocks = columns.blocks
        end = _stated_end(columns, 0)
        if blocks.end[0] != end and self.id not in (BlockId.FUNCTION_BLOCK, BlockId.MODULE_BLOCK):
            reason = Reason.WRONG_LENGTH(end=blocks.end[0], stated=end)
            raise BitstreamError(reason, self.start, (*self.path, self.id))


class Records:
    """The records and inner blocks of one decoded block.  Rows count all records that were decoded with it.

    Attributes:
        data: the whole stream.
        columns: the decoded columns.
        row: its row among the blocks.
        current: the row of the record that iteration is at, -1 before the first.
    """

    __slots__ = ("_block_info", "_outer_path", "_ranges", "columns", "current", "data", "row")

    def __init__(
        self,
        data: memoryview,
        columns: Columns,
        row: int,
        outer_path: tuple[int, ...],
        block_info: BlockInfo | None = None,
    ) -> None:
        self.data = data
        self.columns = columns
        self.row = row
        self._outer_path = outer_path
        self._block_info = block_info
        self._ranges: tuple[range, ...] | None = None
        self.current = -1

    @property
    def id(self) -> int:
        """Block id."""
        return int(self.columns.blocks.id[self.row])

    @property
    def ends_as_stated(self) -> bool:
        """Whether its content ends at its stated length."""
        return bool(self.columns.blocks.end[self.row] == _stated_end(self.columns, self.row))

    @property
    def first_row(self) -> int:
        """The row of the first record that was decoded inside it."""
        return int(self.columns.blocks.first_record[self.row])

    @property
    def row_count(self) -> int:
        """The number of decoded records inside it, including inner blocks."""
        return int(self.columns.blocks.last_record[self.row]) - self.first_row

    def __iter__(self) -> Iterator[tuple[int, int, list[int]]]:
        """Yield row, code and operands of each of its direct records."""
        for rows in self.ranges():
            operands, bounds = self.operands_and_bounds(rows)
            for row, code, first, end in zip(rows, self.codes(rows), bounds, bounds[1:], strict=False):
                self.current = row
                yield row, code, operands[first:end]

    def ranges(self) -> tuple[range, ...]:
        """Return the rows of its direct records, as ranges of consecutive rows."""
        found = self._ranges
        if found is None:
            blocks = self.columns.blocks
            starts, ends = blocks.first_record, blocks.last_record
            first, last = starts[self.row], ends[self.row]
            spans: list[range] = []
            for inner in self.columns.blocks.inner_rows(self.row):
                if first < starts[inner]:
                    spans.append(range(first, starts[inner]))
                first = ends[inner]
            if first < last:
                spans.append(range(first, last))
            found = self._ranges = tuple(spans)
        return found

    def rows_of(self, code: int) -> Iterator[int]:
        """Yield the rows of its direct records of a code, in order."""
        for rows in self.ranges():
            codes = self.code_bytes(rows)
            index = codes.find(code)
            while index >= 0:
                yield rows[index]
                index = codes.find(code, index + 1)

    def spans(self) -> Iterator[range | Records]:
        """Yield its content in stream order: rows of records that follow one another, and inner blocks."""
        blocks = self.columns.blocks
        first = blocks.first_record[self.row]
        for inner in self.columns.blocks.inner_rows(self.row):
            if first < blocks.first_record[inner]:
                yield range(first, blocks.first_record[inner])
            yield self.inner(inner)
            first = blocks.last_record[inner]
        if first < blocks.last_record[self.row]:
            yield range(first, blocks.last_record[self.row])

    def blocks(self) -> list[Records]:
        """Return the inner blocks, in order."""
        return [self.inner(row) for row in self.columns.blocks.inner_rows(self.row)]

    def place(self) -> BlockPlace:
        """Return its position, with the BLOCKINFO that applies there."""
        return self.places([self.row])[0]

    def places(self, rows: Iterable[int]) -> list[BlockPlace]:
        """Return the positions of blocks that were decoded with it."""
        blocks, infos, data = self.columns.blocks, self.columns.block_infos, self.data
        ids, starts, parents, words = blocks.id, blocks.start, blocks.parent, blocks.size_in_words
        found: list[BlockPlace] = []
        around, width, path = -2, 0, self._outer_path
        for row in rows:
            if parents[row] != around:
                around = parents[row]
                width = blocks.abbreviation_width[around] if around >= 0 else TOP_LEVEL_WIDTH
                path = self._path(around)
            known = bisect_right(infos, row, key=_FROM_ROW) if infos else 0
            info = infos[known - 1].info if known else self._block_info
            found.append(BlockPlace(data, ids[row], starts[row], width, words[row] * 4, info, path))
        return found

    def codes(self, rows: range) -> list[int]:
        """Return the codes of records."""
        return self.columns.records.code[rows.start : rows.stop].tolist()

    def code_bytes(self, rows: range) -> bytes:
        """Return the codes of records, a byte for each; 255 for larger ones, which no record of LLVM IR has."""
        data = self.columns.records.code[rows.start : rows.stop].tobytes()
        if any(data[place::_CODE_SIZE].strip(b"\0") for place in _HIGH_BYTES):
            return bytes(min(code, 255) for code in self.codes(rows))
        return data[_LOW_BYTE::_CODE_SIZE]

    def operands_and_bounds(self, rows: range) -> tuple[list[int], list[int]]:
        """Return the operands of consecutive records, and the start of each record's operands; last, their end.

        Operands of earlier records may precede them: with few of them that is faster than to shift all bounds.
        """
        bounds = self.columns.records.first_operand[rows.start : rows.stop + 1].tolist()
        first, last = bounds[0], bounds[-1]
        if first <= last - first:
            return self.columns.operands[:last].tolist(), bounds
        return self.columns.operands[first:last].tolist(), [bound - first for bound in bounds]

    def operands(self, row: int) -> list[int]:
        """Return the operands of one record."""
        return self.columns.operands_of(row).tolist()

    def blob(self, row: int) -> memoryview | None:
        """Return the bytes of a record's blob, None without a blob."""
        found = self.columns.blobs.of_record(row)
        return None if found is None else self.data[found[0] : found[0] + found[1]]

    def abbreviation(self, row: int) -> Abbreviation | None:
        """Return the abbreviation of a record, None if it is unabbreviated."""
        columns = self.columns
        abbreviation_id = int(columns.records.abbreviation[row])
        if abbreviation_id == AbbreviationId.UNABBREV_RECORD:
            return None
        return columns.abbreviations[Scopes(columns).number(columns.records.block[row], abbreviation_id)]

    def error(self, row: int, reason: Sentence) -> BitcodeError:
        """Return the error for a refused record (or for the block: -1), with reason and position."""
        records = self.columns.records
        if row < 0:
            return BitcodeError(reason, int(self.columns.blocks.start[self.row]), self._path(self.row))
        path = self._path(records.block[row])
        return BitcodeError(reason.about(_record_name(path[-1], records.code[row])), self.start_of(row), path)

    def start_of(self, row: int) -> int:
        """Return the bit offset at which a record begins."""
        return int(self.columns.records.start[row])

    def placed(self, row: int | None = None) -> _Placed:
        """Return a context that adds the place of a record to errors: of a row, or of the current record."""
        return _Placed(self, row)

    def inner(self, row: int) -> Records:
        """Return the inner block of a row."""
        return Records(self.data, self.columns, row, self._outer_path, self._block_info)

    def _path(self, row: int) -> tuple[int, ...]:
        return self._outer_path + self.columns.blocks.path(row)

    def inner_rows(self) -> dict[int, list[int]]:
        """Return the rows of the inner blocks by id, in order."""
        rows: defaultdict[int, list[int]] = defaultdict(list)
        blocks, first = self.columns.blocks, self.row + 1
        last = blocks.last_block[self.row]
        inside = zip(blocks.id[first:last].tolist(), blocks.parent[first:last].tolist(), strict=True)
        for row, (id_, parent) in enumerate(inside, first):
            if parent == self.row:
                rows[id_].append(row)
        return dict(rows)


class _Placed:
    """The context of `Records.placed`: a class, for it is entered for every few records."""

    __slots__ = ("_records", "_row")

    def __init__(self, records: Records, row: int | None) -> None:
        self._records = records
        self._row = row

    def __enter__(self) -> None:
        pass

    def __exit__(self, _type: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Malformed):
            row = self._records.current if self._row is None else self._row
            raise self._records.error(row, error.reason) from None


def _stated_end(columns: Columns, row: int) -> int:
    """Return the bit offset at which a block ends by its length."""
    return int(columns.blocks.body[row] + columns.blocks.size_in_words[row] * 32)


def _record_name(block_id: int, code: int) -> str:
    try:
        return RECORD_CODES[BlockId(block_id)](code).name
    except (KeyError, ValueError):
        return f"code {code}"


def decoded_records(block: BlockPlace | Records) -> Records:
    """Return the records of a block, decoded now if they have not been."""
    return block.decode() if isinstance(block, BlockPlace) else block
