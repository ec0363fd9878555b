# cython: language_level=3, annotation_typing=False, boundscheck=False, wraparound=False, initializedcheck=False
# compiled: with loops
# ruff: noqa: ANN001, ANN201, ANN202, SLF001
"""The loop that decodes blocks and records into columns.

It knows the four abbreviation ids of every stream and the abbreviations in force.  The content of a BLOCKINFO
block, the end of the top level, and errors are handled in `decoding`.
Rules: LLVM Bitcode File Format, "Abbreviation IDs", "Blocks" and "Data Records".
"""

from __future__ import annotations

from array import array

from bitcodec.bitstream.abbreviations import (
    FIRST_ABBREVIATION_ID,
    MAX_WIDTH,
    AbbreviationId,
    Encoding,
    abbreviation_from_rows,
)
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID
from bitcodec.bitstream.columns import (
    AbbreviationColumns,
    BlobColumns,
    BlockColumns,
    Columns,
    DefinitionColumns,
    RecordColumns,
    enlarged,
    filled,
    several_zeros,
    table_columns,
    trimmed,
    zeros,
)
from bitcodec.bitstream.cursor import RecordCursor
from bitcodec.errors import BitstreamError
from bitcodec.host import native
from bitcodec.reasons import Reason

COMPILED = bool(native.COMPILED)

_DEFINE_ABBREV = AbbreviationId.DEFINE_ABBREV
_ENTER_SUBBLOCK = AbbreviationId.ENTER_SUBBLOCK
_UNABBREV_RECORD = AbbreviationId.UNABBREV_RECORD
_FIRST_ID = FIRST_ABBREVIATION_ID
_BLOCKINFO = BLOCKINFO_BLOCK_ID
_LITERAL = Encoding.LITERAL
_FIXED = Encoding.FIXED
_VBR = Encoding.VBR
_ARRAY = Encoding.ARRAY
_BLOB = Encoding.BLOB
_CHAR6 = Encoding.CHAR6
_MAX_WIDTH = MAX_WIDTH
_MAX_UINT32 = 0xFFFF_FFFF

# Cells of a row of `BlockColumns`, in that order
_ID = 0
_WIDTH = 1
_PARENT = 2
_START = 3
_ENTRY = 4
_BODY = 5
_END = 6
_WORDS = 7
_FIRST_RECORD = 8
_LAST_RECORD = 9
_LAST_BLOCK = 10
_BLOCK_COLUMNS = 11
_DEFINITION_COLUMNS = 4
_SCOPE_COLUMNS = 5

_BYTES_OF_A_BLOCK = 256
_FIRST_BLOCKS = 1024

_NO_CELLS = zeros("q", 1)[:0]


