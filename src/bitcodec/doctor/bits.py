"""Bits as LLVM's cursor reads them, with its messages for unreadable ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitstream.abbreviations import FIRST_ABBREVIATION_ID, MAX_WIDTH, AbbreviationId, Encoding, Operand
from bitcodec.bitstream.cursor import Cursor
from bitcodec.errors import BitstreamError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CHANGED_IN", "Abbreviations", "BitEntry", "Bits", "RefusedError"]

_LAST_FATAL = 14
"""The last version that ends the program when it cannot decode an abbreviation."""
_FIRST_TO_REPORT = 9
"""The first version that reports where it cannot skip or read on."""
_FIRST_TO_CHECK_SIZES = 15
CHANGED_IN = (_FIRST_TO_REPORT, _LAST_FATAL + 1, _FIRST_TO_CHECK_SIZES)
"""The first versions of those that read bits in another way, or print another message."""
_WORD, _REGISTER, _WIDEST = 32, 64, 64
_PRINTED = 0xFFFF_FFFF
"""The bits of a place that messages have."""
_VALUE, _ID = (1 << 64) - 1, (1 << 32) - 1
_MALFORMED, _RECORD = "Malformed block", "Invalid record"


class RefusedError(Exception):
    """LLVM's message."""


class BitEntry(NamedTuple):
    """The block, record, definition or end that begins at a place.

    Attributes:
        kind: the abbreviation id.
        number: the id of a block that begins, otherwise the abbreviation id.
        start: where it begins.
        behind: where its abbreviation id ends, of a block that begins its block id.
    """

    kind: int
    number: int
    start: int
    behind: int

    @property
    def is_end(self) -> bool:
        """Whether the block ends."""
        return self.kind == AbbreviationId.END_BLOCK

    @property
    def is_block(self) -> bool:
        """Whether a block begins."""
        return self.kind == AbbreviationId.ENTER_SUBBLOCK

    @property
    def is_definition(self) -> bool:
        """Whether an abbreviation is defined."""
        return self.kind == AbbreviationId.DEFINE_ABBREV


class Abbreviations:
    """The abbreviations of a block.

    Args:
        width: of abbreviation ids, in bits.
        defined: the abbreviations that are defined.
    """

    def __init__(self, width: int, defined: Sequence[Sequence[Operand]] = ()) -> None:
        self.width = width
        self.defined = list(defined)

    def add(self, operands: Sequence[Operand]) -> None:
        """Add an abbreviation."""
        self.defined.append(operands)


