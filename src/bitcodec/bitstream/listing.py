# cython: language_level=3, annotation_typing=False, boundscheck=False, wraparound=False, initializedcheck=False
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202
"""The loop that writes runs of records as text, one line each, in the format of `llvm-bcanalyzer --dump`.

Names of records, and remarks on them, are arguments.
"""

from __future__ import annotations

from bitcodec.bitstream import words
from bitcodec.bitstream.abbreviations import FIRST_ABBREVIATION_ID, AbbreviationId
from bitcodec.bitstream.columns import enlarged, zeros
from bitcodec.host import native

COMPILED = bool(native.COMPILED)

_UNABBREV_RECORD = AbbreviationId.UNABBREV_RECORD
_FIRST_ID = FIRST_ABBREVIATION_ID
_DIGITS = 20
_FIRST_PRINTABLE = 0x20
_LAST_PRINTABLE = 0x7E
_OPERAND_LABELS = [b" op%d=" % index for index in range(256)]


class GrowingText:
    """Text that grows at its end; `take` returns and empties it.

    Args:
        columns: the columns of the records.
        array_starts: for each abbreviation, the index of the operand that begins its array, -1 without one.
    """

    def __init__(self, columns, array_starts) -> None:
        self._text = zeros("B", 1 << 16)
        self._size = 0
        self._parts = []
        self._code = columns.records.code
        self._abbreviation = columns.records.abbreviation
        self._first_operand = columns.records.first_operand
        self._operands = columns.operands
        self._blob_record = columns.blobs.record
        self._array_starts = array_starts
        self._blob = 0

    def __len__(self) -> int:
        return self._size

    def take(self):
        """Return the text written since the last call, as `bytes`."""
        text = bytes(self._text[: self._size]) if native.COMPILED else b"".join(self._parts)
        self._parts.clear()
        self._size = 0
        return text

    def write(self, text):
        """Append `text`."""
        self._put(text)

    def write_records(
        self,
        first,
        last,
        indent,
        names,
        shared,
        own,
        remarks,
        describe_blob,
    ):
        """Append a line for each of the records `first` to `last` (excluded), all of one block, in stream order.

        Args:
            first, last: rows of the records.
            indent: the prefix of each line.
            names: record code -> name.
            shared, own: the abbreviations in force in the block (`Scopes`).
            remarks: record code -> function of a row that returns text for the end of the operands.
            describe_blob: function of a row that returns text for the end of the line of a record with a blob.
        """
        abbreviation = 0
        start = -1
        index = 0
        shared_count = len(shared)
        for row in range(first, last):
            abbreviation = self._abbreviation[row]
            self._put(indent)
            self._put(names[self._code[row]])
            if abbreviation != _UNABBREV_RECORD:
                self._put(b" abbrevid=")
                self._put_decimal(abbreviation)
                index = abbreviation - _FIRST_ID
                start = self._array_starts[shared[index] if index < shared_count else own[index - shared_count]]
            self._put_operands(row)
            if remarks and self._code[row] in remarks:
                self._put(remarks[self._code[row]](row))
            self._put(b"/>")
            if abbreviation != _UNABBREV_RECORD and start >= 0:
                self._put_string(self._first_operand[row] + start, self._first_operand[row + 1])
            if self._blob < len(self._blob_record) and self._blob_record[self._blob] == row:
                self._put(describe_blob(row))
                self._blob += 1
            self._put(b"\n")

    def _put_operands(self, row):
        """Append ` op0=1 op1=2`, the operands read as signed."""
        first = self._first_operand[row]
        for index in range(self._first_operand[row + 1] - first):
            if index < 256:
                self._put(_OPERAND_LABELS[index])
            else:
                self._put(b" op")
                self._put_decimal(index)
                self._put(b"=")
            self._put_decimal(self._operands[first + index])
        return 0

    def _put_string(self, first, last):
        """Append the operands `first` to `last` as a string, if the low byte of each is a printable character."""
        character = 0
        for index in range(first, last):
            character = self._operands[index] & 0xFF
            if not _FIRST_PRINTABLE <= character <= _LAST_PRINTABLE:
                return 0
        self._put(b" record string = '")
        if not native.COMPILED:
            self._put(bytes([number & 0xFF for number in self._operands[first:last]]))
        else:
            self._room_for(last - first)
            for index in range(first, last):
                self._text[self._size] = self._operands[index] & 0xFF
                self._size += 1
        self._put(b"'")
        return 0

    def _put(self, text):
        size = len(text)
        if not native.COMPILED:
            self._parts.append(text)
            self._size += size
            return 0
        self._room_for(size)
        words.put_text(self._text, self._size, text)
        self._size += size
        return 0

    def _put_decimal(self, bits):
        """Append 64 bits read as a signed number."""
        if not native.COMPILED:
            return self._put(words.decimal(bits))
        value = bits
        self._room_for(_DIGITS)
        if bits >> 63:
            value = 0 - bits
            self._text[self._size] = b"-"[0]
            self._size += 1
        digits = 1
        power = value
        while power >= 10:
            power //= 10
            digits += 1
        self._size += digits
        index = self._size
        while digits:
            index -= 1
            self._text[index] = 48 + value % 10
            value //= 10
            digits -= 1
        return 0

    def _room_for(self, size):
        """Make room for `size` more characters."""
        if self._size + size > len(self._text):
            self._text = enlarged(self._text, self._size, self._size + size)
        return 0
