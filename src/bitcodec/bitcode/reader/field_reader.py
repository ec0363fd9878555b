# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
# compiled: for speed
"""The loop that reads the fields of records from a column of operands, by the programs of their layouts.

A value that is defined later is followed by its type id.  Rules: docs/reference/records.md, 7.1.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.integers import constant_range, range_width
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader import programs as cells
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.fields import TypeRule, WordKind
from bitcodec.host import native
from bitcodec.ir.type_properties import holds_floating_point
from bitcodec.ir.types import FunctionType, MetadataType, PointerType, VectorType
from bitcodec.reasons import Reason
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.programs import Programs
    from bitcodec.bitstream.columns import Columns
    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["FieldReader", "Fields", "alignment"]

Fields = dict[str, Any]
"""Decoded fields by name; with a type `x` comes its id as `x id`."""

_CODE_COUNT = cells.CODE_COUNT
_ENTRY_CELLS, _STEP_CELLS = cells.ENTRY_CELLS, cells.STEP_CELLS
_SLOT, _OF, _RULE, _DEFAULT = cells.SLOT, cells.OF, cells.RULE, cells.DEFAULT
_CONDITION, _CONDITION_SLOT, _AMOUNT = cells.CONDITION, cells.CONDITION_SLOT, cells.AMOUNT
_MUST_END = cells.MUST_END
_IF_BIT, _IF_REMAINING, _IF_ODD, _IF_MORE = cells.IF_BIT, cells.IF_REMAINING, cells.IF_ODD, cells.IF_MORE

_BOXED_NUMBER = cells.BOXED_NUMBER
_NUMBER: int = WordKind.NUMBER.value
_FLAG: int = WordKind.FLAG.value
_ALIGNMENT: int = WordKind.ALIGNMENT.value
_ORDERING: int = WordKind.ORDERING.value
_SCOPE: int = WordKind.SCOPE.value
_ATTRIBUTES: int = WordKind.ATTRIBUTES.value
_RANGE: int = WordKind.RANGE.value
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
_INCOMING: int = WordKind.INCOMING.value
_CASES: int = WordKind.CASES.value
_CLAUSES: int = WordKind.CLAUSES.value
_ARGUMENTS: int = WordKind.ARGUMENTS.value
_INPUTS: int = WordKind.INPUTS.value

_SAME: int = TypeRule.SAME.value
_GIVEN: int = TypeRule.GIVEN.value
_ELEMENT: int = TypeRule.ELEMENT.value
_POINTEE: int = TypeRule.POINTEE.value
_BOOLEAN: int = TypeRule.BOOLEAN.value

_NO_TYPE_ID = NO_TYPE_ID

_MAX_ALIGNMENT_EXPONENT = 32
_ALIGNMENT_COUNT = _MAX_ALIGNMENT_EXPONENT + 2
_ALIGNMENTS = (None, *[1 << exponent for exponent in range(_MAX_ALIGNMENT_EXPONENT + 1)])
"""Alignments in bytes by their codes; None means the target's own."""
_ORDERINGS = tuple(AtomicOrdering)
_ORDERING_COUNT = len(_ORDERINGS)


