# cython: language_level=3, nonecheck=True, auto_pickle=False
"""The loop over the instructions of a body that makes their records, by the programs of `instructions`.

Rules: bitcode record reference, section 7; writer reference, section 11.8.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.fields import Kind
from bitcodec.bitcode.schema.instructions import CALL_EXPLICIT_TYPE_BIT
from bitcodec.bitcode.writer.abbreviations import LOCATION_LENGTH, FunctionAbbreviation
from bitcodec.bitcode.writer.metadata_ids import NO_METADATA
from bitcodec.bitcode.writer.programs import Condition, SourceKind, When
from bitcodec.bitcode.writer.rows import UNABBREVIATED
from bitcodec.errors import EncodingError, quote_name
from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.debug_records import DbgVariableKind
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import LabelType

if cython.compiled:
    from cython.cimports.bitcodec.bitcode.writer.bodies import Body, attached_to, call_of, in_record, records_of
    from cython.cimports.bitcodec.bitcode.writer.nodes import id_of, location_content
    from cython.cimports.bitcodec.bitstream.rows import Rows
    from cython.cimports.bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableRecord
    from cython.cimports.bitcodec.ir.instructions.calls import CallBase
    from cython.cimports.bitcodec.ir.instructions.control_flow import Phi
    from cython.cimports.bitcodec.ir.instructions.instruction import Instruction
    from cython.cimports.bitcodec.ir.metadata import ValueAsMetadata
    from cython.cimports.bitcodec.ir.values import Value
else:
    from bitcodec.bitcode.writer.bodies import Body, attached_to, call_of, in_record, records_of
    from bitcodec.bitcode.writer.nodes import id_of, location_content
    from bitcodec.bitstream.rows import Rows
    from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableRecord
    from bitcodec.ir.instructions.calls import CallBase
    from bitcodec.ir.instructions.control_flow import Phi
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.metadata import ValueAsMetadata
    from bitcodec.ir.values import Value

COMPILED = cython.compiled

_MASK = cython.declare(cython.longlong, 0xFFFF_FFFF)
_METADATA_INPUT = cython.declare(cython.ulonglong, 0x8000_0000)
_UNABBREVIATED = cython.declare(cython.uint, UNABBREVIATED)
_NO_METADATA = cython.declare(cython.longlong, NO_METADATA)

_LOCATION = cython.declare(cython.uint, FunctionCode.DEBUG_LOC)
_LOCATION_AGAIN = cython.declare(cython.uint, FunctionCode.DEBUG_LOC_AGAIN)
_LOCATION_ID = cython.declare(cython.uint, FunctionAbbreviation.DEBUG_LOC)
_LABEL = cython.declare(cython.uint, FunctionCode.DEBUG_RECORD_LABEL)
_VALUE_SIMPLE = cython.declare(cython.uint, FunctionCode.DEBUG_RECORD_VALUE_SIMPLE)
_VALUE_SIMPLE_ID = cython.declare(cython.uint, FunctionAbbreviation.DEBUG_RECORD_VALUE_SIMPLE)
_BUNDLE = cython.declare(cython.uint, FunctionCode.OPERAND_BUNDLE)
_CALL = cython.declare(cython.uint, FunctionCode.INST_CALL)
_PLAIN_CALL = cython.declare(cython.ulonglong, 1 << CALL_EXPLICIT_TYPE_BIT)

_FROM_OPERAND = cython.declare(cython.int, SourceKind.OPERAND)
_FROM_ATTRIBUTE = cython.declare(cython.int, SourceKind.ATTRIBUTE)
_FROM_TYPE_OF = cython.declare(cython.int, SourceKind.TYPE_OF)
_FROM_CODE_OF = cython.declare(cython.int, SourceKind.CODE_OF)
_FROM_TABLE = cython.declare(cython.int, SourceKind.TABLED)
_FROM_EITHER = cython.declare(cython.int, SourceKind.EITHER)
_FROM_FUNCTION = cython.declare(cython.int, SourceKind.COMPUTED)
_FROM_CONSTANT = cython.declare(cython.int, SourceKind.CONSTANT)
_FROM_OPERANDS = cython.declare(cython.int, SourceKind.OPERANDS)
_FROM_MASK = cython.declare(cython.int, SourceKind.MASK)

_UNLESS_NONE = cython.declare(cython.int, When.UNLESS_NONE)
_ALWAYS = cython.declare(cython.int, When.ALWAYS)

_ANY_FORM = cython.declare(cython.int, Condition.ALWAYS)
_MORE_OPERANDS = cython.declare(cython.int, Condition.MORE_OPERANDS)

_NUMBER = cython.declare(cython.int, Kind.NUMBER.value)
_FLAG = cython.declare(cython.int, Kind.FLAG.value)
_ALIGNMENT = cython.declare(cython.int, Kind.ALIGNMENT.value)
_ORDERING = cython.declare(cython.int, Kind.ORDERING.value)
_SCOPE = cython.declare(cython.int, Kind.SCOPE.value)
_ATTRIBUTES = cython.declare(cython.int, Kind.ATTRIBUTES.value)
_TYPE = cython.declare(cython.int, Kind.TYPE.value)
_BLOCK = cython.declare(cython.int, Kind.BLOCK.value)
_VALUE = cython.declare(cython.int, Kind.VALUE.value)
_TYPED_VALUE = cython.declare(cython.int, Kind.TYPED_VALUE.value)
_ABSOLUTE = cython.declare(cython.int, Kind.ABSOLUTE.value)
_VALUES = cython.declare(cython.int, Kind.VALUES.value)
_COUNTED_VALUES = cython.declare(cython.int, Kind.COUNTED_VALUES.value)
_BLOCKS = cython.declare(cython.int, Kind.BLOCKS.value)
_COUNTED_BLOCKS = cython.declare(cython.int, Kind.COUNTED_BLOCKS.value)
_NUMBERS = cython.declare(cython.int, Kind.NUMBERS.value)
_INCOMING = cython.declare(cython.int, Kind.INCOMING.value)
_CASES = cython.declare(cython.int, Kind.CASES.value)
_CLAUSES = cython.declare(cython.int, Kind.CLAUSES.value)
_ARGUMENTS = cython.declare(cython.int, Kind.ARGUMENTS.value)

_PLACES = {name: place for place, name in enumerate(DILocation.defaults)}
_LINE = cython.declare(cython.Py_ssize_t, _PLACES["line"])
_COLUMN = cython.declare(cython.Py_ssize_t, _PLACES["column"])
_SCOPE_PLACE = cython.declare(cython.Py_ssize_t, _PLACES["scope"])
_INLINED_AT = cython.declare(cython.Py_ssize_t, _PLACES["inlined_at"])
_IS_IMPLICIT = cython.declare(cython.Py_ssize_t, _PLACES["is_implicit_code"])
_ATOM_GROUP = cython.declare(cython.Py_ssize_t, _PLACES["atom_group"])
_ATOM_RANK = cython.declare(cython.Py_ssize_t, _PLACES["atom_rank"])
_OLDEST_LENGTH = 4
"""How many operands debug locations had at first."""
_DBG_VALUE, _DBG_ASSIGN = DbgVariableKind.VALUE, DbgVariableKind.ASSIGN


@cython.cclass
class InstructionWriter:
    """Makes the records of the instructions of a body.

    Args:
        body: the body.
        numbers: the numbers of the module, and of the function.
        blocks: the numbers of its blocks.
        alloca_space: the address space of stack slots that name none.
        rows: receives the records.
    """

    def __init__(self, body: Body, numbers, blocks: dict, alloca_space, rows: Rows) -> None:
        self._body = body
        self._rows = rows
        self._numbers = numbers
        self._values = numbers.values
        self._types = numbers.types
        self._is_typed = numbers.types.is_typed
        self._scopes = numbers.scopes
        self._attributes = numbers.attributes
        self._found_attributes = numbers.attributes.found
        self._tags = numbers.tags
        self._ids = numbers.metadata_ids
        self._texts = numbers.metadata_ids.texts
        self._objects = numbers.metadata_ids.objects
        self._blocks = blocks
        self._alloca_space = alloca_space
        self._number = 0
        dialect = numbers.dialect
        self._programs = dialect.instruction_programs
        self._debug_codes = dialect.debug_codes
        self._debug_calls = dialect.debug_calls
        self._node_programs = dialect.node_programs
        self._offset = dialect.offset
        self._dropped_kinds = dialect.dropped_kinds
        self._has_implicit = dialect.location_length > _OLDEST_LENGTH
        self._has_atoms = dialect.location_length == LOCATION_LENGTH
        self._places = body.attached if self._debug_calls is None else []

    def write(self, number: cython.longlong):
        """Add the records.

        Args:
            number: the value id of the first instruction that has one.

        Raises:
            EncodingError: a debug record lacks a part.
            KeyError: something that is referred to has no number.
        """
        rows: Rows = self._rows
        place: cython.Py_ssize_t = 0
        void = self._body._void
        instruction: Instruction
        last_location = None
        self._scope = self._inlined_at = None
        self._scope_id = self._inlined_at_id = 0
        self._number = number
        for instruction in self._body.instructions:
            if self._debug_calls is not None:
                if instruction._records:
                    for record in records_of(instruction):
                        if self._write_debug_call(record):
                            last_location = record.location
                            place += 1
                if instruction._attachments:
                    self._places.append(place)
                place += 1
            if isinstance(instruction, CallBase):
                self._write_before_call(instruction)
            self._write_instruction(instruction)
            if instruction.type is not void:
                self._number += 1
            location = instruction._location
            if location is not None:
                if location is last_location:
                    rows.end(_LOCATION_AGAIN, _UNABBREVIATED)
                else:
                    self._write_location(location)
                    last_location = location
            if instruction._records and self._debug_calls is None:
                for record in records_of(instruction):
                    self._write_record(record)

    def write_attachments(self, code: cython.uint, rows: Rows):
        """Add the records of what is attached to instructions.

        Args:
            code: record code.
            rows: receives the records.
        """
        number: cython.Py_ssize_t
        place: cython.Py_ssize_t
        instruction: Instruction
        kinds = self._numbers.kinds
        for number, place in zip(self._body.attached, self._places, strict=True):
            instruction = self._body.instructions[number]
            attached: dict = attached_to(instruction)
            if self._dropped_kinds:
                attached = {kind: node for kind, node in attached.items() if kind not in self._dropped_kinds}
                if not attached:
                    continue
            rows.put(place)
            if len(attached) == 1:
                for kind, node in attached.items():
                    rows.put_object(_entry(kinds, kind))
                    rows.put(self._metadata_id(node))
            else:
                for operand in self._numbers.attached(attached.items()):
                    rows.put_object(operand)
            rows.end(code, _UNABBREVIATED)

    # Instructions

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_instruction(self, instruction: Instruction) -> cython.int:
        """Write the record of an instruction by the program of its class."""
        source: cython.int
        index: cython.Py_ssize_t
        kind: cython.int
        when: cython.int
        abbreviation: cython.uint
        with_flags: cython.uint
        is_plain: cython.bint = True
        operands = instruction._operands
        code, abbreviation, with_flags, is_always, steps = self._form_of(instruction)
        for source, index, what, kind, when in steps:
            if source == _FROM_OPERAND:
                part = operands[index]
            elif source == _FROM_ATTRIBUTE:
                part = getattr(instruction, what)
            else:
                part = self._part(source, index, what, instruction)
            if when != _ALWAYS:
                if part is None if when == _UNLESS_NONE else not part:
                    continue
                if with_flags != _UNABBREVIATED:
                    abbreviation = with_flags
            if not self._write_field(kind, part, instruction):
                is_plain = False
        self._rows.end(code, abbreviation if is_plain or is_always else _UNABBREVIATED)
        return 0

    @cython.cfunc
    def _form_of(self, instruction: Instruction) -> tuple:
        """Return the first form whose condition holds for an instruction, without that condition."""
        condition: cython.int
        for condition, argument, form in _entry(self._programs, type(instruction)):
            if condition == _ANY_FORM:
                return form
            if condition == _MORE_OPERANDS:
                if len(instruction._operands) > argument:
                    return form
            elif getattr(instruction, argument[0]) is not argument[1]:
                return form
        raise AssertionError(f"no form of {type(instruction).__name__} is unconditional")

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_field(self, kind: cython.int, part, instruction) -> cython.int:
        """Write a field; return whether each value in it comes before."""
        rows: Rows = self._rows
        if kind == _VALUE:
            return self._put_value(rows, part)
        if kind == _TYPED_VALUE:
            rows.put((self._number - self._values.number_of(part)) & _MASK)
        elif kind in (_NUMBER, _FLAG):
            rows.put_object(part)
        elif kind == _TYPE:
            rows.put_object(_entry(self._types, part))
        elif kind == _ALIGNMENT:
            rows.put_object((part or 0).bit_length())
        elif kind == _BLOCK:
            rows.put_object(self._blocks[part])
        elif kind == _ATTRIBUTES:
            rows.put(self._attribute_list_id(part))
        elif kind in (_VALUES, _COUNTED_VALUES):
            if kind == _COUNTED_VALUES:
                rows.put(len(part))
            return self._write_values(part)
        else:
            self._write_list(kind, part, instruction)
        return 1

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_values(self, values) -> cython.int:
        """Write values; return whether all of them come before."""
        is_plain: cython.bint = True
        rows: Rows = self._rows
        for value in values:
            if not self._put_value(rows, value):
                is_plain = False
        return is_plain

    @cython.cfunc
    def _part(self, source: cython.int, index: cython.Py_ssize_t, what, instruction: Instruction):
        """Return what a field is written from."""
        if source == _FROM_TYPE_OF:
            return instruction._operands[index].type
        if source == _FROM_CODE_OF:
            return getattr(instruction, what)._value_
        if source == _FROM_TABLE:
            name, table = what
            return table[getattr(instruction, name)]
        if source == _FROM_EITHER:
            first, second = what
            return getattr(instruction, first) or getattr(instruction, second)
        if source == _FROM_FUNCTION:
            return what(instruction)
        if source == _FROM_CONSTANT:
            return what
        if source == _FROM_OPERANDS:
            return instruction._operands[what]
        if source == _FROM_MASK:
            return self._body.masks[instruction]
        space = instruction.type.address_space
        return None if space == self._alloca_space else space

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_list(self, kind: cython.int, part, instruction) -> cython.int:
        """Write a field of any number of operands, or one of those that few instructions have."""
        rows: Rows = self._rows
        if kind == _INCOMING:
            self._write_incoming(instruction)
        elif kind == _ARGUMENTS:
            self._write_arguments(instruction)
        elif kind == _ABSOLUTE:
            rows.put(self._values.number_of(part))
        elif kind == _ORDERING:
            rows.put_object(part._value_)
        elif kind == _SCOPE:
            rows.put_object(self._scopes[part])
        elif kind in (_BLOCKS, _COUNTED_BLOCKS):
            if kind == _COUNTED_BLOCKS:
                rows.put(len(part))
            for block in part:
                rows.put_object(self._blocks[block])
        elif kind == _NUMBERS:
            for number in part:
                rows.put_object(number)
        elif kind == _CASES:
            for value, block in part:
                rows.put(self._values.number_of(value))
                rows.put_object(self._blocks[block])
        elif kind == _CLAUSES:
            rows.put(len(part))
            for is_filter, value in part:
                rows.put_object(is_filter)
                self._put_value(rows, value)
        else:
            raise AssertionError(f"no layout of an instruction that is written has the kind {kind}")
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _attribute_list_id(self, attributes) -> cython.longlong:
        number: cython.longlong = self._found_attributes.find(attributes)
        if number < 0:
            number = self._attributes[attributes]
            self._found_attributes.put(attributes, number)
        return number

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _put_value(self, rows: Rows, value) -> cython.int:
        """Write a value, with its type if it comes later; return whether it comes before."""
        typed: Value
        distance: cython.longlong = self._number - self._values.number_of(value)
        rows.put(distance & _MASK)
        if distance > 0:
            return 1
        typed = value
        rows.put_object(self._types.of(typed) if self._is_typed else _entry(self._types, typed.type))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_incoming(self, phi: Phi) -> cython.int:
        distance: cython.longlong
        rows: Rows = self._rows
        for value, block in zip(phi._operands, phi._incoming_blocks, strict=True):
            distance = self._number - self._values.number_of(value)
            rows.put(distance << 1 if distance >= 0 else -distance << 1 | 1)
            rows.put_object(self._blocks[block])
        if phi.fast_math:
            rows.put_object(phi.fast_math)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_arguments(self, call: CallBase) -> cython.int:
        """Write arguments: those that the function type names without types, then any number with."""
        index: cython.Py_ssize_t
        operands = call._operands
        parameters = call.function_type.parameter_types
        count: cython.Py_ssize_t = call._argument_count
        typed: cython.Py_ssize_t = min(count, len(parameters))
        rows: Rows = self._rows
        for index in range(typed):
            value = operands[index]
            if type(parameters[index]) is LabelType:
                rows.put_object(self._blocks[value])
            else:
                rows.put((self._number - self._values.number_of(value)) & _MASK)
        for index in range(typed, count):
            self._put_value(rows, operands[index])
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_before_call(self, call: CallBase) -> cython.int:
        """Write what precedes a call; metadata that it passes has no number but its id."""
        distance: cython.longlong
        rows: Rows = self._rows
        for operand in call._operands:
            if type(operand) is MetadataAsValue:
                self._values.put(operand, self._metadata_id(operand.metadata))
        if not call._bundles:
            return 0
        for tag, inputs in call.bundles:
            rows.put_object(self._tags[tag])
            for value in inputs:
                distance = self._number - self._values.number_of(value)
                if type(value) is MetadataAsValue:
                    rows.put(_METADATA_INPUT)
                    rows.put(distance & _MASK)
                else:
                    rows.put(distance & _MASK)
                    if distance <= 0:
                        rows.put_object(self._types.of(value))
            rows.end(_BUNDLE, _UNABBREVIATED)
        return 0

    # Debug locations and records

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_location(self, location) -> cython.int:
        rows: Rows = self._rows
        content: tuple = location_content(location)
        scope = content[_SCOPE_PLACE]
        inlined_at = content[_INLINED_AT]
        # Most are in the scope of the one before.
        if scope is not self._scope or scope is None:
            self._scope_id = id_of(scope, self._ids, self._texts, self._objects) + 1
            self._scope = scope
        if inlined_at is not self._inlined_at:
            self._inlined_at_id = 0
            if inlined_at is not None:
                self._inlined_at_id = id_of(inlined_at, self._ids, self._texts, self._objects) + 1
            self._inlined_at = inlined_at
        rows.put_object(content[_LINE])
        rows.put_object(content[_COLUMN])
        rows.put(self._scope_id)
        rows.put(self._inlined_at_id)
        if self._has_implicit:
            rows.put_object(content[_IS_IMPLICIT])
        if self._has_atoms:
            rows.put_object(content[_ATOM_GROUP])
            rows.put_object(content[_ATOM_RANK])
        rows.end(_LOCATION, _LOCATION_ID)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_record(self, record) -> cython.int:
        distance: cython.longlong
        wrapper: ValueAsMetadata
        variable: DbgVariableRecord
        rows: Rows = self._rows
        if isinstance(record, DbgLabelRecord):
            rows.put(self._metadata_id(record.location))
            rows.put(self._metadata_id(record.label))
            rows.end(_LABEL, _UNABBREVIATED)
            return 0
        variable = record
        rows.put(self._metadata_id(variable.location))
        rows.put(self._metadata_id(variable.variable))
        rows.put(self._metadata_id(variable.expression))
        kind = variable.kind
        metadata = in_record(variable._value)
        if kind is _DBG_VALUE and isinstance(metadata, ValueAsMetadata):
            wrapper = metadata
            if wrapper.value is not None:
                distance = self._number - self._values.number_of(wrapper.value)
                if distance > 0:
                    rows.put(distance)
                    rows.end(_VALUE_SIMPLE, _VALUE_SIMPLE_ID)
                    return 0
        rows.put(self._metadata_id(metadata))
        if kind is _DBG_ASSIGN:
            rows.put(self._metadata_id(variable.assign_id))
            rows.put(self._metadata_id(variable.address_expression))
            rows.put(self._metadata_id(in_record(variable._address)))
        rows.end(self._debug_codes[kind], _UNABBREVIATED)
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_debug_call(self, record) -> cython.int:
        """Write a record as the call of an intrinsic, which is what LLVM before 19 has instead, and its location.

        Return whether there is an intrinsic.
        """
        rows: Rows = self._rows
        function, arguments = call_of(record, self._debug_calls, self._node_programs)
        if function is None:
            return 0
        rows.put(0)
        rows.put(_PLAIN_CALL)
        rows.put_object(_entry(self._types, function.value_type))
        rows.put((self._number - self._values.number_of(function)) & _MASK)
        rows.put((self._number - self._metadata_id(arguments[0])) & _MASK)
        if self._offset is not None and len(function.value_type.parameter_types) > len(arguments):
            rows.put((self._number - self._values.number_of(self._offset)) & _MASK)
        for metadata in arguments[1:]:
            rows.put((self._number - self._metadata_id(metadata)) & _MASK)
        rows.end(_CALL, _UNABBREVIATED)
        self._write_location(record.location)
        return 1

    @cython.cfunc
    @cython.exceptval(-1)
    def _metadata_id(self, metadata) -> cython.longlong:
        number: cython.longlong = id_of(metadata, self._ids, self._texts, self._objects)
        if number == _NO_METADATA:
            problem = "a debug record lacks a part" if metadata is None else "metadata of an erased value is still used"
            raise EncodingError(f"in @{quote_name(self._body.function.name)}, {problem}")
        return number


@cython.cfunc
def _entry(entries, key):
    """Return an entry of a dictionary that makes missing entries; indexing would call a method for each."""
    found = cython.cast(dict, entries).get(key)
    return entries[key] if found is None else found
