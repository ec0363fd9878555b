# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
# compiled: for speed
"""The loop over the operands of a record that is copied to another file: its references, and their numbers there.

It follows the layouts that the reader follows.  A function's own values keep their distances, so only the numbers of
what belongs to the module change.

Rules: docs/reference/records.md, 6.2 and 7.1.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.carrying.forms import (
    CONSTANT_ABBREVIATIONS,
    CONSTANTS,
    FUNCTION_ABBREVIATIONS,
    INSTRUCTION_FORMS,
    INSTRUCTIONS,
    NotCarriedError,
)
from bitcodec.bitcode.carrying.marks import Marks
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.programs import (
    AMOUNT,
    BOXED_NUMBER,
    CONDITION,
    CONDITION_SLOT,
    ENTRY_CELLS,
    IF_BIT,
    IF_MORE,
    IF_REMAINING,
    MUST_END,
    OF,
    SLOT,
    STEP_CELLS,
)
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.fields import WordKind
from bitcodec.bitcode.schema.instructions import METADATA_INPUT
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["ATTRIBUTES", "CONSTANT", "KIND", "METADATA", "SCOPE", "TAG", "TYPE", "VALUE", "FieldWalk"]

VALUE, CONSTANT, TYPE, ATTRIBUTES, SCOPE, TAG, METADATA, KIND = range(8)
"""Kinds of found references: a value of the module, a constant of the function, a type, an attribute list, a
synchronization scope, the tag of an operand bundle, metadata, a kind of attached metadata."""
_VALUE_FOUND, _CONSTANT_FOUND, _TYPE_FOUND, _ATTRIBUTES_FOUND = VALUE, CONSTANT, TYPE, ATTRIBUTES
_SCOPE_FOUND, _TAG_FOUND, _METADATA_FOUND = SCOPE, TAG, METADATA

_MASK = 0xFFFF_FFFF
_ENTRY_CELLS, _STEP_CELLS = ENTRY_CELLS, STEP_CELLS
_SLOT, _OF, _CONDITION, _CONDITION_SLOT, _AMOUNT = SLOT, OF, CONDITION, CONDITION_SLOT, AMOUNT
_MUST_END = MUST_END
_IF_BIT, _IF_REMAINING, _IF_MORE = IF_BIT, IF_REMAINING, IF_MORE

_BOXED_NUMBER = BOXED_NUMBER
_NUMBER: int = WordKind.NUMBER.value
_FLAG: int = WordKind.FLAG.value
_ALIGNMENT: int = WordKind.ALIGNMENT.value
_ORDERING: int = WordKind.ORDERING.value
_SCOPE: int = WordKind.SCOPE.value
_ATTRIBUTES: int = WordKind.ATTRIBUTES.value
_TYPE: int = WordKind.TYPE.value
_BLOCK: int = WordKind.BLOCK.value
_VALUE: int = WordKind.VALUE.value
_TYPED_VALUE: int = WordKind.TYPED_VALUE.value
_ABSOLUTE: int = WordKind.ABSOLUTE.value
_VALUES: int = WordKind.VALUES.value
_COUNTED_VALUES: int = WordKind.COUNTED_VALUES.value
_BLOCKS: int = WordKind.BLOCKS.value
_COUNTED_BLOCKS: int = WordKind.COUNTED_BLOCKS.value
_NUMBERS: int = WordKind.NUMBERS.value
_ABSOLUTES: int = WordKind.ABSOLUTES.value
_TYPED_ABSOLUTES: int = WordKind.TYPED_ABSOLUTES.value
_RANGE: int = WordKind.RANGE.value
_INCOMING: int = WordKind.INCOMING.value
_CASES: int = WordKind.CASES.value
_CLAUSES: int = WordKind.CLAUSES.value
_INPUTS: int = WordKind.INPUTS.value
_METADATA_INPUT = METADATA_INPUT

_BUNDLE = int(FunctionCode.OPERAND_BUNDLE)
_RETURNS, _IS_VARIADIC, _FIRST_PARAMETER = 0, 1, 2
_IS_BLOCK, _IS_METADATA = 1, 2
_SLOT_COUNT = max(len(INSTRUCTIONS.slots), len(CONSTANTS.slots)) + 1


class FieldWalk:
    """Walks through the operands of one record after another.

    Args:
        values, types, attributes, scopes, tags, metadata, kinds: of the module.
        aliasing_kind: the number of the kind `tbaa`, -1 if it is absent.
        signature: returns for the id of a type, which must be a function type: whether it returns anything, whether
            it takes further arguments, and for each parameter 0 if it is a value, 1 for a block, 2 for metadata.
        metadata_type: the id of the type of metadata, -1 if there is none.

    Attributes:
        found: pairs of kind and number of each reference, in LLVM's order of operands.
        named: the ids of metadata that is found, in order.
        aliasing: ids of nodes attached as `tbaa`.
        own_attachments: pairs of kind and metadata id of the function's own attachments.
        has_locations: whether there are locations or debug records.
        next_value: id of the next value.
    """

    def __init__(
        self,
        values: Marks,
        types: Marks,
        attributes: Marks,
        scopes: Marks,
        tags: Marks,
        metadata: Marks,
        kinds: Marks,
        aliasing_kind: int,
        signature: Callable[[int], bytes],
        metadata_type: int,
    ) -> None:
        self._values, self._types, self._attributes = values, types, attributes
        self._scopes, self._tags, self._metadata = scopes, tags, metadata
        self._own_metadata = Marks(0)
        self._signature_of = signature
        self._signatures: dict[int, bytes] = {}
        self._metadata_type = metadata_type
        self._instruction_entries, self._instruction_cells = INSTRUCTIONS.entries, INSTRUCTIONS.cells
        self._constant_entries, self._constant_cells = CONSTANTS.entries, CONSTANTS.cells
        self._entries, self._cells = self._instruction_entries, self._instruction_cells
        self._forms = INSTRUCTION_FORMS
        self._function_abbreviations, self._constant_abbreviations = FUNCTION_ABBREVIATIONS, CONSTANT_ABBREVIATIONS
        self._numbers = array("Q", bytes(8 * _SLOT_COUNT))
        self.found: list[int] = []
        self._operands_found: list[int] = []
        self._others_found: list[int] = []
        self._lists_found: list[int] = []
        self._bundled: list[int] = []
        self._constants_seen = bytearray(1)
        self._rows: Any = None
        self._operands: Sequence[int] = array("Q")
        self._bounds: Sequence[int] = array("Q")
        self._codes: Sequence[int] = array("I")
        self._is_survey, self._is_plain = True, True
        self._body = self._first_own = self._first_constant = self._first_result = self.next_value = 0
        self._shift = self._before_last = self._behind_first = 0
        self._at = self._end = self._written = 0
        self._last_value = self._block_count = 0
        self._kinds, self._aliasing_kind = kinds, aliasing_kind
        self.aliasing: list[int] = []
        self.named: list[int] = []
        self.own_attachments: list[int] = []
        self.has_locations = False

    def metadata_id(self, number: int) -> int:
        """Return the id that metadata has in the other file; on the first walk, mark it as found.

        Raises:
            Malformed: the metadata does not exist.
        """
        count = self._metadata.count
        if not self._is_survey:
            return self._metadata.other(number) if number < count else self._own_metadata.other(number - count)
        if self._metadata.mark(number, self._body) if number < count else self._own_metadata.mark(number - count, 1):
            self.found.append(_METADATA_FOUND)
            self.found.append(number)
            self.named.append(number)
        return number

    def _begin_record(self, row: int) -> None:
        self._at, self._end = self._bounds[row], self._bounds[row + 1]
        self._is_plain = True
        self._before_last = self._behind_first = -1

    def _walk_fields(self, code: int) -> None:
        entry = code * _ENTRY_CELLS
        cell, last = self._entries[entry], self._entries[entry + 1]
        if code == _BUNDLE:
            cell += _STEP_CELLS  # the tag
        while cell < last:
            if not self._cells[cell + _CONDITION] or self._is_present(cell):
                self._walk_field(cell)
            elif self._cells[cell + _CONDITION] == _IF_BIT and self._cells[cell] == _TYPE:
                raise NotCarriedError
            cell += _STEP_CELLS
        if self._at < self._end:
            if self._entries[entry + 2] & _MUST_END:
                raise Malformed(Reason.MORE_OPERANDS_THAN_FIELDS())
            self._copy_rest()

    def _is_present(self, cell: int) -> bool:
        condition = self._cells[cell + _CONDITION]
        if condition == _IF_MORE:
            return self._at < self._end
        if condition == _IF_BIT:
            return self._numbers[self._cells[cell + _CONDITION_SLOT]] >> self._cells[cell + _AMOUNT] & 1 != 0
        if condition == _IF_REMAINING:
            if self._end - self._at != self._cells[cell + _AMOUNT]:
                raise NotCarriedError
            return True
        return (self._end - self._at) & 1 != 0

    def _take(self) -> int:
        at = self._at
        if at >= self._end:
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        self._at = at + 1
        return self._operands[at]

    def _put(self, number: int) -> None:
        if not self._is_survey:
            self._rows.put(number)
            self._written += 1

    def _copy_rest(self) -> None:
        while self._at < self._end:
            self._put(self._take())

    # Fields

    def _walk_field(self, cell: int) -> None:  # noqa: C901 - one branch for each kind
        kind = self._cells[cell]
        if kind == _VALUE:
            self._value()
        elif kind == _TYPED_VALUE:
            self._before_last = len(self._operands_found)
            self._put(self._distance(self._take()))
        elif kind == _TYPE:
            number = self._take()
            self._numbers[self._cells[cell + _SLOT]] = number
            self._put(self._type(number))
        elif kind in (_NUMBER, _BOXED_NUMBER):
            number = self._take()
            self._numbers[self._cells[cell + _SLOT]] = number
            self._put(number)
        elif kind == _BLOCK:
            self._put(self._block(self._take()))
        elif kind in (_FLAG, _ALIGNMENT, _ORDERING):
            self._put(self._take())
        elif kind == _ATTRIBUTES:
            self._put(self._attribute_list(self._take()))
        elif kind == _ABSOLUTE:
            self._put(self._absolute(self._take()))
        elif kind == _VALUES:
            while self._at < self._end:
                self._value()
        elif kind == _INPUTS:
            self._walk_inputs()
        else:
            self._walk_list(kind, cell)

    def _walk_list(self, kind: int, cell: int) -> None:  # noqa: C901, PLR0912 - one branch for each kind
        if kind == _NUMBERS:
            self._copy_rest()
        elif kind == _BLOCKS:
            while self._at < self._end:
                self._put(self._block(self._take()))
        elif kind == _ABSOLUTES:
            while self._at < self._end:
                self._put(self._absolute(self._take()))
        elif kind == _TYPED_ABSOLUTES:
            while self._at < self._end:
                self._put(self._type(self._take()))
                self._put(self._absolute(self._take()))
        elif kind == _INCOMING:
            self._walk_incoming()
        elif kind == _CASES:
            while self._at < self._end:
                self._put(self._absolute(self._take()))
                self._put(self._block(self._take()))
        elif kind == _SCOPE:
            self._put(self._scope(self._take()))
        elif kind in (_COUNTED_BLOCKS, _COUNTED_VALUES, _CLAUSES):
            self._walk_counted(kind)
        elif kind == _RANGE:
            self._walk_range()
        else:
            self._walk_arguments(cell)

    def _walk_counted(self, kind: int) -> None:
        count = self._take()
        self._put(count)
        # No more than there are operands.
        if count > self._end - self._at:
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        for done in range(count):  # noqa: B007 - its type is declared
            if kind == _COUNTED_BLOCKS:
                self._put(self._block(self._take()))
            elif kind == _CLAUSES:
                self._put(self._take())
            if kind != _COUNTED_BLOCKS:
                self._value()

    def _walk_range(self) -> None:
        """Walk a range: its width, then two numbers, of one operand each or as many as another states."""
        width = self._take()
        self._put(width)
        count = 2
        if width > 64:
            counts = self._take()
            self._put(counts)
            count = (counts & _MASK) + (counts >> 32)
        if count > self._end - self._at:
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        for done in range(count):  # noqa: B007 - its type is declared
            self._put(self._take())

    def _walk_incoming(self) -> None:
        """Walk through the edges of a phi: distances with a sign in the lowest bit, and blocks."""
        while self._at + 1 < self._end:
            number = self._take()
            back = number >> 1
            if not number & 1 and back > self.next_value - self._first_own:
                self._put(self._distance(back) << 1)
            else:
                self._note_own(self.next_value + back if number & 1 else self.next_value - back)
                self._put(number)
            self._put(self._block(self._take()))

    def _walk_inputs(self) -> None:
        """Walk through the inputs of an operand bundle.  A body with metadata inputs is read: they are rare."""
        while self._at < self._end:
            if self._operands[self._at] & _MASK == _METADATA_INPUT:
                raise NotCarriedError
            self._value()

    def _walk_arguments(self, cell: int) -> None:
        """Walk through arguments: one for each parameter, then any number with their types if these come later."""
        signature = self._signature(self._numbers[self._cells[cell + _OF]])
        for place in range(_FIRST_PARAMETER, len(signature)):
            number = self._take()
            kind = signature[place]
            if kind == _IS_BLOCK:
                self._put(self._block(number))
            elif kind == _IS_METADATA:
                found = self.metadata_id((self.next_value - number) & _MASK)
                self._put((self.next_value + self._shift - found) & _MASK)
            else:
                self._put(self._distance(number))
        if self._at < self._end and not signature[_IS_VARIADIC]:
            raise Malformed(Reason.MORE_ARGUMENTS())
        while self._at < self._end:
            self._value()

    def _signature(self, type_id: int) -> bytes:
        found = self._signatures.get(type_id)
        if found is None:
            found = self._signatures[type_id] = self._signature_of(type_id)
        return found

    def _value(self) -> None:
        """Walk through a value, and its type if it comes later."""
        self._before_last = len(self._operands_found)
        number = self._take()
        self._put(self._distance(number))
        if self._behind_first < 0:
            self._behind_first = len(self._operands_found)
        if (self.next_value - number) & _MASK >= self.next_value:
            self._is_plain = False
            type_id = self._take()
            if type_id == self._metadata_type:
                raise NotCarriedError
            self._put(self._type(type_id))

    def _distance(self, distance: int) -> int:
        """Return the distance of a value in the other file."""
        number = (self.next_value - distance) & _MASK
        if number >= self._first_own:
            if self._is_survey:
                self._note_own(number)
            return distance
        if self._is_survey:
            self._note(number)
            return distance
        return (self.next_value + self._shift - self._values.other(number)) & _MASK

    def _absolute(self, number: int) -> int:
        if number >= self._first_own:
            if number > _MASK:
                raise Malformed(Reason.NO_VALUE(number=number))
            if self._is_survey:
                self._note_own(number)
            return number + self._shift
        if self._is_survey:
            self._note(number)
            return number
        return self._values.other(number)

    # Found references

    def _note(self, number: int) -> None:
        if self._values.mark(number, self._body):
            self._operands_found.append(_VALUE_FOUND)
            self._operands_found.append(number)

    def _note_own(self, number: int) -> None:
        """Note a value of the function: a constant, or how many values there must be."""
        index = number - self._first_constant
        if index < 0:
            return
        if number >= self._first_result:
            self._last_value = max(self._last_value, number)
        elif self._is_survey and not self._constants_seen[index]:
            self._constants_seen[index] = 1
            self._operands_found.append(_CONSTANT_FOUND)
            self._operands_found.append(index)

    def _block(self, number: int) -> int:
        """Return the number of a basic block.

        Raises:
            Malformed: no block has that number.
        """
        if number >= self._block_count:
            raise Malformed(Reason.NO_BLOCK(number=number))
        return number

    def _type(self, number: int) -> int:
        if not self._is_survey:
            return self._types.other(number)
        if self._types.mark(number, self._body):
            self._others_found.append(_TYPE_FOUND)
            self._others_found.append(number)
        return number

    def _attribute_list(self, number: int) -> int:
        if not number:
            return 0
        if not self._is_survey:
            return self._attributes.other(number)
        if self._attributes.mark(number, self._body):
            self._lists_found.append(_ATTRIBUTES_FOUND)
            self._lists_found.append(number)
        return number

    def _scope(self, number: int) -> int:
        if not self._is_survey:
            return self._scopes.other(number)
        if self._scopes.mark(number, self._body):
            self._others_found.append(_SCOPE_FOUND)
            self._others_found.append(number)
        return number

    def _tag(self, number: int) -> int:
        if not self._is_survey:
            return self._tags.other(number)
        if self._tags.mark(number, self._body):
            self._others_found.append(_TAG_FOUND)
            self._others_found.append(number)
        return number