class FieldReader:
    """Reads the fields of one record after another.

    Args:
        programs: the programs of the records.
        state: looks up the values of fields: a `FunctionState`, or as much of one as the records need.
        columns: the columns that hold the records.

    Attributes:
        state: as above.
        objects: fields that are objects, by slot.
        numbers: fields that are numbers, by slot.
        type_ids: where pointers are typed, the type id of each field that is a type, a value with an explicit type, or
            of the pointee of a pointer, by slot; for a list of values, of the first.
        at, end: the operand to be read next, and the end of the record's operands, in the column.
    """

    def __init__(self, programs: Programs, state: Any, columns: Columns) -> None:
        self.programs = programs
        self.state = state
        self._entries = programs.entries
        self._cells = programs.cells
        count = len(programs.slots)
        self.objects: list[Any] = [None] * count
        self.type_ids: list[int] = [_NO_TYPE_ID] * count
        self.numbers = array("Q", bytes(8 * (count + 1)))
        self.is_direct = state.is_direct
        self._keeps_type_ids = state.keeps_type_ids
        self._is_relative = False
        if self.is_direct:
            self._is_relative = state.is_relative
            self.values = native.as_list(state.values)
            self.value_type_ids = native.as_list(state.value_type_ids)
            self.types = native.as_list(state.type_list)
            self._type_parts, self._part_ends = state.type_parts, state.part_ends
        self._callee_slot = programs.slots.get("callee", 0)
        self.boolean = state.boolean
        self.attribute_lists: dict[int, AttributeList] = {}
        self.blocks: list[BasicBlock] = []
        self.at = self.end = self._extra = 0
        self.use(columns)

    def use(self, columns: Columns) -> None:
        """Read from other columns from now on."""
        self._column = self.operands = columns.operands
        self.bounds = columns.records.first_operand

    def has_program(self, code: int) -> bool:
        """Return whether the records of a code have a layout."""
        return code < _CODE_COUNT and self._entries[code * _ENTRY_CELLS] >= 0

    def fields(self, code: int, row: int) -> Fields:
        """Read a record, which has a layout, and return its fields by name.

        Raises:
            Malformed: it is malformed or too short.
        """
        self.at, self.end = self.bounds[row], self.bounds[row + 1]
        self.read_fields(code)
        slots, found = self.programs.slots, Fields()
        for field in self.programs.layouts[code]:
            slot = slots[field.name]
            value = found[field.name] = self.objects[slot]
            if field.kind is WordKind.TYPE:
                found[f"{field.name} id"] = None if value is None else self.type_ids[slot]
        return found

    def take(self) -> int:
        """Return the next operand.

        Raises:
            IndexError: the record has no more operands.
        """
        return self._take()

    def take_rest(self) -> list[int]:
        """Return all operands that remain."""
        at, self.at = self.at, self.end
        numbers: list[int] = self._column[at : self.end].tolist()
        return numbers

    def read_fields(self, code: int) -> int:
        """Read the fields of a record of a code that has a layout, from `at` on.

        Raises:
            Malformed: it is malformed or too short.
        """
        entry = code * _ENTRY_CELLS
        cell, last, flags = self._entries[entry], self._entries[entry + 1], self._entries[entry + 2]
        first = self.at
        self._extra = 0
        while cell < last:
            if self._cells[cell + _CONDITION] and not self._is_present(cell):
                self._set_default(cell)
            else:
                self._read_field(cell)
            cell += _STEP_CELLS
        if flags & _MUST_END and self.at < self.end:
            raise Malformed(Reason.MORE_THAN_FIELDS(count=self.end - first - self._extra))
        return 0

    def _take(self) -> int:
        at = self.at
        if at >= self.end:
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        self.at = at + 1
        return self.operands[at]

    def _is_present(self, cell: int) -> bool:
        condition = self._cells[cell + _CONDITION]
        if condition == _IF_MORE:
            return self.at < self.end
        if condition == _IF_BIT:
            return self.numbers[self._cells[cell + _CONDITION_SLOT]] >> self._cells[cell + _AMOUNT] & 1 != 0
        if condition == _IF_REMAINING:
            return self.end - self.at == self._cells[cell + _AMOUNT]
        return (self.end - self.at) & 1 != 0

    def _set_default(self, cell: int) -> None:
        slot, default = self._cells[cell + _SLOT], self._cells[cell + _DEFAULT]
        self.objects[slot] = None if default < 0 else default
        self.numbers[slot] = max(default, 0)
        if self._cells[cell + _RULE] == _POINTEE and self._keeps_type_ids:
            self._set_pointee(slot, self._pointee_id(self.type_ids[self._cells[cell + _OF]]))

    def _set_pointee(self, slot: int, type_id: int) -> None:
        """Let a field be the type that a pointer points to, if that is known."""
        self.type_ids[slot] = type_id
        self.objects[slot] = None if type_id < 0 else self.types[type_id]

    def _pointee_id(self, type_id: int) -> int:
        """Return the pointee type id of a pointer type, in a module with typed pointers; -1 if not known."""
        if not 0 <= type_id < len(self.types) or not isinstance(self.types[type_id], PointerType):
            return _NO_TYPE_ID
        return self._part(type_id, 0)

    def _part(self, type_id: int, index: int) -> int:
        """Return the id of a part of a type, in a module with typed pointers; -1 if it has no such part."""
        ends = self._part_ends
        if not 0 <= type_id < len(ends):
            return _NO_TYPE_ID
        at = index + (ends[type_id - 1] if type_id else 0)
        return self._type_parts[at] if index >= 0 and at < ends[type_id] else _NO_TYPE_ID

    def _index_of(self, number: int) -> int:
        """Return the place of a value in the list; none is there if it is defined later."""
        return len(self.values) - number if self._is_relative else number

    def _read_field(self, cell: int) -> None:  # noqa: C901 - one branch for each kind
        kind, slot = self._cells[cell], self._cells[cell + _SLOT]
        if kind == _VALUE:
            self._read_value(slot)
        elif kind == _TYPED_VALUE:
            self._read_typed(slot, self._type_of(cell, slot))
        elif kind == _TYPE:
            self._read_type(slot)
        elif kind in (_NUMBER, _BOXED_NUMBER):
            number = self._take()
            self.numbers[slot] = number
            if kind == _BOXED_NUMBER or not self.is_direct:
                self.objects[slot] = number
        elif kind == _FLAG:
            self.objects[slot] = self._take() != 0
        elif kind == _ALIGNMENT:
            number = self._take()
            self.objects[slot] = _ALIGNMENTS[number] if number < _ALIGNMENT_COUNT else alignment(number)
        elif kind == _BLOCK:
            self.objects[slot] = self._block_at(self._take())
        elif kind == _ATTRIBUTES:
            number = self._take()
            self.numbers[slot] = number
            found = self.attribute_lists.get(number)
            self.objects[slot] = self.state.attribute_list(number) if found is None else found
        elif kind == _ABSOLUTE:
            self._read_absolute(slot, cell)
        else:
            self.objects[slot] = self._rest_of(cell, kind, slot)

    # Fields of one operand

    def _read_value(self, slot: int) -> None:
        number = self._take()
        if self.is_direct:
            index = self._index_of(number)
            if 0 <= index < len(self.values):
                self.objects[slot] = self._value_at(index)
                if self._keeps_type_ids:
                    self.type_ids[slot] = self.value_type_ids[index]
                return
        at = self.at
        self.objects[slot] = self.state.value(number, self)
        self.type_ids[slot] = self.state.last_type_id
        self._extra += self.at - at

    def _read_typed(self, slot: int, type_: Type | None) -> None:
        """Read a value of a type; if that is None, it is not known, and the value has to be defined already."""
        number = self._take()
        if self.is_direct:
            index = self._index_of(number)
            if 0 <= index < len(self.values):
                found = self._value_at(index)
                if type_ is None or found.type is type_:
                    self.objects[slot] = found
                    return
        if type_ is None:
            raise Malformed(Reason.UNKNOWN_POINTEE())
        self.objects[slot] = self.state.typed_value(number, type_)

    def _read_absolute(self, slot: int, cell: int) -> None:
        number = self._take()
        of = self._cells[cell + _OF]
        type_ = self.objects[of] if of >= 0 else None
        if self.is_direct and number < len(self.values) and not isinstance(type_, MetadataType):
            found = self._value_at(number)
            if found.type is type_:
                self.objects[slot] = found
                return
        self.objects[slot] = self.state.absolute(number, type_)

    def _value_at(self, index: int) -> Any:
        """Return a value by a number that is less than there are values."""
        found = self.values[index]
        return self.state.known_value(index) if found is None else found

    def _read_type(self, slot: int) -> None:
        number = self._take()
        if self._keeps_type_ids:
            self.type_ids[slot] = number
        if self.is_direct and number < len(self.types):
            self.objects[slot] = self.types[number]
        else:
            self.objects[slot] = self.state.type_of_id(number)

    def _block_at(self, number: int) -> BasicBlock:
        return self.blocks[number] if number < len(self.blocks) else self.state.block(number)

    def _type_of(self, cell: int, slot: int) -> Any:
        """Return the type of a value that is written without it, None if it depends on an opaque pointer."""
        rule, of = self._cells[cell + _RULE], self._cells[cell + _OF]
        if rule == _SAME:
            other = self.objects[of]
            return other.type
        if rule == _GIVEN:
            return self.objects[of]
        if rule == _BOOLEAN:
            return self.boolean
        if rule == _ELEMENT:
            return _element_type(self.objects[of])
        if rule == _POINTEE:
            type_id = self._pointee_id(self.type_ids[of]) if self._keeps_type_ids else _NO_TYPE_ID
            self.type_ids[slot] = type_id
            return None if type_id < 0 else self.types[type_id]
        return self.state.types.token

    # Fields of several operands

    def _rest_of(self, cell: int, kind: int, slot: int) -> Any:
        if kind == _ARGUMENTS:
            return self._arguments(self._cells[cell + _OF])
        if kind == _VALUES:
            return self._values(slot)
        if kind == _INPUTS:
            return self.state.bundle_inputs(self)
        if kind == _INCOMING:
            return self._incoming(self.objects[self._cells[cell + _OF]])
        if kind == _CASES:
            return self._cases(self.objects[self._cells[cell + _OF]])
        return self._rarely(kind)

    def _rarely(self, kind: int) -> Any:  # noqa: PLR0911 - as above
        """Return a field of a kind that few records have."""
        if kind == _ORDERING:
            number = self._take()
            return _ORDERINGS[number] if number < _ORDERING_COUNT else AtomicOrdering.SEQUENTIALLY_CONSISTENT
        if kind == _SCOPE:
            return self.state.scope(self._take())
        if kind == _NUMBERS:
            return self.take_rest()
        if kind == _COUNTED_VALUES:
            return [self.state.value(self.take(), self) for _ in range(self.take())]
        if kind == _BLOCKS:
            return [self._block_at(number) for number in self.take_rest()]
        if kind == _COUNTED_BLOCKS:
            return [self._block_at(self.take()) for _ in range(self.take())]
        if kind == _CLAUSES:
            return [(self.take(), self.state.value(self.take(), self)) for _ in range(self.take())]
        if kind == _ABSOLUTES:
            return [self.state.absolute(number, None) for number in self.take_rest()]
        if kind == _RANGE:
            return constant_range(range_width(self.take), self.take)
        return self._pairs()

    def _pairs(self) -> list[tuple[int, int]]:
        numbers = self.take_rest()
        if len(numbers) & 1:
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        return list(zip(numbers[::2], numbers[1::2], strict=True))

    def _values(self, slot: int) -> list[Value]:
        found: list[Any] = []
        if self.is_direct:
            known = len(self.values)
            while self.at < self.end:
                index = self._index_of(self.operands[self.at])
                if not 0 <= index < known:
                    break
                if not found and self._keeps_type_ids:
                    self.type_ids[slot] = self.value_type_ids[index]
                found.append(self._value_at(index))
                self.at += 1
        while self.at < self.end:
            value = self.state.value(self._take(), self)
            if not found:
                self.type_ids[slot] = self.state.last_type_id
            found.append(value)
        return found

    def _arguments(self, of: int) -> list[Value]:
        """Return the arguments of a call: one per parameter, then any number if the function is variadic."""
        state, function_type = self.state, self.objects[of]
        if self._keeps_type_ids:
            if function_type is None:
                self._set_pointee(of, self._pointee_id(self.type_ids[self._callee_slot]))
                function_type = self.objects[of]
            state.called_type_id = self.type_ids[of]
        if not isinstance(function_type, FunctionType):
            raise _no_function(function_type)
        parameters = function_type.parameter_types
        count, first = len(parameters), self.at
        if self.is_direct and self.end - first == count:
            known = len(self.values)
            found: list[Any] = []
            for place in range(count):
                index = self._index_of(self.operands[first + place])
                if not 0 <= index < known:
                    break
                value = self._value_at(index)
                if value.type is not parameters[place]:
                    break
                found.append(value)
            if len(found) == count:
                self.at = self.end
                return found
        arguments: list[Value] = state.argument_values(self, self.objects[self._callee_slot], function_type)
        return arguments

    def _incoming(self, type_: Type) -> tuple[list[Value], list[BasicBlock], int]:
        """Return values and blocks of the edges of a phi, and its flags: an odd operand at the end."""
        first, end, flags = self.at, self.end, 0
        if (end - first) & 1:
            if not holds_floating_point(type_):
                raise Malformed(Reason.PHI_FLAGS(type=type_.brief))
            end -= 1
            flags = self.operands[end]
        self.at = self.end
        blocks = [self._block_at(self.operands[at]) for at in range(first + 1, end, 2)]
        values: list[Any] = []
        known = len(self.values) if self.is_direct and self._is_relative else 0
        for at in range(first, end, 2):
            number = self.operands[at]
            back = number >> 1
            # A value that is there already has an even number, twice as large as in other records.
            if not number & 1 and 0 < back <= known:
                value = self._value_at(known - back)
                if value.type is type_:
                    values.append(value)
                    continue
            values.append(self.state.incoming_value(number, type_))
        return values, blocks, flags

    def _cases(self, type_: Type) -> list[tuple[Value, BasicBlock]]:
        found: list[tuple[Any, BasicBlock]] = []
        while self.at < self.end:
            value = self.state.absolute(self._take(), type_)
            found.append((value, self._block_at(self._take())))
        return found


def alignment(code: int) -> int | None:
    """Return an alignment in bytes, None if the target decides.

    Raises:
        Malformed: it is too large.
    """
    if code >= _ALIGNMENT_COUNT:
        raise Malformed(Reason.LARGE_ALIGNMENT(exponent=code - 1))
    return _ALIGNMENTS[code]


def _element_type(vector: Value) -> Type:
    if not isinstance(vector.type, VectorType):
        raise Malformed(Reason.NO_VECTOR(type=vector.type.brief))
    return vector.type.element_type


def _no_function(type: Type | None) -> Malformed:
    if type is None:
        return Malformed(Reason.UNKNOWN_POINTEE())
    return Malformed(Reason.CALLEE_TYPE(type=type.brief))
