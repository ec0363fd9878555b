# cython: language_level=3, annotation_typing=False, nonecheck=True, auto_pickle=False
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0911, PLR0912, SLF001
"""The loop over the instructions of a body that makes their records, by the programs of `instructions`.

Rules: docs/reference/records.md, 7; docs/reference/writer.md, 11.8.
"""

from __future__ import annotations

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.fields import WordKind
from bitcodec.bitcode.schema.instructions import METADATA_INPUT
from bitcodec.bitcode.writer import debug_records, instruction_forms
from bitcodec.bitcode.writer.debug_records import DebugRecordWriter
from bitcodec.bitcode.writer.instruction_forms import InstructionForm
from bitcodec.bitcode.writer.programs import SourceKind, When, packed_number
from bitcodec.bitcode.writer.rows import UNABBREVIATED
from bitcodec.host import native
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.construction import present
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import LabelType
from bitcodec.object_numbers import ObjectNumbers
from bitcodec.tables.instruction_flags import number_with_fast_math

_MASK = 0xFFFF_FFFF
_METADATA_INPUT = METADATA_INPUT
_UNABBREVIATED = UNABBREVIATED

_LOCATION_AGAIN = FunctionCode.DEBUG_LOC_AGAIN
_BUNDLE = FunctionCode.OPERAND_BUNDLE

_FROM_OPERAND = SourceKind.OPERAND
_FROM_ATTRIBUTE = SourceKind.ATTRIBUTE
_FROM_TYPE_OF = SourceKind.TYPE_OF
_FROM_CODE_OF = SourceKind.CODE_OF
_FROM_TABLE = SourceKind.TABLED
_FROM_ALL_FLAGS = SourceKind.ALL_FLAGS
_FROM_PACKED = SourceKind.PACKED
_FROM_CONSTANT = SourceKind.CONSTANT
_FROM_OPERANDS = SourceKind.OPERANDS
_FROM_MASK = SourceKind.MASK
_FROM_RESULT = SourceKind.TYPE_OF_RESULT
_FROM_EXPLICIT = SourceKind.EXPLICIT_TYPE

_UNLESS_NONE = When.UNLESS_NONE
_ALWAYS = When.ALWAYS
_MORE_OPERANDS = When.MORE_OPERANDS

_NUMBER = WordKind.NUMBER.value
_FLAG = WordKind.FLAG.value
_ALIGNMENT = WordKind.ALIGNMENT.value
_ORDERING = WordKind.ORDERING.value
_SCOPE = WordKind.SCOPE.value
_ATTRIBUTES = WordKind.ATTRIBUTES.value
_TYPE = WordKind.TYPE.value
_BLOCK = WordKind.BLOCK.value
_VALUE = WordKind.VALUE.value
_TYPED_VALUE = WordKind.TYPED_VALUE.value
_ABSOLUTE = WordKind.ABSOLUTE.value
_VALUES = WordKind.VALUES.value
_COUNTED_VALUES = WordKind.COUNTED_VALUES.value
_BLOCKS = WordKind.BLOCKS.value
_COUNTED_BLOCKS = WordKind.COUNTED_BLOCKS.value
_NUMBERS = WordKind.NUMBERS.value
_INCOMING = WordKind.INCOMING.value
_CASES = WordKind.CASES.value
_CLAUSES = WordKind.CLAUSES.value
_ARGUMENTS = WordKind.ARGUMENTS.value

_ALIGNMENT_CODES = {1 << power: power + 1 for power in range(33)}
"""The codes of the alignments that most instructions have; methods of integers take longer."""