class Reader(RecordCursor):
    """Decodes blocks into growing columns; the columns of records are longer than `record_count` gives.

    Args:
        data: the stream, its magic number first.
        expected_bytes: how much of it will be decoded, roughly; the columns start with room for that much.
        max_depth: how many levels of blocks are opened; deeper ones are passed over.
        skipped: ids of blocks that are skipped at any depth.
        read_block_info: called with the row of a BLOCKINFO block when it ends; must `adopt` its content.
        like: a `template`, whose abbreviations are in force from the start; None without any.
    """

    def __init__(self, data, expected_bytes, max_depth, skipped, read_block_info, like=None) -> None:
        RecordCursor.__init__(self, data, expected_bytes, like)
        self._blocks = zeros("q", min(8 + expected_bytes // _BYTES_OF_A_BLOCK, _FIRST_BLOCKS) * _BLOCK_COLUMNS)
        self._definitions = _NO_CELLS
        self._block_count = self._definition_count = 0
        self.blob_record, self.blob_first, self.blob_bytes = array("Q"), array("Q"), array("Q")
        room = 16 + expected_bytes // 8
        self.record_block, self.record_code, self.record_abbreviation = several_zeros("I", 3, room)
        self.record_start, self.record_end, self.record_operand = several_zeros("Q", 3, room)
        self.record_count = 0
        self.block = -1
        self.depth = 0
        self.width = 2
        self._own = _NO_CELLS
        self._shared_first = self._shared_count = self._own_first = self._own_count = 0
        if like is None:
            self._shared = _NO_CELLS
            self._shared_of = {}
            self._shared_total = 0
            self._begin_abbreviations()
        else:
            self._adopt_like(like)
        self._outer = zeros("q", 8 * _SCOPE_COLUMNS)
        self._max_depth = max_depth
        self._skipped = skipped
        self._read_block_info = read_block_info

    def _begin_abbreviations(self):
        """Add the one by which records without an abbreviation are read."""
        self.append_operand(_VBR, 6)
        self.append_operand(_ARRAY, 0)
        self.append_operand(_VBR, 6)
        self.end_abbreviation()

    def _adopt_like(self, like):
        template = like
        self._shared = template._shared
        self._shared_of = template._shared_of
        self._shared_total = template._shared_total

    @property
    def record_total(self):
        """How many records have been read."""
        return self.record_count

    @property
    def block_total(self):
        """How many blocks have begun."""
        return self._block_count

    def inside(self, row):
        """Return width of abbreviation ids, in bits, and the first byte of the content of block `row`."""
        return self._blocks[row * _BLOCK_COLUMNS + _WIDTH], self._blocks[row * _BLOCK_COLUMNS + _BODY] // 8

    @property
    def path(self):
        """Ids of the open blocks, outermost first."""
        return tuple(self._blocks[row * _BLOCK_COLUMNS + _ID] for row in self._open_rows())

    def columns(self, block_infos, end, error):
        """Return the records read so far, as `Columns`."""
        count = self.record_count
        definitions = table_columns(self._definitions, _DEFINITION_COLUMNS, self._definition_count)
        blobs = [self.blob_record, self.blob_first, self.blob_bytes]
        return Columns(
            blocks=BlockColumns(*table_columns(self._blocks, _BLOCK_COLUMNS, self._block_count)),
            records=RecordColumns(
                filled(self.record_block, count),
                filled(self.record_code, count),
                filled(self.record_abbreviation, count),
                filled(self.record_start, count),
                filled(self.record_end, count),
                filled(self.record_operand, count + 1),
            ),
            blobs=BlobColumns(*[filled(table, len(table)) for table in blobs]),
            definitions=DefinitionColumns(*definitions),
            abbreviations=AbbreviationColumns(
                filled(self.abbreviation_first, self.abbreviation_count + 1),
                filled(self._encodings, self.abbreviation_operands),
                filled(self._values, self.abbreviation_operands),
            ),
            operands=filled(self._operands, self.record_operand[count]),
            block_infos=tuple(block_infos),
            end=end,
            error=error,
        )

    def break_off(self):
        """End the open blocks after the last record read; nothing can be read afterwards."""
        for row in self._open_rows():
            self._blocks[row * _BLOCK_COLUMNS + _LAST_RECORD] = self.record_count
            self._blocks[row * _BLOCK_COLUMNS + _LAST_BLOCK] = self._block_count

    def run(self, record_limit):
        """Decode until every open block has ended and return True, or return False at `record_limit`.

        Raises:
            BitstreamError: the bits form no such stream.
        """
        start = 0
        abbreviation = 0
        while self.depth:
            if self.record_count >= record_limit:
                return False
            start = self.bit_offset
            if start >= self.size_in_bits:
                raise BitstreamError(Reason.CUT_BLOCK(), start)
            abbreviation = self.fixed(self.width)
            if abbreviation >= _FIRST_ID:
                self._read_by(start, abbreviation)
            elif abbreviation == _UNABBREV_RECORD:
                self.read_record(0, 3)
                self._append_record(start, abbreviation)
            elif abbreviation == _DEFINE_ABBREV:
                self._define(start)
            elif abbreviation == _ENTER_SUBBLOCK:
                self.enter(start)
            else:
                self._leave(start)
        return True

    def enter(self, start):
        """Read the header of the block whose ENTER_SUBBLOCK began at bit `start`; pass the block over if so asked.

        Raises:
            BitstreamError: the header is malformed, or a block to pass over reaches past the end.
        """
        block_id = self.vbr(8)
        entry = self.bit_offset
        width = self.vbr(4)
        self.bit_offset = (self.bit_offset + 31) & ~31
        words = self.fixed(32)
        self.check(start)
        if block_id > _MAX_UINT32:
            raise BitstreamError(Reason.WIDE_BLOCK_ID(block=block_id), start)
        if not 1 <= width <= _MAX_WIDTH:
            raise BitstreamError(Reason.WRONG_WIDTH(block=block_id, width=width, maximum=_MAX_WIDTH), start)
        row = self._block_count
        cell = row * _BLOCK_COLUMNS
        if cell == len(self._blocks):
            self._blocks = enlarged(self._blocks, cell, 2 * cell)
        self._blocks[cell + _ID] = block_id
        self._blocks[cell + _WIDTH] = width
        self._blocks[cell + _PARENT] = self.block
        self._blocks[cell + _START] = start
        self._blocks[cell + _ENTRY] = entry
        self._blocks[cell + _BODY] = self.bit_offset
        self._blocks[cell + _END] = 0
        self._blocks[cell + _WORDS] = words
        self._blocks[cell + _FIRST_RECORD] = self.record_count
        self._blocks[cell + _LAST_RECORD] = self.record_count
        self._blocks[cell + _LAST_BLOCK] = row + 1
        self._block_count += 1
        # BLOCKINFO is never passed over: later blocks cannot be read without it.
        if block_id != _BLOCKINFO and (self.depth >= self._max_depth or (self._skipped and block_id in self._skipped)):
            self._pass_over(cell, words)
        else:
            self._open(row, block_id, width)

    def adopt(self, abbreviations, like=None):
        """Set the initial abbreviations of blocks entered later, by block id.

        Without others so far, the tables of `like`, a `template` that has adopted the same, are shared.

        Returns:
            The number of the first one; the others follow in the mapping's order.
        """
        first_number = self.abbreviation_count
        if like is not None and first_number == 1:
            self._share(like)
            self._adopt_like(like)
            return first_number
        # Blocks that are open keep what they began with, so the table only grows.
        count = self._shared_total
        needed = count + sum(map(len, abbreviations.values()))
        if needed > len(self._shared):
            self._shared = enlarged(self._shared, count, needed)
        self._shared_total = needed
        self._shared_of = {}
        for block_id, shared in abbreviations.items():
            self._shared_of[block_id] = (count, len(shared))
            for abbreviation in shared:
                for operand in abbreviation.operands:
                    self.append_operand(operand.encoding, operand.value)
                self._shared[count] = self.end_abbreviation()
                count += 1
        return first_number

    def template(self):
        """Return itself, to be started like; nothing can be read by it afterwards."""
        self.finish_abbreviations()
        self._shared = trimmed(self._shared, self._shared_total)
        return self

    def _open_rows(self):
        """Rows of the open blocks, outermost first."""
        outer = [self._outer[level * _SCOPE_COLUMNS] for level in range(1, self.depth)]
        return [*outer, self.block] if self.depth else []

    def _pass_over(self, cell, words):
        if words > (self.size_in_bits - self.bit_offset) >> 5:
            reason = Reason.LONG_BLOCK(block=self._blocks[cell + _ID], words=words)
            raise BitstreamError(reason, self._blocks[cell + _START])
        self.bit_offset += words * 32
        self._blocks[cell + _END] = self.bit_offset

    def _open(self, row, block_id, width):
        cell = self.depth * _SCOPE_COLUMNS
        if cell == len(self._outer):
            self._outer = enlarged(self._outer, cell, 2 * cell)
        self._outer[cell] = self.block
        self._outer[cell + 1] = self.width
        self._outer[cell + 2] = self._shared_first
        self._outer[cell + 3] = self._shared_count
        self._outer[cell + 4] = self._own_first
        self.block = row
        self.depth += 1
        self.width = width
        self._own_first += self._own_count
        self._own_count = 0
        self._shared_first, self._shared_count = self._shared_of.get(block_id, (0, 0))

    def _leave(self, start):
        row = self.block
        cell = row * _BLOCK_COLUMNS
        self.bit_offset = (self.bit_offset + 31) & ~31
        self.check(start)
        self._blocks[cell + _END] = self.bit_offset
        self._blocks[cell + _LAST_RECORD] = self.record_count
        self._blocks[cell + _LAST_BLOCK] = self._block_count
        if self._blocks[cell + _ID] == _BLOCKINFO:
            self._read_block_info(row)
        own_first = self._own_first
        self.depth -= 1
        cell = self.depth * _SCOPE_COLUMNS
        self.block = self._outer[cell]
        self.width = self._outer[cell + 1]
        self._shared_first = self._outer[cell + 2]
        self._shared_count = self._outer[cell + 3]
        self._own_first = self._outer[cell + 4]
        self._own_count = own_first - self._own_first

    def _define(self, start):
        """Read the abbreviation whose DEFINE_ABBREV began at bit `start`."""
        count = self.vbr(5)
        remaining = max(self.size_in_bits - self.bit_offset, 0)
        if not count:
            raise BitstreamError(Reason.EMPTY_ABBREVIATION(), start)
        if count > remaining:
            raise BitstreamError(Reason.LARGE_ABBREVIATION(count=count), start)
        while count:
            self._define_operand(start)
            count -= 1
        self.check(start)
        number = self.end_abbreviation()
        cell = self._definition_count * _DEFINITION_COLUMNS
        if cell == len(self._definitions):
            # Half as much again is added to what is requested: whole rows.
            self._definitions = enlarged(self._definitions, cell, 2 * (cell + _DEFINITION_COLUMNS))
        self._definitions[cell] = self.block
        self._definitions[cell + 1] = start
        self._definitions[cell + 2] = self.bit_offset
        self._definitions[cell + 3] = number
        self._definition_count += 1
        if self._blocks[self.block * _BLOCK_COLUMNS + _ID] == _BLOCKINFO:
            return
        last = self._own_first + self._own_count
        if last == len(self._own):
            self._own = enlarged(self._own, last, last + 8)
        self._own[last] = number
        self._own_count += 1

    def _define_operand(self, start):
        if self.fixed(1):
            return self.append_operand(_LITERAL, self.vbr(8))
        encoding = self.fixed(3)
        value = self.vbr(5) if encoding in (_FIXED, _VBR) else 0
        self.check(start)
        if not _FIXED <= encoding <= _BLOB:
            raise BitstreamError(Reason.UNKNOWN_ENCODING(encoding=encoding), start)
        if value > _MAX_WIDTH:
            raise BitstreamError(Reason.WIDE_FIELD(width=value, maximum=_MAX_WIDTH), start)
        return self.append_operand(encoding, value)

    def _read_by(self, start, abbreviation):
        """Read a record by one of the stream's own abbreviations."""
        index = abbreviation - _FIRST_ID
        shared = self._shared_count
        own = self._own_count
        number = 0
        if index < shared:
            number = self._shared[self._shared_first + index]
        elif index - shared < own:
            number = self._own[self._own_first + (index - shared)]
        else:
            self.check(start)
            raise BitstreamError(_undefined(abbreviation, shared + own), start)
        if not self.abbreviation_sound[number]:
            self._check_abbreviation(start, number)
        self.read_record(self.abbreviation_first[number], self.abbreviation_first[number + 1])
        return self._append_record(start, abbreviation)

    def _check_abbreviation(self, start, number):
        """Refuse an abbreviation that no record can be read by; asked at its first use, as streams may define such."""
        first, last = self.abbreviation_first[number], self.abbreviation_first[number + 1]
        if not self._is_usual(first, last):
            flaw = abbreviation_from_rows(memoryview(self._encodings), memoryview(self._values), first, last).flaw
            if flaw:
                raise BitstreamError(Reason.UNUSABLE_ABBREVIATION(flaw=flaw), start)
        self.abbreviation_sound[number] = 1

    def _is_usual(self, row, last):
        """Return whether only scalars precede an optional blob or array; other abbreviations are checked in detail."""
        first = row
        while row < last and self._encodings[row] != _ARRAY and self._encodings[row] != _BLOB:
            row += 1
        if row == last or (row == last - 1 and self._encodings[row] == _BLOB):
            return row == last or row > first
        has_bits = self._encodings[last - 1] == _CHAR6 or self._values[last - 1] > 0
        return first < row == last - 2 and _LITERAL < self._encodings[last - 1] != _ARRAY and has_bits

    def _append_record(self, start, abbreviation):
        """Add the record just read to the columns."""
        if self.bit_offset > self.size_in_bits or self._overlong >= 0:
            self.check(start)
        if self.code > _MAX_UINT32:
            raise BitstreamError(Reason.WIDE_CODE(code=self.code), start)
        row = self.record_count
        if row + 1 == len(self.record_operand):
            self._more_records(row + 1)
        if self.blob_start >= 0:
            self.blob_record.append(row)
            self.blob_first.append(self.blob_start)
            self.blob_bytes.append(self.blob_size)
            self.blob_start = -1
        self.record_block[row] = self.block
        self.record_code[row] = self.code
        self.record_abbreviation[row] = abbreviation
        self.record_start[row] = start
        self.record_end[row] = self.bit_offset
        self.record_operand[row + 1] = self.operand_count
        self.record_count += 1
        return 0

    def _more_records(self, used):
        self.record_block = enlarged(self.record_block, used, used + 1)
        self.record_code = enlarged(self.record_code, used, used + 1)
        self.record_abbreviation = enlarged(self.record_abbreviation, used, used + 1)
        self.record_start = enlarged(self.record_start, used, used + 1)
        self.record_end = enlarged(self.record_end, used, used + 1)
        self.record_operand = enlarged(self.record_operand, used, used + 1)


def _undefined(abbreviation, count):
    none, some = Reason.NO_ABBREVIATIONS, Reason.UNDEFINED_ABBREVIATION
    return some(abbreviation=abbreviation, last=count + 3) if count else none(abbreviation=abbreviation)
