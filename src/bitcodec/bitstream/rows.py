# ruff: noqa: ANN001, ANN201, ANN202
"""Records that are collected before they are written, in growing buffers.

This is the interpreted form, whose buffers are lists.  In `rows.pyx`, the compiled form, they are memory that other
compiled loops fill.
"""

from __future__ import annotations

from array import array

from bitcodec.bitstream.abbreviations import AbbreviationId

COMPILED = False


class Rows:
    """Sequence of records: code, abbreviation id and operands of each.

    A loop adds a record with `put` or `put_object` for each operand, then `end`.
    """

    def __init__(self) -> None:
        self.count = 0
        self._keep([], [], [], [])

    def _keep(self, codes, ids, operands, ends):
        """Keep the records in lists or arrays."""
        self.codes, self.ids, self.operands, self.ends = codes, ids, operands, ends
        # Methods of the list itself are called in a third of the time.
        self.put = self.put_object = operands.append

    def __len__(self) -> int:
        return self.count

    def add(self, code, operands, abbreviation_id=AbbreviationId.UNABBREV_RECORD):
        """Add a record.

        Args:
            code: record code.
            operands: operands, 0..2**64-1 each.
            abbreviation_id: the id to write it by.
        """
        self.operands.extend(operands)
        self.end(code, abbreviation_id)

    def all_codes(self):
        """Return the codes of all records."""
        return [self.codes[row] for row in range(self.count)]

    def record(self, row):
        """Return code and operands of a record.

        Raises:
            IndexError: the record does not exist.
        """
        if not 0 <= row < self.count:
            raise IndexError(f"record {row} is out of range: there are {self.count}")
        first = self.ends[row - 1] if row else 0
        return self.codes[row], [self.operands[place] for place in range(first, self.ends[row])]

    def unabbreviate(self):
        """Have all records written without an abbreviation."""
        for row in range(self.count):
            self.ids[row] = AbbreviationId.UNABBREV_RECORD

    def pack(self):
        """Give back the memory that is reserved for further records.

        Raises:
            OverflowError: an operand is not in 0..2**64-1.
        """
        if isinstance(self.operands, list):
            self._keep(array("I", self.codes), array("I", self.ids), array("Q", self.operands), array("Q", self.ends))

    def end(self, code, abbreviation_id):
        """End a record: its operands are those put since the last one."""
        self.codes.append(code)
        self.ids.append(abbreviation_id)
        self.ends.append(len(self.operands))
        self.count += 1
