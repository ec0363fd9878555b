# cython: language_level=3, annotation_typing=False, boundscheck=False, wraparound=False, initializedcheck=False
# compiled: with loops
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0912, PLR0915, SLF001
"""Every bit of input is read here: fields, and whole records by a given abbreviation.

Bits are taken lowest first.  A field that reaches past the end reads as zeros and moves the cursor past the end without
an error: a caller that reads several fields in a row calls `check` once, afterwards.
Rules: LLVM Bitcode File Format, "Primitives" and "Abbreviations".
"""

from __future__ import annotations

from bitcodec.bitstream import words
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET, Encoding
from bitcodec.bitstream.columns import enlarged, trimmed, zeros
from bitcodec.errors import BitstreamError
from bitcodec.host import native
from bitcodec.reasons import Reason

COMPILED = bool(native.COMPILED)
MAX_FIXED_WIDTH = 64
MAX_VBR_WIDTH = 32

OPERANDS_PER_BYTE = 0.75
"""Room taken at once for operands; LLVM's own files have 0.4 to 0.8 operands in a byte."""

_FIXED = Encoding.FIXED
_VBR = Encoding.VBR
_ARRAY = Encoding.ARRAY
_CHAR6 = Encoding.CHAR6
_BLOB = Encoding.BLOB
_MAX_BLOB = 0xFFFF_FFFF
_SMALL = 1024
_ALPHABET = CHAR6_ALPHABET


class Cursor:
    """Reads unsigned fields from `data`, any bytes-like object, without copying it.

    Attributes:
        bit_offset: offset of the next field, in bits from the start of `data`.
        size_in_bits: the size of the data.
    """

    def __init__(self, data) -> None:
        self._data = data
        self._start = words.pointer_to(self._data)
        self.bit_offset = 0
        self.size_in_bits = len(data) * 8
        self._overlong = -1

    def read_fixed(self, width):
        """Read a field of `width` (0..64) bits.

        Raises:
            ValueError: the width is out of range.
            BitstreamError: the field reaches past the end.
        """
        if not 0 <= width <= MAX_FIXED_WIDTH:
            raise ValueError(f"width {width} is not in 0..{MAX_FIXED_WIDTH}")
        start = self.bit_offset
        low_width = min(width, 32)
        low = self.fixed(low_width)
        high = self.fixed(width - low_width)
        self.check(start)
        return low | high << 32

    def read_vbr(self, width):
        """Read groups of `width` (2..32) bits until one has its top bit clear; at most 64 bits of value.

        Raises:
            ValueError: the width is out of range.
            BitstreamError: the field reaches past the end or does not end within 64 bits of value.
        """
        return self.read_vbrs(width, 1)[0]

    def read_vbrs(self, width, count):
        """Read several such fields, one after another, and return their values.

        Raises:
            ValueError: the width is out of range.
            BitstreamError: a field reaches past the end or does not end within 64 bits of value.
        """
        if not 2 <= width <= MAX_VBR_WIDTH:
            raise ValueError(f"group width {width} is not in 2..{MAX_VBR_WIDTH}")
        values = []
        while count > 0:
            start = self.bit_offset
            value = self.vbr(width)
            self.check(start)
            values.append(value)
            count -= 1
        return values

    def read_char6(self):
        """Read a 6-bit character and return it as a `str` of length 1.

        Raises:
            BitstreamError: the field reaches past the end.
        """
        return chr(_ALPHABET[self.read_fixed(6)])

    def align32(self):
        """Move to the next multiple of 32 bits, counted from the start of the data.

        Raises:
            BitstreamError: the position is past the end.
        """
        self.skip_to((self.bit_offset + 31) & ~31)

    def skip_to(self, bit_offset):
        """Continue at `bit_offset`.

        Raises:
            BitstreamError: the position is outside the data.
        """
        if not 0 <= bit_offset <= self.size_in_bits:
            raise BitstreamError(Reason.OUTSIDE_DATA(bit=bit_offset), self.bit_offset)
        self.bit_offset = bit_offset

    def fixed(self, width):
        """Read `width` (0..32) bits."""
        one = 1
        word = words.word_at(self._start, self.bit_offset, self.size_in_bits)
        self.bit_offset += width
        return word & ((one << width) - 1)

    def vbr(self, width):
        """Read groups of `width` (1..32) bits until one has its top bit clear."""
        one = 1
        more = one << (width - 1)
        word = words.word_at(self._start, self.bit_offset, self.size_in_bits)
        start = self.bit_offset
        self.bit_offset += width
        value = word & (more - 1)
        shift = width - 1
        while word & more:
            if shift >= 64:
                self._overlong = start
                break
            word = words.word_at(self._start, self.bit_offset, self.size_in_bits)
            self.bit_offset += width
            value |= (word & (more - 1)) << shift
            shift += width - 1
        if not native.COMPILED:
            value &= 0xFFFF_FFFF_FFFF_FFFF
        return value

    def check(self, start):
        """Raise an error if a field read since bit `start` reached past the end."""
        place = self._overlong
        if place >= 0:
            self._overlong = -1
            raise BitstreamError(Reason.LONG_FIELD(), place)
        if self.bit_offset > self.size_in_bits:
            raise BitstreamError(Reason.CUT_FIELD(), start)
        return 0


