# cython: language_level=3, annotation_typing=False, boundscheck=False, wraparound=False, initializedcheck=False
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202, I001
"""Every bit of output is written here: fields, and whole records by a given abbreviation, lowest bit first.

Rules: LLVM Bitcode File Format, "Primitives", "Data Records" and "Abbreviations".
"""

from __future__ import annotations


from bitcodec.bitstream import words
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET, FIRST_ABBREVIATION_ID, AbbreviationId, Encoding
from bitcodec.bitstream.columns import enlarged, zeros
from bitcodec.errors import EncodingError
from bitcodec.host import native

from bitcodec.bitstream.cursor import Cursor

COMPILED = bool(native.COMPILED)

_LITERAL = Encoding.LITERAL
_FIXED = Encoding.FIXED
_VBR = Encoding.VBR
_ARRAY = Encoding.ARRAY
_CHAR6 = Encoding.CHAR6
_BLOB = Encoding.BLOB
_END_BLOCK = AbbreviationId.END_BLOCK
_ENTER_SUBBLOCK = AbbreviationId.ENTER_SUBBLOCK
_UNABBREV_RECORD = AbbreviationId.UNABBREV_RECORD
_FIRST_ID = FIRST_ABBREVIATION_ID
_MAX_UINT32 = 0xFFFF_FFFF
_NOT_CHAR6 = 64
_CHAR6_CODES = bytes(CHAR6_ALPHABET.index(character) if character in CHAR6_ALPHABET else 64 for character in range(256))


