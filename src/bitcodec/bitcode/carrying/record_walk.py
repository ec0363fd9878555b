# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
# compiled: for speed
"""The loop over the records of a body that goes to another file.

It runs twice: to find what records refer to, and to write them with other numbers.

Rules: docs/reference/records.md, 6 to 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.carrying.field_walk import KIND, FieldWalk
from bitcodec.bitcode.carrying.forms import (
    FIRST_IS_LAST,
    FORM_CELLS,
    INSTRUCTIONS,
    LAST_IS_FIRST,
    LENGTHS,
    NO_RESULT,
    ONE_RESULT,
    NotCarriedError,
)
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.attachments import DEBUG_RECORD_OPERANDS
from bitcodec.bitcode.reader.programs import CODE_COUNT, ENTRY_CELLS
from bitcodec.bitcode.schema.blocks import ConstantsCode, FunctionCode, UselistCode
from bitcodec.bitcode.schema.instructions import SWITCH_RANGES_MAGIC
from bitcodec.bitcode.writer.rows import UNABBREVIATED
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from bitcodec.bitcode.carrying.marks import Marks
    from bitcodec.bitstream.columns import Columns
    from bitcodec.bitstream.rows import Rows

__all__ = ["RecordWalk"]

_KIND_FOUND = KIND
_CODE_COUNT, _ENTRY_CELLS = CODE_COUNT, ENTRY_CELLS
_FORM_CELLS, _LENGTHS, _UNABBREVIATED = FORM_CELLS, LENGTHS, UNABBREVIATED
_NO_RESULT, _ONE_RESULT = NO_RESULT, ONE_RESULT
_FIRST_IS_LAST, _LAST_IS_FIRST = FIRST_IS_LAST, LAST_IS_FIRST
_SET_TYPE = int(ConstantsCode.SETTYPE)
_BUNDLE, _SWITCH = int(FunctionCode.OPERAND_BUNDLE), int(FunctionCode.INST_SWITCH)
_MAGIC = SWITCH_RANGES_MAGIC
_DECLARE_BLOCKS = int(FunctionCode.DECLAREBLOCKS)
_LOCATION, _SAME_LOCATION = int(FunctionCode.DEBUG_LOC), int(FunctionCode.DEBUG_LOC_AGAIN)
_FIRST_RECORD, _LAST_RECORD = min(DEBUG_RECORD_OPERANDS), max(DEBUG_RECORD_OPERANDS)
_VALUE_SIMPLE = int(FunctionCode.DEBUG_RECORD_VALUE_SIMPLE)
_FIRST_SCOPE, _LAST_SCOPE = 2, 4
"""The operands of a location that are a scope, and where that is inlined."""
_SIMPLE_IDS = 3
_ALL = 1 << 30
_BLOCK_ORDER = int(UselistCode.BB)
_FUNCTION_TYPE: int = INSTRUCTIONS.slots["function_type"]
_RETURNS = 0


class RecordWalk(FieldWalk):
    """Walks through the records of the bodies of a module; its arguments are those of `FieldWalk`."""

    # The two passes

    def begin_survey(self, body: int, first_constant: int, constant_count: int, own_metadata: Marks) -> None:
        """Begin to find what a body refers to.

        Args:
            body: its number, from 1.
            first_constant: the id of its first value after the arguments.
            constant_count: how many constants it has, from there on.
            own_metadata: its own metadata.
        """
        self._is_survey, self._body = True, body
        self.found, self._bundled, self.aliasing = [], [], []
        self.named, self.own_attachments = [], []
        self.has_locations = False
        self._last_value = self._block_count = 0
        self._constants_seen = bytearray(constant_count + 1)
        self._begin(first_constant, constant_count, own_metadata)
        self._shift = 0

    def begin_writing(self, first_own: int, first_constant: int, constant_count: int, own_metadata: Marks) -> None:
        """Begin to write a body.

        Args:
            first_own: the id of its first value in the other file.
            first_constant, constant_count, own_metadata: as above.
        """
        self._is_survey = False
        self._begin(first_constant, constant_count, own_metadata)
        self._shift = first_own - self._first_own

    def _begin(self, first_constant: int, constant_count: int, own_metadata: Marks) -> None:
        self._own_metadata = own_metadata
        self._first_own = self._values.count
        self._first_constant, self._first_result = first_constant, first_constant + constant_count
        self.next_value = self._first_result

    def walk_body(self, columns: Columns, first: int, last: int, rows: Rows | None = None) -> None:
        """Walk through records of FUNCTION_BLOCK.

        Args:
            columns: the columns of the records.
            first, last: the range of their rows.
            rows: receives them on the second walk.

        Raises:
            Malformed, IndexError: one of them is malformed.
            NotCarriedError: one of them is of a form that LLVM 22 does not write, or depends on other bodies.
        """
        self._use(columns, rows)
        for row in range(first, last):
            code = self._codes[row]
            if code == _LOCATION:
                if self._bounds[row + 1] - self._bounds[row] < _LAST_SCOPE:
                    raise Malformed(Reason.TOO_FEW_OPERANDS())
                self.has_locations = True
                self._walk_metadata(row, code, _FIRST_SCOPE, _LAST_SCOPE, 1)
            elif code == _SAME_LOCATION:
                self._walk_metadata(row, code, 0, 0, 0)
            elif code == _DECLARE_BLOCKS:
                self._walk_count(row, code)
            elif _FIRST_RECORD <= code <= _LAST_RECORD:
                self.has_locations = True
                if code == _VALUE_SIMPLE:
                    self._walk_simple_value(row, code)
                else:
                    self._walk_metadata(row, code, 0, _ALL, 0)
            else:
                self._walk_instruction(row, code)

    def check_end(self) -> None:
        """Check that all values that were referred to exist, at the end of the first walk.

        Raises:
            Malformed: one does not.
        """
        if self._last_value >= self.next_value:
            raise Malformed(Reason.NO_VALUE(number=self._last_value))

    def check_ids(self, columns: Columns, first: int, last: int, code_of_blocks: int, is_last: bool) -> None:  # noqa: FBT001 - C passes no keywords
        """Check records that name or order values and blocks, at the end of the first walk.

        Args:
            columns, first, last: as above.
            code_of_blocks: the code of the records of blocks.
            is_last: whether an id is the last operand of its record, and not the first.

        Raises:
            Malformed, IndexError: a value or block does not exist.
        """
        self._use(columns, None)
        for row in range(first, last):
            self._begin_record(row)
            if is_last and self._at < self._end:
                self._at = self._end - 1
            number = self._take()
            if self._codes[row] == code_of_blocks:
                self._block(number)
            elif number >= self.next_value:
                raise Malformed(Reason.NO_VALUE(number=number))

    def walk_constants(self, columns: Columns, first: int, last: int, rows: Rows | None = None) -> None:
        """Walk through records of CONSTANTS_BLOCK, as above."""
        self._use(columns, rows)
        for row in range(first, last):
            self._walk_constant(row, self._codes[row])

    def walk_attachments(self, columns: Columns, first: int, last: int, rows: Rows | None = None) -> None:
        """Walk through the records of METADATA_ATTACHMENT that attach something to instructions, as above."""
        self._use(columns, rows)
        for row in range(first, last):
            self._begin_record(row)
            if not (self._end - self._at) & 1:
                while self._is_survey and self._at < self._end:
                    self.own_attachments.append(self._take())
                continue
            self._put(self._take())
            while self._at < self._end:
                self._walk_attachment()
            if not self._is_survey:
                self._written = 0
                self._rows.end(self._codes[row], _UNABBREVIATED)

    def walk_orders(self, columns: Columns, first: int, last: int, rows: Rows) -> None:
        """Write the records of USELIST_BLOCK that are of the function's own values and blocks, on the second walk."""
        self._use(columns, rows)
        for row in range(first, last):
            self._begin_record(row)
            code = self._codes[row]
            if self._at < self._end:
                number = self._operands[self._end - 1]
                if code == _BLOCK_ORDER or number >= self._first_own:
                    while self._at < self._end - 1:
                        self._put(self._take())
                    self._put(number if code == _BLOCK_ORDER else number + self._shift)
                    self._written = 0
                    self._rows.end(code, _UNABBREVIATED)

    def _walk_attachment(self) -> None:
        kind, number = self._take(), self._take()
        if not kind:
            raise NotCarriedError  # a location, which LLVM writes elsewhere
        if not self._is_survey:
            self._put(self._kinds.other(kind))
        elif self._kinds.mark(kind, self._body):
            self.found.append(_KIND_FOUND)
            self.found.append(kind)
        if kind == self._aliasing_kind and self._is_survey:
            self.aliasing.append(number)
        self._put(self.metadata_id(number))

    def _use(self, columns: Columns, rows: Rows | None) -> None:
        self._operands, self._bounds = columns.operands, columns.records.first_operand
        self._codes = columns.records.code
        self._rows = rows

    def _walk_instruction(self, row: int, code: int) -> None:
        self._entries, self._cells = self._instruction_entries, self._instruction_cells
        self._begin_record(row)
        if code >= _CODE_COUNT or self._entries[code * _ENTRY_CELLS] < 0:
            raise NotCarriedError
        if code == _SWITCH and self._at < self._end and self._operands[self._at] >> 16 == _MAGIC:
            raise NotCarriedError
        if code == _BUNDLE:
            self._walk_tag()
        self._walk_fields(code)
        if self._is_survey:
            self._keep_found(code)
        else:
            self._end_record(code, self._function_abbreviations)
        self._count_result(code)

    def _count_result(self, code: int) -> None:
        result = self._forms[code * _FORM_CELLS]
        if result == _ONE_RESULT:
            self.next_value += 1
        elif result != _NO_RESULT:
            self.next_value += self._signature(self._numbers[_FUNCTION_TYPE])[_RETURNS]

    def _walk_constant(self, row: int, code: int) -> None:
        self._entries, self._cells = self._constant_entries, self._constant_cells
        self._begin_record(row)
        if code == _SET_TYPE:
            self._put(self._type(self._take()))
        elif code >= _CODE_COUNT or self._entries[code * _ENTRY_CELLS] < 0:
            raise NotCarriedError
        else:
            self._walk_fields(code)
        if self._is_survey:
            self._keep_found(code)
        else:
            self._end_record(code, self._constant_abbreviations)

    def _walk_metadata(self, row: int, code: int, first: int, last: int, base: int) -> None:
        """Walk through a record that has metadata ids from one operand to another; other operands stay.

        If 1 is added to each id, 0 means none.
        """
        self._begin_record(row)
        index = 0
        while self._at < self._end:
            number = self._take()
            if first <= index < last and number >= base:
                number = self.metadata_id(number - base) + base
            self._put(number)
            index += 1
        if not self._is_survey:
            self._end_record(code, self._function_abbreviations)

    def _walk_count(self, row: int, code: int) -> None:
        """Walk through the count of blocks, which is the first record."""
        self._begin_record(row)
        if self._is_survey and (self._block_count or self._at == self._end or not self._operands[self._at]):
            raise Malformed(Reason.BLOCKS_ONCE())
        self._block_count = self._take()
        self._put(self._block_count)
        if not self._is_survey:
            self._end_record(code, self._function_abbreviations)

    def _walk_simple_value(self, row: int, code: int) -> None:
        """Walk through a debug record that contains its value."""
        self._begin_record(row)
        for _ in range(_SIMPLE_IDS):
            self._put(self.metadata_id(self._take()))
        self._value()
        if self._is_survey:
            self._keep_found(code)
        else:
            self._copy_rest()
            self._end_record(code, self._function_abbreviations)

    def note_type(self, number: int) -> None:
        """Note a type that metadata of the function refers to."""
        self._type(number)
        self.found += self._others_found
        self._others_found.clear()

    # Records

    def _end_record(self, code: int, abbreviations: Any) -> None:
        rows = self._rows
        count = self._written
        self._written = 0
        length = min(_LENGTHS - 1, count)
        is_fit = self._is_plain or abbreviations[code * _LENGTHS] != _UNABBREVIATED
        rows.end(code, abbreviations[code * _LENGTHS + length] if code < _CODE_COUNT and is_fit else _UNABBREVIATED)

    def _keep_found(self, code: int) -> None:
        """Put the references of a record in LLVM's order: operands, types, attributes."""
        operands = self._operands_found
        if code == _BUNDLE:
            self._bundled += operands
            operands.clear()
        elif operands or self._bundled:
            order = self._forms[code * _FORM_CELLS + 1] if code < _CODE_COUNT else 0
            if order == _FIRST_IS_LAST and self._behind_first >= 0:
                split = self._behind_first
                self.found += operands[split:]
                self.found += self._bundled
                self.found += operands[:split]
            elif order == _LAST_IS_FIRST and self._before_last >= 0:
                split = self._before_last
                self.found += operands[split:]
                self.found += operands[:split]
            else:
                self.found += operands
                self.found += self._bundled
            operands.clear()
            self._bundled.clear()
        if self._others_found:
            self.found += self._others_found
            self._others_found.clear()
        if self._lists_found:
            self.found += self._lists_found
            self._lists_found.clear()

    def _walk_tag(self) -> None:
        number = self._take()
        self._put(self._tag(number))
