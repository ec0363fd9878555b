# cython: language_level=3, nonecheck=True, auto_pickle=False
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0911, PLR0912, SLF001
"""The loop over the instructions of a body that makes their records, by the programs of `instructions`.

Rules: docs/reference/records.md, 7; docs/reference/writer.md, 11.8.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.fields import WordKind
from bitcodec.bitcode.schema.instructions import METADATA_INPUT
from bitcodec.bitcode.writer.programs import SourceKind, When, packed_number
from bitcodec.bitcode.writer.rows import UNABBREVIATED
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import LabelType
from bitcodec.tables.instruction_flags import number_with_fast_math

if cython.compiled:
    from cython.cimports.bitcodec.bitcode.writer.bodies import BodyOperands
    from cython.cimports.bitcodec.bitcode.writer.debug_records import DebugRecordWriter, entry_of
    from cython.cimports.bitcodec.bitcode.writer.instruction_forms import InstructionForm, is_set
    from cython.cimports.bitcodec.bitstream.rows import Rows
    from cython.cimports.bitcodec.ir.construction import present
    from cython.cimports.bitcodec.ir.instructions.calls import CallBase
    from cython.cimports.bitcodec.ir.instructions.control_flow import Phi
    from cython.cimports.bitcodec.ir.instructions.instruction import Instruction
    from cython.cimports.bitcodec.object_numbers import ObjectNumbers
else:
    from bitcodec.bitcode.writer.bodies import BodyOperands
    from bitcodec.bitcode.writer.debug_records import DebugRecordWriter, entry_of
    from bitcodec.bitcode.writer.instruction_forms import InstructionForm, is_set
    from bitcodec.bitstream.rows import Rows
    from bitcodec.ir.construction import present
    from bitcodec.ir.instructions.calls import CallBase
    from bitcodec.ir.instructions.control_flow import Phi
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.object_numbers import ObjectNumbers

COMPILED = cython.compiled

_MASK = cython.declare(cython.longlong, 0xFFFF_FFFF)
_METADATA_INPUT = cython.declare(cython.ulonglong, METADATA_INPUT)
_UNABBREVIATED = cython.declare(cython.uint, UNABBREVIATED)

_LOCATION_AGAIN = cython.declare(cython.uint, FunctionCode.DEBUG_LOC_AGAIN)
_BUNDLE = cython.declare(cython.uint, FunctionCode.OPERAND_BUNDLE)

_FROM_OPERAND = cython.declare(cython.int, SourceKind.OPERAND)
_FROM_ATTRIBUTE = cython.declare(cython.int, SourceKind.ATTRIBUTE)
_FROM_TYPE_OF = cython.declare(cython.int, SourceKind.TYPE_OF)
_FROM_CODE_OF = cython.declare(cython.int, SourceKind.CODE_OF)
_FROM_TABLE = cython.declare(cython.int, SourceKind.TABLED)
_FROM_ALL_FLAGS = cython.declare(cython.int, SourceKind.ALL_FLAGS)
_FROM_PACKED = cython.declare(cython.int, SourceKind.PACKED)
_FROM_CONSTANT = cython.declare(cython.int, SourceKind.CONSTANT)
_FROM_OPERANDS = cython.declare(cython.int, SourceKind.OPERANDS)
_FROM_MASK = cython.declare(cython.int, SourceKind.MASK)
_FROM_RESULT = cython.declare(cython.int, SourceKind.TYPE_OF_RESULT)
_FROM_EXPLICIT = cython.declare(cython.int, SourceKind.EXPLICIT_TYPE)

_UNLESS_NONE = cython.declare(cython.int, When.UNLESS_NONE)
_ALWAYS = cython.declare(cython.int, When.ALWAYS)
_MORE_OPERANDS = cython.declare(cython.int, When.MORE_OPERANDS)

_NUMBER = cython.declare(cython.int, WordKind.NUMBER.value)
_FLAG = cython.declare(cython.int, WordKind.FLAG.value)
_ALIGNMENT = cython.declare(cython.int, WordKind.ALIGNMENT.value)
_ORDERING = cython.declare(cython.int, WordKind.ORDERING.value)
_SCOPE = cython.declare(cython.int, WordKind.SCOPE.value)
_ATTRIBUTES = cython.declare(cython.int, WordKind.ATTRIBUTES.value)
_TYPE = cython.declare(cython.int, WordKind.TYPE.value)
_BLOCK = cython.declare(cython.int, WordKind.BLOCK.value)
_VALUE = cython.declare(cython.int, WordKind.VALUE.value)
_TYPED_VALUE = cython.declare(cython.int, WordKind.TYPED_VALUE.value)
_ABSOLUTE = cython.declare(cython.int, WordKind.ABSOLUTE.value)
_VALUES = cython.declare(cython.int, WordKind.VALUES.value)
_COUNTED_VALUES = cython.declare(cython.int, WordKind.COUNTED_VALUES.value)
_BLOCKS = cython.declare(cython.int, WordKind.BLOCKS.value)
_COUNTED_BLOCKS = cython.declare(cython.int, WordKind.COUNTED_BLOCKS.value)
_NUMBERS = cython.declare(cython.int, WordKind.NUMBERS.value)
_INCOMING = cython.declare(cython.int, WordKind.INCOMING.value)
_CASES = cython.declare(cython.int, WordKind.CASES.value)
_CLAUSES = cython.declare(cython.int, WordKind.CLAUSES.value)
_ARGUMENTS = cython.declare(cython.int, WordKind.ARGUMENTS.value)

_ALIGNMENT_CODES: dict = {1 << power: power + 1 for power in range(33)}
"""The codes of the alignments that most instructions have; methods of integers take longer."""


@cython.cclass
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

    def write(self, body: BodyOperands, blocks: dict, number: cython.longlong, rows: Rows):
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
        place: cython.Py_ssize_t = 0
        void = body._void
        instruction: Instruction
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
            if cython.compiled:
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

    def write_attachments(self, code: cython.uint, rows: Rows):
        """Add the attachment records of the instructions in the body that was written last.

        Args:
            code: record code.
            rows: receives the records.
        """
        number: cython.Py_ssize_t
        instruction: Instruction
        kinds = self._numbers.kinds
        attached_numbers: list = self._body.attached
        instructions: list = self._body.instructions
        for number in range(len(attached_numbers)):
            instruction = instructions[attached_numbers[number]]
            attached: dict = present.attached_to(instruction)
            if self._dropped_kinds:
                attached = {kind: node for kind, node in attached.items() if kind not in self._dropped_kinds}
                if not attached:
                    continue
            rows.put_object(self._places[number])
            if len(attached) == 1:
                for kind, node in attached.items():
                    rows.put_object(entry_of(kinds, kind))
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

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_form(self, form: InstructionForm, instruction: Instruction) -> cython.int:
        """Write the record of an instruction by a form of its class; of the compiled form."""
        number: cython.Py_ssize_t
        source: cython.int
        when: cython.int
        abbreviation: cython.uint = form.abbreviation
        is_plain: cython.bint = True
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
                if part is None if when == _UNLESS_NONE else not is_set(part):
                    continue
                if form.with_flags != _UNABBREVIATED:
                    abbreviation = form.with_flags
            if not self._write_field(form.fields[number].kind, part, instruction):
                is_plain = False
        self._rows.end(form.code, abbreviation if is_plain else _UNABBREVIATED)
        return 0

    @cython.cfunc
    def _form_of(self, instruction: Instruction) -> InstructionForm:
        """Return the first form whose condition holds for an instruction."""
        form: InstructionForm
        place: cython.longlong = self._places_of_forms.find(type(instruction))
        forms: tuple = self._forms[place] if place >= 0 else self._make_forms(type(instruction))
        for form in forms:
            if form.condition == _ALWAYS:
                return form
            if form.condition == _MORE_OPERANDS:
                if len(present.operands_of(instruction)) > form.limit:
                    return form
            elif form.is_other_value(instruction):
                return form
        raise AssertionError(f"no form of {type(instruction).__name__} is unconditional")

    @cython.cfunc
    def _make_forms(self, kind) -> tuple:
        forms = tuple([InstructionForm(kind, program) for program in self._programs[kind]])
        self._places_of_forms.put(kind, len(self._forms))
        self._forms.append(forms)
        return forms

    @cython.cfunc
    def _compiled_part(self, form: InstructionForm, number: cython.Py_ssize_t, instruction: Instruction):
        """Return the value of a field that is neither an operand nor an attribute; of the compiled form."""
        source: cython.int = form.fields[number].source
        place: cython.Py_ssize_t = form.fields[number].attribute
        if source == _FROM_CODE_OF:
            return form.attribute_of(instruction, place)._value_
        if source == _FROM_TABLE:
            return form.details[number][form.attribute_of(instruction, place)]
        if source == _FROM_ALL_FLAGS:
            flags, fast_math = form.attribute_of(instruction, place), form.attribute_of(instruction, place + 1)
            return number_with_fast_math(instruction.opcode, flags, fast_math) if is_set(fast_math) else flags
        return self._part(source, form.fields[number].place, form.details[number], instruction)

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_field(self, kind: cython.int, part, instruction) -> cython.int:
        """Write a field; return whether it fits an abbreviation: a single value must come before, lists always fit."""
        rows: Rows = self._rows
        if kind == _VALUE:
            return self._put_value(rows, part)
        if kind == _TYPED_VALUE:
            rows.put((self._number - self._values.number_of(part)) & _MASK)
        elif kind in (_NUMBER, _FLAG):
            rows.put_object(part)
        elif kind == _TYPE:
            rows.put_object(entry_of(self._types, part))
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

    @cython.cfunc
    def _part(self, source: cython.int, index: cython.Py_ssize_t, what, instruction: Instruction):
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
        distance: cython.longlong = self._number - self._values.number_of(value)
        rows.put(distance & _MASK)
        if distance > 0:
            return 1
        rows.put_object(entry_of(self._types, self._record_types.type_of(value)))
        return 0

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def _write_incoming(self, phi: Phi) -> cython.int:
        distance: cython.longlong
        rows: Rows = self._rows
        for value, block in zip(present.operands_of(phi), phi._incoming_blocks, strict=True):
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
        operands = present.operands_of(call)
        parameters = call.function_type.parameter_types
        count: cython.Py_ssize_t = present.argument_count(call)
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
        """Write the records that precede a call; metadata that it passes has only its metadata id."""
        distance: cython.longlong
        rows: Rows = self._rows
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
                        rows.put_object(entry_of(self._types, self._record_types.type_of(value)))
            rows.end(_BUNDLE, _UNABBREVIATED)
        return 0


@cython.cfunc
@cython.exceptval(-1)
def _alignment_code(alignment) -> cython.longlong:
    """Return the exponent of two of an alignment plus one, 0 for None."""
    code = _ALIGNMENT_CODES.get(alignment)
    return (alignment or 0).bit_length() if code is None else code