class InstructionWriter(DebugRecordWriter):
    """Makes the records of the instructions of bodies.

    Args:
        numbers: the numbers of the module and, while a body is written, of its function.
        alloca_space: the address space of stack slots that name none.
    """

    def __init__(self, numbers, alloca_space) -> None:
        DebugRecordWriter.__init__(self, numbers)
        self._numbers = numbers
        self._record_types = numbers.types.record_types
        self._scopes = numbers.scopes
        self._attributes = numbers.attributes
        self._found_attributes = numbers.attributes.found
        self._tags = numbers.tags
        self._alloca_space = alloca_space
        self._programs = numbers.dialect.instruction_programs
        self._dropped_kinds = numbers.dialect.dropped_kinds
        self._forms = []
        self._places_of_forms = ObjectNumbers()

    def write(self, body, blocks, number, rows):
        """Add the records of a body.

        Args:
            body: the body.
            blocks: the numbers of its blocks.
            number: the value id of the first instruction that has one.
            rows: receives the records.

        Raises:
            EncodingError: a debug record lacks a part.
            KeyError: something that is referred to has no number.
        """
        place = 0
        void = body._void
        last_location = None
        self._begin(body, rows, number)
        self._blocks = blocks
        self._places = body.attached if self._debug_calls is None else []
        for instruction in body.instructions:
            if self._debug_calls is not None:
                if present.has_debug_records(instruction):
                    for record in present.records_of(instruction):
                        if self._write_debug_call(record):
                            last_location = record.location
                            place += 1
                if present.has_attachments(instruction):
                    self._places.append(place)
                place += 1
            if isinstance(instruction, CallBase):
                self._write_before_call(instruction)
            if native.COMPILED:
                self._write_form(self._form_of(instruction), instruction)
            else:
                self._write_steps(self._form_of(instruction), instruction)
            if instruction.type is not void:
                self._number += 1
            location = present.present_location(instruction)
            if location is not None:
                if location is last_location:
                    rows.end(_LOCATION_AGAIN, _UNABBREVIATED)
                else:
                    self._write_location(location)
                    last_location = location
            if self._debug_calls is None and present.has_debug_records(instruction):
                for record in present.records_of(instruction):
                    self._write_record(record)

    def write_attachments(self, code, rows):
        """Add the attachment records of the instructions in the body that was written last.

        Args:
            code: record code.
            rows: receives the records.
        """
        kinds = self._numbers.kinds
        attached_numbers = self._body.attached
        instructions = self._body.instructions
        for number in range(len(attached_numbers)):
            instruction = instructions[attached_numbers[number]]
            attached = present.attached_to(instruction)
            if self._dropped_kinds:
                attached = {kind: node for kind, node in attached.items() if kind not in self._dropped_kinds}
                if not attached:
                    continue
            rows.put_object(self._places[number])
            if len(attached) == 1:
                for kind, node in attached.items():
                    rows.put_object(debug_records.entry_of(kinds, kind))
                    rows.put(self._metadata_id(node))
            else:
                for operand in self._numbers.attached(attached.items()):
                    rows.put_object(operand)
            rows.end(code, _UNABBREVIATED)

    # Instructions

    def _write_steps(self, form, instruction):
        """Write the record of an instruction by a form of its class; of the interpreted form."""
        abbreviation, with_flags, is_plain = form.abbreviation, form.with_flags, True
        operands = present.operands_of(instruction)
        for source, index, what, kind, when in form.steps:
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
        self._rows.end(form.code, abbreviation if is_plain else _UNABBREVIATED)

    def _write_form(self, form, instruction):
        """Write the record of an instruction by a form of its class; of the compiled form."""
        abbreviation = form.abbreviation
        is_plain = True
        operands = present.operands_of(instruction)
        for number in range(form.count):
            source = form.fields[number].source
            when = form.fields[number].when
            if source == _FROM_OPERAND:
                part = operands[form.fields[number].place]
            elif source == _FROM_ATTRIBUTE:
                part = form.attribute_of(instruction, form.fields[number].attribute)
            elif source == _FROM_PACKED and when == _ALWAYS:
                form.put_packed(number, instruction, self._rows)
                continue
            else:
                part = self._compiled_part(form, number, instruction)
            if when != _ALWAYS:
                if part is None if when == _UNLESS_NONE else not instruction_forms.is_set(part):
                    continue
                if form.with_flags != _UNABBREVIATED:
                    abbreviation = form.with_flags
            if not self._write_field(form.fields[number].kind, part, instruction):
                is_plain = False
        self._rows.end(form.code, abbreviation if is_plain else _UNABBREVIATED)
        return 0

    def _form_of(self, instruction):
        """Return the first form whose condition holds for an instruction."""
        place = self._places_of_forms.find(type(instruction))
        forms = self._forms[place] if place >= 0 else self._make_forms(type(instruction))
        for form in forms:
            if form.condition == _ALWAYS:
                return form
            if form.condition == _MORE_OPERANDS:
                if len(present.operands_of(instruction)) > form.limit:
                    return form
            elif form.is_other_value(instruction):
                return form
        raise AssertionError(f"no form of {type(instruction).__name__} is unconditional")

    def _make_forms(self, kind):
        forms = tuple([InstructionForm(kind, program) for program in self._programs[kind]])
        self._places_of_forms.put(kind, len(self._forms))
        self._forms.append(forms)
        return forms

    def _compiled_part(self, form, number, instruction):
        """Return the value of a field that is neither an operand nor an attribute; of the compiled form."""
        source = form.fields[number].source
        place = form.fields[number].attribute
        if source == _FROM_CODE_OF:
            return form.attribute_of(instruction, place)._value_
        if source == _FROM_TABLE:
            return form.details[number][form.attribute_of(instruction, place)]
        if source == _FROM_ALL_FLAGS:
            flags, fast_math = form.attribute_of(instruction, place), form.attribute_of(instruction, place + 1)
            if instruction_forms.is_set(fast_math):
                return number_with_fast_math(instruction.opcode, flags, fast_math)
            return flags
        return self._part(source, form.fields[number].place, form.details[number], instruction)

    def _write_field(self, kind, part, instruction):
        """Write a field; return whether it fits an abbreviation: a single value must come before, lists always fit."""
        rows = self._rows
        if kind == _VALUE:
            return self._put_value(rows, part)
        if kind == _TYPED_VALUE:
            rows.put((self._number - self._values.number_of(part)) & _MASK)
        elif kind in (_NUMBER, _FLAG):
            rows.put_object(part)
        elif kind == _TYPE:
            rows.put_object(debug_records.entry_of(self._types, part))
        elif kind == _ALIGNMENT:
            rows.put(_alignment_code(part))
        elif kind == _BLOCK:
            rows.put_object(self._blocks[part])
        elif kind == _ATTRIBUTES:
            rows.put(self._attribute_list_id(part))
        elif kind in (_VALUES, _COUNTED_VALUES):
            if kind == _COUNTED_VALUES:
                rows.put(len(part))
            for value in part:
                self._put_value(rows, value)
        else:
            self._write_list(kind, part, instruction)
        return 1

    def _part(self, source, index, what, instruction):
        """Return the value of a field."""
        if source == _FROM_TYPE_OF:
            return present.operands_of(instruction)[index].type
        if source == _FROM_CODE_OF:
            return getattr(instruction, what)._value_
        if source == _FROM_TABLE:
            name, table = what
            return table[getattr(instruction, name)]
        if source == _FROM_ALL_FLAGS:
            return number_with_fast_math(instruction.opcode, instruction.flags, instruction.fast_math)
        if source == _FROM_PACKED:
            return packed_number(instruction, *what)
        if source == _FROM_CONSTANT:
            return what
        if source == _FROM_OPERANDS:
            return present.operands_of(instruction)[what]
        if source == _FROM_MASK:
            return self._body.masks[instruction]
        if source == _FROM_RESULT:
            return self._record_types.type_of(instruction)
        if source == _FROM_EXPLICIT:
            return self._record_types.explicit_type(instruction)
        space = instruction.type.address_space
        return None if space == self._alloca_space else space

    def _write_list(self, kind, part, instruction):
        """Write a field of any number of operands, or one of those that few instructions have."""
        rows = self._rows
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

    def _attribute_list_id(self, attributes):
        number = self._found_attributes.find(attributes)
        if number < 0:
            number = self._attributes[attributes]
            self._found_attributes.put(attributes, number)
        return number

    def _put_value(self, rows, value):
        """Write a value, with its type if it comes later; return whether it comes before."""
        distance = self._number - self._values.number_of(value)
        rows.put(distance & _MASK)
        if distance > 0:
            return 1
        rows.put_object(debug_records.entry_of(self._types, self._record_types.type_of(value)))
        return 0

    def _write_incoming(self, phi):
        rows = self._rows
        for value, block in zip(present.operands_of(phi), phi._incoming_blocks, strict=True):
            distance = self._number - self._values.number_of(value)
            rows.put(distance << 1 if distance >= 0 else -distance << 1 | 1)
            rows.put_object(self._blocks[block])
        if phi.fast_math:
            rows.put_object(phi.fast_math)
        return 0

    def _write_arguments(self, call):
        """Write arguments: those that the function type names without types, then any number with."""
        operands = present.operands_of(call)
        parameters = call.function_type.parameter_types
        count = present.argument_count(call)
        typed = min(count, len(parameters))
        rows = self._rows
        for index in range(typed):
            value = operands[index]
            if type(parameters[index]) is LabelType:
                rows.put_object(self._blocks[value])
            else:
                rows.put((self._number - self._values.number_of(value)) & _MASK)
        for index in range(typed, count):
            self._put_value(rows, operands[index])
        return 0

    def _write_before_call(self, call):
        """Write the records that precede a call; metadata that it passes has only its metadata id."""
        rows = self._rows
        for operand in present.operands_of(call):
            if type(operand) is MetadataAsValue:
                self._values.put(operand, self._metadata_id(operand.metadata))
        if not call._bundles:
            return 0
        for tag, inputs in call.bundles:
            rows.put_object(self._tags[tag])
            for value in inputs:
                # As in LLVM 22, a label has the number of its block, which readers take for a value.
                number = self._blocks[value] if type(value) is BasicBlock else self._values.number_of(value)
                distance = self._number - number
                if type(value) is MetadataAsValue:
                    rows.put(_METADATA_INPUT)
                    rows.put(distance & _MASK)
                else:
                    rows.put(distance & _MASK)
                    if distance <= 0:
                        rows.put_object(debug_records.entry_of(self._types, self._record_types.type_of(value)))
            rows.end(_BUNDLE, _UNABBREVIATED)
        return 0


def _alignment_code(alignment):
    """Return the exponent of two of an alignment plus one, 0 for None."""
    code = _ALIGNMENT_CODES.get(alignment)
    return (alignment or 0).bit_length() if code is None else code
