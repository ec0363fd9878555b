"""Writes a stream block by block and record by record.

Rules: LLVM Bitcode File Format, "Blocks", "Data Records" and "Abbreviations".
"""

from __future__ import annotations

from array import array
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bitcodec.bitstream.abbreviations import (
    FIRST_ABBREVIATION_ID,
    MAX_WIDTH,
    TOP_LEVEL_WIDTH,
    Abbreviation,
    AbbreviationId,
)
from bitcodec.bitstream.bitwriter import BitWriter
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID, BlockInfoCode
from bitcodec.errors import EncodingError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bitcodec.bitstream.rows import Rows

__all__ = ["BlockHeader", "Layouts", "Writer"]

_MAX_BLOCK_ID = 0xFFFF_FFFF
_MAX_CODE = 0xFFFF_FFFF
_MAX_LITERAL = 0xFFFF_FFFF_FFFF_FFFF
_WORD = 32
_MAX_WORD = (1 << _WORD) - 1
_OUTSIDE = "no block has been entered; records and abbreviations must be in a block"


class BlockHeader:
    """A block being written.

    Attributes:
        block_id: its id.
        width: width of abbreviation ids inside, in bits.
        body: the start of its body, in bits.
        shared, own: the abbreviations it has from BLOCKINFO and those it defines; ids go to the former first.
    """

    __slots__ = ("block_id", "body", "own", "shared", "width")

    def __init__(self, block_id: int, width: int, body: int, shared: Sequence[Abbreviation] = ()) -> None:
        self.block_id = block_id
        self.width = width
        self.body = body
        self.shared = shared
        self.own: list[Abbreviation] = []

    def abbreviation(self, abbreviation_id: int) -> Abbreviation | None:
        """Return the abbreviation of an id, None if it is not defined."""
        index = abbreviation_id - FIRST_ABBREVIATION_ID
        if 0 <= index < len(self.shared):
            return self.shared[index]
        index -= len(self.shared)
        return self.own[index] if 0 <= index < len(self.own) else None

    def find(self, abbreviation: Abbreviation) -> int | None:
        """Return the id of an equal abbreviation, None without one."""
        if abbreviation in self.shared:
            return FIRST_ABBREVIATION_ID + self.shared.index(abbreviation)
        if abbreviation in self.own:
            return FIRST_ABBREVIATION_ID + len(self.shared) + self.own.index(abbreviation)
        return None

    def add(self, abbreviation: Abbreviation) -> int:
        """Add an abbreviation that the block defines, and return its id."""
        self.own.append(abbreviation)
        return FIRST_ABBREVIATION_ID + len(self.shared) + len(self.own) - 1


def _checked_layout(abbreviation: Abbreviation) -> tuple[bytes, array[int]]:
    """Return the encodings and the values of an abbreviation's operands.

    Raises:
        EncodingError: a field of it is too wide.
    """
    if any(operand.encoding.has_width and operand.value > MAX_WIDTH for operand in abbreviation.operands):
        raise EncodingError(f"the abbreviation {abbreviation} has a field of more than {MAX_WIDTH} bits")
    if any(not 0 <= operand.value <= _MAX_LITERAL for operand in abbreviation.operands):
        raise EncodingError(f"the abbreviation {abbreviation} has a value that is not in 0..2**64-1")
    return _layout(abbreviation)


def _layout(abbreviation: Abbreviation) -> tuple[bytes, array[int]]:
    """Return the encodings and the values of an abbreviation's operands."""
    operands = abbreviation.operands
    return bytes(operand.encoding for operand in operands), array("Q", [operand.value for operand in operands])