class BitWriter:
    """Appends fields to a growing buffer."""

    def __init__(self, expected_bytes=1024) -> None:
        self._bytes = zeros("B", expected_bytes)
        self._size = 0
        self._pending = 0
        self._pending_bits = 0

    @property
    def bit_offset(self):
        """Offset of the next field, in bits from the first one."""
        return self._size * 8 + self._pending_bits

    def getvalue(self):
        """Return the bits written so far, as `bytes`, with zero bits filling the last one."""
        tail = int(self._pending).to_bytes(8, "little")[: (self._pending_bits + 7) // 8]
        return bytes(self._bytes[: self._size]) + tail

    def write_fixed(self, value, width):
        """Write `value` as a field of `width` (0..64) bits.

        Raises:
            ValueError: the width is out of range.
            EncodingError: the value is wider.
        """
        if not 0 <= width <= 64:
            raise ValueError(f"width {width} is not in 0..64")
        if width < 64 and value >> width:
            raise EncodingError(f"{value} does not fit in a field of {width} bits")
        self._put(value & _MAX_UINT32, min(width, 32))
        if width > 32:
            self._put(value >> 32, width - 32)

    def write_vbr(self, value, width):
        """Write `value` (0..2**64-1) in groups of `width` (2..32) bits, as few as it takes.

        Raises:
            ValueError: the width is out of range.
        """
        if not 2 <= width <= 32:
            raise ValueError(f"group width {width} is not in 2..32")
        self._put_vbr(value, width)

    def write_bytes(self, data):
        """Write whole bytes; the cursor must be at a multiple of 32 bits."""
        if self._pending_bits:
            raise ValueError("bytes are written at a multiple of 32 bits")
        size = len(data)
        whole = size & ~3
        self._room_for(size)
        words.copy_bytes(self._bytes, self._size, data, whole)
        self._size += whole
        for index in range(whole, size):
            self._put(data[index], 8)

    def copy_bits(self, data, start, end):
        """Write the bits `start` to `end` (excluded) of `data` unchanged."""
        cursor = Cursor(data)
        cursor.skip_to(start)
        if not (start % 32 or end % 32 or self._pending_bits):
            self.write_bytes(data[start // 8 : end // 8])
            return
        while start + 32 <= end:
            self._put(cursor.fixed(32), 32)
            start += 32
        self._put(cursor.fixed(end - start), end - start)

    def rewind(self, bit_offset):
        """Discard the bits written from `bit_offset` on."""
        one = 1
        size = bit_offset // 32 * 4
        bits = bit_offset % 32
        word = self._pending
        if size < self._size:
            word = int.from_bytes(self._bytes[size : size + 4], "little")
        self._size = size
        self._pending_bits = bits
        self._pending = word & ((one << bits) - 1)

    def align32(self):
        """Write zero bits up to a multiple of 32."""
        if self._pending_bits:
            self._put(0, 32 - self._pending_bits)

    def patch_word(self, bit_offset, word):
        """Overwrite the 32 bits at `bit_offset`, a multiple of 32 that has been written already."""
        if bit_offset < 0 or (bit_offset >> 3) + 4 > self._size:
            raise ValueError(f"no whole word has been written at bit {bit_offset}")
        for index in range(4):
            self._bytes[(bit_offset >> 3) + index] = word >> (8 * index) & 0xFF

    def word_at(self, bit_offset):
        """Return the 32 bits at `bit_offset`, a multiple of 32 that has been written already."""
        start = bit_offset >> 3
        if start < 0 or start + 4 > self._size:
            raise ValueError(f"no whole word has been written at bit {bit_offset}")
        return int.from_bytes(self._bytes[start : start + 4], "little")

    def enter_block(self, block_id, outer_width, width):
        """Write the header of a block, its length left open, and return the bit offset of its body.

        Args:
            block_id: 0..2**32-1.
            outer_width, width: widths of abbreviation ids around it and inside, in bits.
        """
        self._put(_ENTER_SUBBLOCK, outer_width)
        self._put_vbr(block_id, 8)
        self._put_vbr(width, 4)
        self.align32()
        self._put(0, 32)
        return self._size * 8

    def end_block(self, width, body):
        """Write END_BLOCK and, into the header, the length of the block whose body begins at bit `body`.

        Raises:
            EncodingError: the block is longer than 2**32 - 1 words.
        """
        self._put(_END_BLOCK, width)
        self.align32()
        words = (self._size - (body >> 3)) >> 2
        if words > _MAX_UINT32:
            raise EncodingError(f"a block of {words} words is too long for its header")
        self.patch_word(body - 32, words)

    def write_record(
        self,
        code,
        operands,
        encodings,
        values,
        blob,
    ):
        """Write a record's fields, its abbreviation id having been written.

        Args:
            code: record code.
            operands: operands, a blob's bytes not among them.
            encodings, values: the abbreviation's operands, the record's code first; none if it is unabbreviated.
            blob: the bytes of the blob, None without one.

        Raises:
            EncodingError: the abbreviation cannot express the record.
        """
        self._read_operands(operands)
        self._encodings = encodings
        self._values = values
        if not len(encodings):
            if blob is not None:
                raise EncodingError("an unabbreviated record has no blob; give an abbreviation that has one")
            self._put_unabbreviated(code, 0, len(operands))
        else:
            self._put_abbreviated(code, 0, len(operands), 0, len(encodings), blob)

    def write_rows(
        self,
        rows,
        width,
        encodings,
        values,
        bounds,
        starts=None,
    ):
        """Write records that follow one another, none with a blob.

        Args:
            rows: the records.
            width: width of abbreviation ids, in bits.
            encodings, values: operands of the abbreviations in force, one after another.
            bounds: the start of each abbreviation in these, and the end of the last one.
            starts: receives the bit offset of each record.

        Raises:
            EncodingError: an abbreviation is not defined, or cannot express its record.
            OverflowError: an operand is not in 0..2**64-1.
        """
        first = 0
        rows.pack()
        if starts is not None and len(starts) != rows.count:
            raise ValueError("a start for each record")
        self._operands = rows.operands
        self._encodings = encodings
        self._values = values
        for row in range(rows.count):
            last = rows.ends[row]
            if starts is not None:
                starts[row] = self._size * 8 + self._pending_bits
            self._put(rows.ids[row], width)
            if rows.ids[row] == _UNABBREV_RECORD:
                self._put_unabbreviated(rows.codes[row], first, last)
            else:
                number = rows.ids[row] - _FIRST_ID
                if not 0 <= number < len(bounds) - 1:
                    raise EncodingError(f"abbreviation id {rows.ids[row]} is not defined in this block")
                self._put_abbreviated(rows.codes[row], first, last, bounds[number], bounds[number + 1], None)
            first = last

    def _read_operands(self, operands):
        """Read operands from a buffer, which the caller keeps."""
        self._operands = words.numbers_at(operands)
        return 0

    def write_abbreviation(self, encodings, values):
        """Write an abbreviation after DEFINE_ABBREV: the number of operands, then each (`abbreviations.Operand`)."""
        self._encodings = encodings
        self._values = values
        self._put_abbreviation(0, len(encodings))

    def _put_abbreviation(self, first, last):
        self._put_vbr(last - first, 5)
        for row in range(first, last):
            if self._encodings[row] == _LITERAL:
                self._put(1, 1)
                self._put_vbr(self._values[row], 8)
                continue
            self._put(0, 1)
            self._put(self._encodings[row], 3)
            if self._encodings[row] == _FIXED or self._encodings[row] == _VBR:
                self._put_vbr(self._values[row], 5)
        return 0

    def _put_unabbreviated(
        self,
        code,
        first,
        last,
    ):
        self._put_vbr(code, 6)
        self._put_vbr(last - first, 6)
        for index in range(first, last):
            self._put_vbr(self._operands[index], 6)
        return 0

    def _put_abbreviated(
        self,
        code,
        first,
        last,
        first_row,
        last_row,
        blob,
    ):
        self._put_scalar(self._encodings[first_row], self._values[first_row], code)
        for row in range(first_row + 1, last_row):
            if self._encodings[row] == _ARRAY:
                self._put_vbr(last - first, 6)
                while first < last:
                    self._put_scalar(self._encodings[row + 1], self._values[row + 1], self._operands[first])
                    first += 1
                break
            if self._encodings[row] == _BLOB:
                self._put_blob(blob)
                blob = None
                break
            if first == last:
                raise EncodingError("the record has fewer operands than its abbreviation")
            self._put_scalar(self._encodings[row], self._values[row], self._operands[first])
            first += 1
        if first < last:
            raise EncodingError(f"the record has {last - first} operands more than its abbreviation")
        if blob is not None:
            raise EncodingError("the record has a blob, but its abbreviation does not")
        return 0

    def _put_scalar(self, encoding, width, value):
        """Write one value; `width` is the expected value if the encoding is LITERAL."""
        if encoding == _VBR and width:
            if width == 1 and value:
                raise EncodingError(f"{value} cannot be written in groups of 1 bit, which has no room but for 0")
            return self._put_vbr(value, width)
        if encoding == _FIXED and width:
            if value >> width:
                raise EncodingError(f"{value} does not fit in a field of {width} bits")
            return self._put(value, width)
        if encoding == _CHAR6:
            if value > 255 or _CHAR6_CODES[value] == _NOT_CHAR6:
                raise EncodingError(f"{value} is not one of the 64 characters of char6")
            return self._put(_CHAR6_CODES[value], 6)
        # A field of width 0 takes no bits and is always 0: a literal.
        if value != (width if encoding == _LITERAL else 0):
            raise EncodingError(f"expected {width}, a literal of the abbreviation, found {value}")
        return 0

    def _put_blob(self, blob):
        if blob is None:
            raise EncodingError("the record has no blob, but its abbreviation has one")
        self._put_vbr(len(blob), 6)
        self.align32()
        self.write_bytes(blob)
        self.align32()

    def _put_vbr(self, value, width):
        one = 1
        more = one << (width - 1)
        while value >= more:
            self._put(value & (more - 1) | more, width)
            value >>= width - 1
        return self._put(value, width)

    def _put(self, value, width):
        """Write the `width` (0..32) low bits of `value`, which has no others."""
        self._pending |= value << self._pending_bits
        self._pending_bits += width
        if self._pending_bits >= 32:
            self._room_for(4)
            words.put_word(self._bytes, self._size, self._pending)
            self._size += 4
            self._pending >>= 32
            self._pending_bits -= 32
        return 0

    def _room_for(self, size):
        if self._size + size > len(self._bytes):
            self._bytes = enlarged(self._bytes, self._size, self._size + size)
        return 0


class ColumnWriter(BitWriter):
    """Writes records from columns, as each is abbreviated there.

    Args:
        columns: the decoded columns.
        data: the bytes it was decoded from.
    """

    def __init__(self, columns, data) -> None:
        BitWriter.__init__(self, len(data) + 1024)
        self._code = columns.records.code
        self._abbreviation = columns.records.abbreviation
        self._first_operand = columns.records.first_operand
        self._column = columns.operands
        self._rows = columns.abbreviations.first_operand
        self._encodings = columns.abbreviations.encodings
        self._values = columns.abbreviations.values
        self._blobs = columns.blobs
        self._data = data

    def write_records(
        self,
        first,
        last,
        width,
        shared,
        own,
    ):
        """Write the records `first` to `last` (excluded), all of one block.

        Args:
            first, last: rows of the records.
            width: width of abbreviation ids in that block, in bits.
            shared, own: the abbreviations in force there (`Scopes`).
        """
        number = 0
        index = 0
        shared_count = len(shared)
        self._read_operands(self._column)
        for row in range(first, last):
            self._put(self._abbreviation[row], width)
            if self._abbreviation[row] == _UNABBREV_RECORD:
                self._put_unabbreviated(self._code[row], self._first_operand[row], self._first_operand[row + 1])
                continue
            index = self._abbreviation[row] - _FIRST_ID
            number = shared[index] if index < shared_count else own[index - shared_count]
            self._put_abbreviated(
                self._code[row],
                self._first_operand[row],
                self._first_operand[row + 1],
                self._rows[number],
                self._rows[number + 1],
                self._blob(row) if self._encodings[self._rows[number + 1] - 1] == _BLOB else None,
            )

    def write_definition(self, number):
        """Write the definition of the abbreviation `number` after DEFINE_ABBREV."""
        self._put_abbreviation(self._rows[number], self._rows[number + 1])

    def _blob(self, row):
        start, size = self._blobs.of_record(row)
        return self._data[start : start + size]