class RecordCursor(Cursor):
    """Reads whole records: operands go to one growing buffer, the rest to attributes.

    Abbreviations have numbers: each is a slice of two tables, the encodings and the values of all operands, and whoever
    reads by one has made sure that it is sound.

    Args:
        data: the stream.
        expected_bytes: how much of it will be read, roughly.
        like: a cursor after `finish_abbreviations`, whose tables this one starts with; None for empty ones.
    """

    def __init__(self, data, expected_bytes, like=None) -> None:
        Cursor.__init__(self, data)
        if like is None:
            self._encodings = zeros("B", 64)
            self._values = zeros("Q", 64)
            self.abbreviation_operands = 0
            self.abbreviation_first = zeros("q", 32)
            self.abbreviation_sound = zeros("B", 32)
            self.abbreviation_count = 0
        else:
            self._share(like)
        self._operands = zeros("Q", 64 + int(expected_bytes * OPERANDS_PER_BYTE))
        self.operand_count = 0
        self.code = 0
        self.blob_start = -1
        self.blob_size = 0

    def _share(self, like):
        """Share the tables of abbreviations; as they are full, adding to them copies them."""
        known = like
        self._encodings = known._encodings
        self._values = known._values
        self.abbreviation_operands = known.abbreviation_operands
        self.abbreviation_first = known.abbreviation_first
        self.abbreviation_sound = known.abbreviation_sound
        self.abbreviation_count = known.abbreviation_count

    def finish_abbreviations(self):
        """Leave no room in the tables of abbreviations, so that others can share them."""
        self._encodings = trimmed(self._encodings, self.abbreviation_operands)
        self._values = trimmed(self._values, self.abbreviation_operands)
        self.abbreviation_first = trimmed(self.abbreviation_first, self.abbreviation_count + 1)
        self.abbreviation_sound = trimmed(self.abbreviation_sound, self.abbreviation_count)

    def append_operand(self, encoding, value):
        """Add an operand to the abbreviation that `end_abbreviation` will end."""
        row = self.abbreviation_operands
        if row == len(self._encodings):
            self._encodings = enlarged(self._encodings, row, row + 1)
            self._values = enlarged(self._values, row, row + 1)
        self._encodings[row] = encoding
        self._values[row] = value
        self.abbreviation_operands += 1
        return 0

    def end_abbreviation(self):
        """Make one more abbreviation of the operands appended since the last one, and return its number."""
        number = self.abbreviation_count
        if number + 1 == len(self.abbreviation_first):
            self.abbreviation_first = enlarged(self.abbreviation_first, number + 1, number + 2)
            self.abbreviation_sound = enlarged(self.abbreviation_sound, number, number + 2)
        self.abbreviation_count += 1
        self.abbreviation_first[number + 1] = self.abbreviation_operands
        return number

    def read_record(self, first, last):
        """Read a record by the table rows `first` to `last`, the latter excluded; the first one is its code."""
        bit = self.bit_offset
        encoding = 0
        width = 0
        shift = 0
        word = 0
        value = 0
        one = 1
        more = 0
        known = 0  # so many bits of `word` are still to be read
        count = self.operand_count
        if count + (last - first) > len(self._operands):
            self._reserve(last - first)
        for row in range(first, last):
            encoding = self._encodings[row]
            value = self._values[row]
            if encoding == _FIXED:
                width = value
                if known < width:
                    word = words.word_at(self._start, bit, self.size_in_bits)
                    known = 57
                value = word & ((one << width) - 1)
                word >>= width
                bit += width
                known -= width
            elif encoding == _VBR and value:
                width = value
                more = one << (width - 1)
                if known < width:
                    word = words.word_at(self._start, bit, self.size_in_bits)
                    known = 57
                value = word & (more - 1)
                shift = width - 1
                bit += width
                known -= width
                while word & more:
                    word >>= width
                    if known < width:
                        word = words.word_at(self._start, bit, self.size_in_bits)
                        known = 57
                    if shift >= 64:
                        self._overlong = bit
                        known = 0
                        break
                    value |= (word & (more - 1)) << shift
                    shift += width - 1
                    bit += width
                    known -= width
                word >>= width
                if not native.COMPILED:
                    value &= 0xFFFF_FFFF_FFFF_FFFF
            elif encoding == _CHAR6:
                value = _ALPHABET[words.word_at(self._start, bit, self.size_in_bits) & 63]
                bit += 6
                known = 0
            elif encoding == _ARRAY:
                self.bit_offset = bit
                self.operand_count = count
                return self._read_elements(self._encodings[row + 1], self._values[row + 1], self.vbr(6))
            elif encoding == _BLOB:
                self.bit_offset = bit
                self.operand_count = count
                return self._read_blob(self.vbr(6))
            if row == first:
                self.code = value
            else:
                self._operands[count] = value
                count += 1
        self.bit_offset = bit
        self.operand_count = count
        return 0

    def _read_elements(self, encoding, width, count):
        """Append `count` operands of one encoding."""
        bit = self.bit_offset
        remaining = max(self.size_in_bits - bit, 0)
        if encoding == _CHAR6:
            width = 6
        if count > remaining or count * width > remaining:
            self.check(bit)
            raise BitstreamError(Reason.LARGE_ARRAY(count=count, width=width), bit)
        index = self.operand_count
        last = index + count
        if last > len(self._operands):
            self._reserve(count)
        one = 1
        more = one << (width - 1)
        word = 0
        value = 0
        known = 0
        shift = 0
        self.operand_count = last
        if encoding == _VBR:
            while index < last:
                if known < width:
                    word = words.word_at(self._start, bit, self.size_in_bits)
                    known = 57
                value = word & (more - 1)
                shift = width - 1
                bit += width
                known -= width
                while word & more:
                    word >>= width
                    if known < width:
                        word = words.word_at(self._start, bit, self.size_in_bits)
                        known = 57
                    if shift >= 64:
                        self._overlong = bit
                        break
                    value |= (word & (more - 1)) << shift
                    shift += width - 1
                    bit += width
                    known -= width
                word >>= width
                if not native.COMPILED:
                    value &= 0xFFFF_FFFF_FFFF_FFFF
                self._operands[index] = value
                index += 1
        elif encoding == _FIXED:
            while index < last:
                self._operands[index] = words.word_at(self._start, bit, self.size_in_bits) & ((more << 1) - 1)
                bit += width
                index += 1
        else:
            while index < last:
                self._operands[index] = _ALPHABET[words.word_at(self._start, bit, self.size_in_bits) & 63]
                bit += 6
                index += 1
        self.bit_offset = bit
        return 0

    def _read_blob(self, size):
        """Note where a blob of `size` bytes lies and pass it, its padding included."""
        start = (self.bit_offset + 31) & ~31
        if size > _MAX_BLOB or start + size * 8 > self.size_in_bits:
            self.check(self.bit_offset)
            raise BitstreamError(Reason.LARGE_BLOB(size=size), self.bit_offset)
        self.blob_start = start >> 3
        self.blob_size = size
        self.bit_offset = (start + self.blob_size * 8 + 31) & ~31
        return 0

    def _reserve(self, count):
        """Make room for `count` more operands."""
        needed = self.operand_count + count
        if needed > len(self._operands):
            # Literal operands take no bits: without this bound a small file could request any amount of memory.
            if needed > self.size_in_bits + _SMALL:
                raise BitstreamError(Reason.MANY_OPERANDS(), self.bit_offset)
            self._operands = enlarged(self._operands, self.operand_count, needed)
        return 0