class Bits:
    """The bits that a reader of a version of LLVM takes for a file or a module.  Offsets count from their first bit.

    Args:
        data: these bytes.
        base: where they begin in the file, in bits.
        size_in_bytes: their number, as LLVM states it.
        version: of LLVM.

    Attributes:
        size: in bits.
        blob_size: size of the last blob in bytes, 0 if a version before 15 left it out, because it is cut off.

    Raises:
        RefusedError: all methods: LLVM refuses the bits there.
        BitstreamError: all methods: it is behind the end.
    """

    def __init__(self, data: memoryview, base: int, size_in_bytes: int, version: int) -> None:
        self.base = base
        self.size = size_in_bytes * 8
        self.blob_size = 0
        self._size_in_bytes = size_in_bytes
        self._cursor = Cursor(data)
        self._version = version
        self._fatal = "LLVM ERROR: " if version <= _LAST_FATAL else ""

    @property
    def offset(self) -> int:
        """The place."""
        return self._cursor.bit_offset

    def jump(self, place: int) -> None:
        """Move to a place."""
        self._cursor.skip_to(place)

    def end_of_file(self, place: int = 0) -> str:
        """Return the message about a read behind the end.

        Args:
            place: where the reader has gone to, if that is behind the end.
        """
        if self._version < _FIRST_TO_REPORT:
            return "LLVM ERROR: Unexpected end of file"
        at = max(self._size_in_bytes, place // _REGISTER * _REGISTER // 8 & _PRINTED)
        return f"Unexpected end of file reading {at} of {self._size_in_bytes} bytes"

    def enters(self, width: int, block_id: int) -> BitEntry | None:
        """Return the block that begins here, and move behind its ids; without a block of that id, stay here."""
        start, cursor = self.offset, self._cursor
        is_enough = start + width + 8 <= self.size
        if is_enough and (cursor.read_fixed(width), cursor.read_vbr(8)) == (AbbreviationId.ENTER_SUBBLOCK, block_id):
            return BitEntry(AbbreviationId.ENTER_SUBBLOCK, block_id, start, self.offset)
        cursor.skip_to(start)
        return None

    def advance(self, own: Abbreviations, *, defines: bool = True) -> BitEntry:
        """Return the next entry, and move behind its ids.

        Args:
            own: the abbreviations of the block, to which definitions are added.
            defines: whether to add them; otherwise definitions are returned.
        """
        cursor = self._cursor
        while True:
            start = self.offset
            if start >= self.size:
                raise RefusedError(_MALFORMED)
            kind = cursor.read_fixed(own.width) & _ID
            if kind == AbbreviationId.END_BLOCK:
                cursor.align32()
            if kind == AbbreviationId.ENTER_SUBBLOCK:
                return BitEntry(kind, self._vbr(8), start, self.offset)
            if kind != AbbreviationId.DEFINE_ABBREV or not defines:
                return BitEntry(kind, kind, start, self.offset)
            own.add(self.read_definition())

    def enter(self, defined: Abbreviations) -> Abbreviations:
        """Read the header of a block; return its abbreviations, beginning with the ones from BLOCKINFO."""
        width, _ = self._header()
        if not width or self.offset >= self.size:
            said = "-block: current code size is 0" if not width else " block: already at end of stream"
            raise RefusedError(f"can't enter sub{said}" if self._version >= _FIRST_TO_REPORT else _RECORD)
        most = _WORD if self._version >= _FIRST_TO_CHECK_SIZES else _WIDEST
        if width > most and self._version >= _FIRST_TO_REPORT:
            raise RefusedError(f"can't read more than {most} at a time, trying to read {width}")
        return Abbreviations(min(width, _WIDEST), defined.defined)

    def skip_block_in_blockinfo(self) -> None:
        """Skip a block inside of BLOCKINFO."""
        try:
            self.skip_block()
        except RefusedError:
            # Older versions pass on that it cannot be skipped, and not why.
            if self._version >= _FIRST_TO_CHECK_SIZES:
                raise
            raise RefusedError(_MALFORMED) from None

    def skip_block(self, refusal: str = _MALFORMED) -> None:
        """Skip a block by its length.

        Args:
            refusal: the message if that is not possible, of versions without a reason in it.
        """
        _, words = self._header()
        body = self.offset
        if body >= self.size and self._version >= _FIRST_TO_REPORT:
            raise RefusedError("can't skip block: already at end of stream")
        end = body + words * _WORD
        if end > self.size:
            reported = self._version >= _FIRST_TO_REPORT
            raise RefusedError(f"can't skip to bit {end} from {body}" if reported else refusal)
        self._cursor.skip_to(end)

    def _header(self) -> tuple[int, int]:
        width = self._vbr(4)
        self._cursor.align32()
        return width, self._cursor.read_fixed(_WORD)

    def read_definition(self) -> list[Operand]:
        """Read the definition of an abbreviation."""
        cursor, operands = self._cursor, []
        for _ in range(self._vbr(5)):
            if cursor.read_fixed(1):
                operands.append(Operand(Encoding.LITERAL, self._vbr(8)))
                continue
            encoding = cursor.read_fixed(3)
            if not Encoding.FIXED <= encoding <= Encoding.BLOB:
                raise RefusedError(f"{self._fatal}Invalid encoding")
            width = self._vbr(5) if Encoding(encoding).has_width else 0
            if width > MAX_WIDTH:
                raise RefusedError(f"{self._fatal}Fixed or VBR abbrev record with size > MaxChunkData")
            operands.append(Operand(Encoding(encoding), width))
        if not operands:
            raise RefusedError(f"{self._fatal}Abbrev record with no operands")
        return operands

    def read_record(
        self, abbreviation_id: int, own: Abbreviations, *, is_skipped: bool = False
    ) -> tuple[int, list[int]]:
        """Read a record; return its code and its operands.

        Args:
            abbreviation_id: of the record.
            own: the abbreviations of the block.
            is_skipped: whether the reader skips it, and so does not check sizes.
        """
        if abbreviation_id == AbbreviationId.UNABBREV_RECORD:
            code, count = self._vbr(6), self._vbr(6)
            self._check_size(count, is_skipped=is_skipped)
            return code, self._vbrs(6, count)
        number = abbreviation_id - FIRST_ABBREVIATION_ID
        if not 0 <= number < len(own.defined):
            raise RefusedError(f"{self._fatal}Invalid abbrev number")
        operands = own.defined[number]
        if not operands[0].encoding.is_scalar:
            raise RefusedError(f"{self._fatal}Abbreviation starts with an Array or a Blob")
        code, values = self._scalar(operands[0]), []
        place = 1
        while place < len(operands):
            operand = operands[place]
            if operand.encoding is Encoding.ARRAY:
                values += self._array(operands, place, is_skipped=is_skipped)
                break
            if operand.encoding is Encoding.BLOB:
                self._pass_blob(is_skipped=is_skipped)
            else:
                values.append(self._scalar(operand))
            place += 1
        return code, values

    def _scalar(self, operand: Operand) -> int:
        encoding, value = operand.encoding, operand.value
        if encoding is Encoding.LITERAL:
            return value
        if encoding is Encoding.CHAR6:
            return ord(self._cursor.read_char6())
        if not value:
            return 0
        if encoding is Encoding.VBR and value == 1:
            while self._cursor.read_fixed(1):
                pass  # groups without a value
            return 0
        return self._cursor.read_fixed(value) if encoding is Encoding.FIXED else self._vbr(value)

    def _vbr(self, width: int) -> int:
        start, cursor = self.offset, self._cursor
        try:
            return cursor.read_vbr(width)
        except BitstreamError:
            if self.offset > self.size:
                raise
        if self._version >= _FIRST_TO_CHECK_SIZES:
            raise RefusedError("Unterminated VBR")
        # The field is longer than 64 bits; processors shift by the distance modulo 64.
        cursor.skip_to(start)
        value, distance, more = 0, 0, 1 << width - 1
        while True:
            group = cursor.read_fixed(width)
            value |= (group & more - 1) << distance % _REGISTER & _VALUE
            distance += width - 1
            if not group & more:
                return value

    def _vbrs(self, width: int, count: int) -> list[int]:
        start = self.offset
        try:
            return self._cursor.read_vbrs(width, count)
        except BitstreamError:
            self._cursor.skip_to(start)
        return [self._vbr(width) for _ in range(count)]

    def _array(self, operands: Sequence[Operand], place: int, *, is_skipped: bool) -> list[int]:
        count = self._vbr(6)
        self._check_size(count, is_skipped=is_skipped)
        if place + 2 != len(operands):
            raise RefusedError(f"{self._fatal}Array op not second to last")
        element = operands[place + 1]
        if not element.encoding.is_scalar:
            raise RefusedError(f"{self._fatal}Array element type can't be an Array or a Blob")
        if element.encoding is Encoding.LITERAL or (element.encoding.has_width and not element.value):
            return []  # they take no bits
        return [self._scalar(element) for _ in range(count)]

    def _check_size(self, count: int, *, is_skipped: bool) -> None:
        """Check the number of operands that a record or an array states."""
        if self._version >= _FIRST_TO_CHECK_SIZES and not is_skipped and count >= self._size_in_bytes:
            raise RefusedError("Size is not plausible")

    def _pass_blob(self, *, is_skipped: bool) -> None:
        count = self._vbr(6)
        self._cursor.align32()
        end = self.offset + (count + 3) // 4 * _WORD
        self.blob_size = count if end <= self.size else 0
        if end <= self.size:
            self._cursor.skip_to(end)
        elif self._version >= _FIRST_TO_CHECK_SIZES and not is_skipped:
            raise RefusedError("Blob ends too soon")
        else:
            # The reader moves to the end, but not beyond the bits in its register.
            self.size = min(self.size, (self.offset + _REGISTER - 1) // _REGISTER * _REGISTER)