class Layouts(NamedTuple):
    """Abbreviations in the form for writing records: the abbreviations of a block, from id 4 on.

    Attributes:
        encodings, values: of all operands, one abbreviation after the other.
        bounds: the start of each one's operands, and the end of the last one's.
    """

    encodings: bytearray
    values: array[int]
    bounds: array[int]

    @classmethod
    def of(cls, abbreviations: Iterable[Abbreviation]) -> Layouts:
        """Return the layouts of abbreviations."""
        layouts = cls(bytearray(), array("Q"), array("Q", [0]))
        for abbreviation in abbreviations:
            more, widths = _layout(abbreviation)
            layouts.encodings.extend(more)
            layouts.values.extend(widths)
            layouts.bounds.append(len(layouts.values))
        return layouts


class Writer:
    r"""Builds a stream in memory.

    Attributes:
        shared: block id -> the initial abbreviations of such blocks, from BLOCKINFO.

    Example:
        >>> writer = Writer(b"BC\\xc0\\xde")
        >>> with writer.block(8, width=3):
        ...     writer.record(1, [2])
        >>> len(writer.getvalue())
        20
    """

    def __init__(self, magic: bytes = b"BC\xc0\xde") -> None:
        self._bits = BitWriter()
        self._bits.write_bytes(magic)
        self._open: list[BlockHeader] = []
        self._known_layouts: dict[tuple[int, ...], tuple[Sequence[Abbreviation], Sequence[Abbreviation], Layouts]] = {}
        self._known_definitions: dict[int, tuple[Abbreviation, bytes, array[int]]] = {}
        self.shared: dict[int, list[Abbreviation]] = {}
        self._described: dict[int, list[Abbreviation]] = {}
        self._described_id: int | None = None

    @property
    def bit_offset(self) -> int:
        """Position of the next item, in bits from the start of the magic number."""
        return self._bits.bit_offset

    @property
    def width(self) -> int:
        """Width of abbreviation ids here, in bits."""
        return self._open[-1].width if self._open else TOP_LEVEL_WIDTH

    @property
    def abbreviations(self) -> list[Abbreviation]:
        """The abbreviations in force here; the first has the id 4."""
        return [*self._open[-1].shared, *self._open[-1].own] if self._open else []

    @contextmanager
    def block(self, block_id: int, *, width: int = 3) -> Iterator[None]:
        """Write a block around the items written in the `with` statement.

        Args:
            block_id: 0..2**32-1.
            width: width of abbreviation ids inside, 2..32 bits.
        """
        self.enter_block(block_id, width=width)
        yield
        self.end_block()

    def enter_block(self, block_id: int, *, width: int = 3) -> None:
        """Begin a block; `block` is the same as a context manager.

        Raises:
            EncodingError: the id or the width is out of range.
        """
        if not 0 <= block_id <= _MAX_BLOCK_ID:
            raise EncodingError(f"block id {block_id} is not in 0..2**32-1")
        if not 1 <= width <= MAX_WIDTH:
            raise EncodingError(f"abbreviation ids of {width} bits; 1 to {MAX_WIDTH} is valid")
        body = self._bits.enter_block(block_id, self.width, width)
        self._open.append(BlockHeader(block_id, width, body, self.shared.get(block_id, ())))
        if block_id == BLOCKINFO_BLOCK_ID:
            self._described, self._described_id = {}, None

    def end_block(self) -> None:
        """End the innermost block."""
        header = self._innermost
        self._open.pop()
        self._bits.end_block(header.width, header.body)
        if header.block_id == BLOCKINFO_BLOCK_ID:
            self.shared = self._described

    def define(self, abbreviation: Abbreviation) -> int:
        """Write a DEFINE_ABBREV and return the abbreviation's id: here, or in a BLOCKINFO block, in blocks to come.

        Raises:
            EncodingError: no record could be written by it, or a BLOCKINFO block lacks the id of the blocks for it.
        """
        known = self._known_definitions.get(id(abbreviation))
        if known is None:
            if abbreviation.flaw:
                raise EncodingError(f"the abbreviation {abbreviation} {abbreviation.flaw}")
            self._check_described()
            # Many blocks define the same abbreviations, which are kept: their identities are not used again.
            known = self._known_definitions[id(abbreviation)] = abbreviation, *_checked_layout(abbreviation)
        return self._define(*known)

    def record(
        self,
        code: int,
        operands: Iterable[int] = (),
        *,
        abbreviation_id: int = AbbreviationId.UNABBREV_RECORD,
        blob: bytes | memoryview | None = None,
    ) -> None:
        """Write a record.

        Args:
            code: record code, 0..2**32-1.
            operands: values, 0..2**64-1 each.
            abbreviation_id: 3 to write it unabbreviated, else the id of an abbreviation in force here.
            blob: the blob's bytes, if the abbreviation ends with one.

        Raises:
            EncodingError: the abbreviation is not defined here, or cannot express the record.
        """
        if not self._open:
            raise EncodingError(_OUTSIDE)
        if not 0 <= code <= _MAX_CODE:
            raise EncodingError(f"record code {code} is not in 0..2**32-1")
        try:
            values = array("Q", list(operands))  # a list: `array` takes bytes for its memory, not for numbers
        except OverflowError:
            raise EncodingError("an operand is not in 0..2**64-1") from None
        encodings, widths = self._layout(abbreviation_id)
        start = self._bits.bit_offset
        self._bits.write_fixed(abbreviation_id, self.width)
        try:
            self._bits.write_record(code, values, encodings, widths, blob)
        except EncodingError:
            self._bits.rewind(start)
            raise
        self.note_record(code, values)

    def rows(self, rows: Rows, starts: array[int] | None = None) -> None:
        """Write records that follow one another, none with a blob.

        Args:
            rows: the records.
            starts: receives the bit offset of each record; it has an entry for each.

        Raises:
            EncodingError: an abbreviation is not defined here, or cannot express its record.
            OverflowError: an operand is not in 0..2**64-1.
        """
        start = self._bits.bit_offset
        try:
            self._bits.write_rows(rows, self.width, *self._layouts(), starts)
        except EncodingError:
            self._bits.rewind(start)
            raise
        if self._innermost.block_id == BLOCKINFO_BLOCK_ID:
            for row in range(len(rows)):
                self.note_record(*rows.record(row))

    def abbreviation(self, abbreviation_id: int) -> Abbreviation | None:
        """Return the abbreviation of an id here; None for 3, UNABBREV_RECORD, and if it is not defined."""
        return self._innermost.abbreviation(abbreviation_id)

    def find(self, abbreviation: Abbreviation | None) -> int:
        """Return the id of an equal abbreviation in force here, 3 (UNABBREV_RECORD) without one."""
        found = None if abbreviation is None else self._innermost.find(abbreviation)
        return AbbreviationId.UNABBREV_RECORD if found is None else found

    def redefine(self, abbreviation: Abbreviation) -> int:
        """Do as `define`, for an abbreviation that a stream has, even if no record can be written by it."""
        self._check_described()
        return self._define(abbreviation, *_checked_layout(abbreviation))

    def _check_described(self) -> None:
        if self._innermost.block_id == BLOCKINFO_BLOCK_ID and self._described_id is None:
            raise EncodingError("in BLOCKINFO, a SETBID record has to come before an abbreviation")

    def _define(self, abbreviation: Abbreviation, encodings: bytes, values: array[int]) -> int:
        self._check_described()
        self._bits.write_fixed(AbbreviationId.DEFINE_ABBREV, self.width)
        self._bits.write_abbreviation(encodings, values)
        return self.note_definition(abbreviation)

    def note_definition(self, abbreviation: Abbreviation) -> int:
        """Take notice of a DEFINE_ABBREV that was copied, and return the abbreviation's id as `define` does."""
        header = self._innermost
        if header.block_id != BLOCKINFO_BLOCK_ID or self._described_id is None:
            return header.add(abbreviation)
        described = self._described.setdefault(self._described_id, [])
        described.append(abbreviation)
        return FIRST_ABBREVIATION_ID + len(described) - 1

    def copy(self, data: memoryview, start: int, end: int) -> None:
        """Write the bits `start` to `end` (excluded) of `data` unchanged.

        Raises:
            EncodingError: the bits do not exist.
        """
        if not 0 <= start <= end <= len(data) * 8:
            raise EncodingError(f"bits {start} to {end} are not in {len(data)} bytes")
        self._bits.copy_bits(data, start, end)

    def copy_block(self, data: memoryview, block_id: int, width: int, body: int, end: int) -> None:
        """Write a block whose body, END_BLOCK included, is bits `body` to `end` (excluded) of `data`."""
        new_body = self._bits.enter_block(block_id, self.width, width)
        self._bits.patch_word(new_body - 32, (end - body) // 32)
        self._bits.copy_bits(data, body, end)

    def patch(self, bit_offset: int, word: int) -> None:
        """Overwrite 32 bits that have been written, all of them before the last whole word.

        Args:
            bit_offset: the position of the first of them, as `bit_offset` counts.
            word: 0..2**32-1.

        Raises:
            EncodingError: no 32 bits have been written there, or the word is out of range.
        """
        if not 0 <= word <= _MAX_WORD:
            raise EncodingError(f"word {word} is not in 0..2**32-1")
        start, shift = bit_offset // _WORD * _WORD, bit_offset % _WORD
        if not 0 <= start <= self._bits.bit_offset // _WORD * _WORD - (2 * _WORD if shift else _WORD):
            raise EncodingError(f"no 32 bits have been written at bit {bit_offset}")
        old = self._bits.word_at(start) | self._bits.word_at(start + _WORD) << _WORD if shift else 0
        new = old & ~(0xFFFF_FFFF << shift) | word << shift
        self._bits.patch_word(start, new & 0xFFFF_FFFF)
        if shift:
            self._bits.patch_word(start + _WORD, new >> _WORD)

    def note_record(self, code: int, operands: Sequence[int]) -> None:
        """Note a record that was copied: in BLOCKINFO, SETBID selects the blocks of the next abbreviations."""
        if self._innermost.block_id == BLOCKINFO_BLOCK_ID and code == BlockInfoCode.SETBID and operands:
            self._described_id = operands[0]

    def body_of_block(self) -> bytes:
        """Return the bytes written so far of the body of the innermost block, with zero bits filling the last one."""
        return self._bits.getvalue()[self._innermost.body // 8 :]

    def getvalue(self) -> bytes:
        """Return the stream.

        Raises:
            EncodingError: a block is still open.
        """
        if self._open:
            raise EncodingError(f"block {self._open[-1].block_id} has not been ended")
        return self._bits.getvalue()

    @property
    def _innermost(self) -> BlockHeader:
        if not self._open:
            raise EncodingError(_OUTSIDE)
        return self._open[-1]

    def _layouts(self) -> Layouts:
        """Return the layouts of the abbreviations in force; most blocks have the same ones as others of their kind."""
        header = self._innermost
        key = header.block_id, *map(id, header.own)
        known = self._known_layouts.get(key)
        if known is None or known[0] is not header.shared:
            # The abbreviations are kept: their identities are not used again.
            known = self._known_layouts[key] = header.shared, [*header.own], Layouts.of(self.abbreviations)
        return known[2]

    def _layout(self, abbreviation_id: int) -> tuple[bytes, array[int]]:
        """Return the encodings and values of an abbreviation in force, none for UNABBREV_RECORD."""
        if abbreviation_id == AbbreviationId.UNABBREV_RECORD:
            return b"", array("Q")
        abbreviation = self.abbreviation(abbreviation_id)
        if abbreviation is None:
            raise EncodingError(f"abbreviation id {abbreviation_id} is not defined in this block")
        return _layout(abbreviation)
