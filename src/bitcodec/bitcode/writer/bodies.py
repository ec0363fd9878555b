# cython: language_level=3, annotation_typing=False, nonecheck=True, auto_pickle=False
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN202, C901, PLR0912
"""The loop over the instructions of a body that collects their operands.

Rules: docs/reference/records.md, 7; docs/reference/writer.md, 11.8.
"""

from __future__ import annotations

from itertools import islice

from bitcodec.bitcode.schema.blocks import ValueSymtabCode
from bitcodec.bitcode.writer.abbreviations import SymtabAbbreviation
from bitcodec.bitcode.writer.collected import shuffle_mask
from bitcodec.bitcode.writer.constants import TABLED
from bitcodec.bitcode.writer.rows import encoded
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET
from bitcodec.errors import EncodingError, quote_name
from bitcodec.host import native
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constant_expressions import BlockAddress, ConstantCast
from bitcodec.ir.constants import ConstantData
from bitcodec.ir.construction import present
from bitcodec.ir.debug_records import DbgVariableKind, DbgVariableRecord
from bitcodec.ir.instructions import Alloca, CatchPad, CleanupPad, LandingPad, Phi
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.instructions.control_flow import Switch
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.vectors import ShuffleVector
from bitcodec.ir.metadata import DIArgList, LocalAsMetadata
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.object_numbers import ObjectNumbers

_TABLED = TABLED
_DBG_ASSIGN = DbgVariableKind.ASSIGN
_FIRST = frozenset((Alloca, CatchPad, CleanupPad, LandingPad, Phi))
"""Instructions at the start of a block; after allocas, casts would hide which of them have a static size."""
_VALUE_PARAMETERS = 4
"""How many parameters `llvm.dbg.value` has at most."""
_VALUE_ENTRY = ValueSymtabCode.ENTRY
_BLOCK_ENTRY = ValueSymtabCode.BBENTRY
_VALUE_8 = SymtabAbbreviation.ENTRY_8
_VALUE_7 = SymtabAbbreviation.ENTRY_7
_VALUE_CHAR6 = SymtabAbbreviation.ENTRY_CHAR6
_BLOCK_CHAR6 = SymtabAbbreviation.BBENTRY_CHAR6
_CHAR6 = CHAR6_ALPHABET


class BodyOperands:
    """The instructions of a function, and their operands.

    Args:
        function: the function.
        context: its context.
        written: by block, the instructions that are written, and those whose values they have; None for its own.
        known_types: types that have a number; the types of instructions are added.

    Attributes:
        instructions: all of them, in order.
        results: instructions that have a value.
        types: their types that were not known, each once.
        held: the constants that they hold; for each, how many more times than once.
        masks: the constants that records have for the masks of shuffles.
        local: the values of the function that metadata wraps.
        lists: the lists of such values.
        named: the instructions that have a name.
        named_blocks: the blocks that have a name, and their numbers.
        attached: the numbers of the instructions that have metadata attached.
        has_stray_metadata: whether an instruction other than a call has metadata for an operand, which no record can.

    Raises:
        EncodingError: debug records are where bitcode has no place for them.
    """

    def __init__(self, function, context, written, known_types) -> None:
        self.function = function
        self.instructions = []
        self.results = []
        self.types = []
        self.held = ObjectNumbers()
        self.masks = {}
        self.local = {}
        self.lists = {}
        self.named = []
        self.named_blocks = []
        self.attached = []
        self.has_stray_metadata = False
        self._void = context.types.void
        self._known_types = known_types
        self._constants = context.constants
        self._enter_blocks(present.present_blocks(function), written)

    def _enter_blocks(self, blocks, written):
        for number, block in enumerate(blocks):
            if present.name_of(block):
                self.named_blocks.append((block, number))
            if block.trailing_debug_records:
                where = f"the body of @{quote_name(self.function.name)}"
                raise EncodingError(f"{where} has a block with debug records at its end: give it a terminator")
            if written is None:
                own = present.listed_instructions(block)
                self._enter_block(own, own)
            else:
                instructions, values = written[number]
                self._enter_block(instructions, values)
        return 0

    def add_constants(self, found, known):
        """Add the constants that the instructions hold.

        Args:
            found: the `Collected` constants.
            known: values that have a number already.
        """
        held = self.held
        for constant in held:
            if native.COMPILED:
                if known.find(constant) >= 0:
                    continue
                # Most are numbers, which are not made of others, or casts of globals, which have numbers.
                is_whole = isinstance(constant, ConstantData)
                if type(constant) is ConstantCast:
                    is_whole = known.find(present.operands_of(constant)[0]) >= 0
                if is_whole and constant not in found:
                    found[constant] = held.find(constant) + 1
                    continue
            found.add(constant, held.find(constant) + 1)

    def block_addresses(self, blocks):
        """Return the constants that are addresses of blocks of the function."""
        return [user for block in blocks for user in present.present_uses(block) if type(user) is BlockAddress]

    def add_names(self, rows, values):
        """Add the records that name arguments, instructions and blocks.

        Args:
            rows: the records.
            values: the numbers of values; void instructions have neither a number nor a name in a file.
        """
        for value in [*self.function.arguments, *self.named]:
            number = values.find(value)
            if number >= 0 and present.name_of(value):
                text = encoded_name(present.name_of(value))
                if not text.translate(None, _CHAR6):
                    add_name(rows, _VALUE_ENTRY, number, text, _VALUE_CHAR6)
                else:
                    add_name(rows, _VALUE_ENTRY, number, text, _VALUE_7 if text.isascii() else _VALUE_8)
        for value, number in self.named_blocks:
            text = encoded_name(present.name_of(value))
            # Blocks have an abbreviation for `char6` alone; ENTRY_8 takes any code.
            is_char6 = not text.translate(None, _CHAR6)
            add_name(rows, _BLOCK_ENTRY, number, text, _BLOCK_CHAR6 if is_char6 else _VALUE_8)

    def _enter_block(self, block_instructions, values):
        last_type = second_type = None
        held = self.held
        known_types = self._known_types
        instructions = self.instructions
        place = 0
        void = self._void
        results = self.results
        for instruction in block_instructions:
            type_ = instruction.type
            if type_ is not last_type:
                # Most instructions have one of two types: those with a value, and the others.
                if type_ is not second_type and known_types.find(type_) < 0:
                    known_types.put(type_, 0)
                    self.types.append(type_)
                last_type, second_type = type_, last_type
            if type_ is not void:
                results.append(instruction if values is block_instructions else values[place])
            for operand in present.operands_of(instruction):
                # Most are instructions.
                if isinstance(operand, Instruction) or type(operand) is BasicBlock:
                    continue
                times = held.find(operand)
                if times >= 0 or type(operand) in _TABLED:
                    held.put(operand, times + 1)
                elif type(operand) is MetadataAsValue and not isinstance(instruction, CallBase):
                    self.has_stray_metadata = True
            if isinstance(instruction, CallBase):
                for operand in present.operands_of(instruction):
                    if type(operand) is MetadataAsValue:
                        self._enter_local(operand.metadata)
            elif type(instruction) is ShuffleVector or type(instruction) is Switch:
                self._enter_constants(instruction)
            if present.has_debug_records(instruction):
                self._enter_records(present.records_of(instruction))
            if present.has_attachments(instruction):
                self.attached.append(len(instructions))
            if present.name_of(instruction):
                self.named.append(values[place])
            instructions.append(instruction)
            place += 1
        return 0

    def _enter_constants(self, instruction):
        """Enter the constants that only the record of an instruction has."""
        if isinstance(instruction, ShuffleVector):
            mask = self.masks[instruction] = shuffle_mask(instruction, self._constants)
            numbers = (mask,)
        else:
            numbers = instruction.case_values
        for constant in numbers:
            if type(constant) in _TABLED:
                self.held.put(constant, self.held.find(constant) + 1)
        return 0

    def _enter_records(self, records):
        for record in records:
            if isinstance(record, DbgVariableRecord):
                variable = record
                self._enter_local(present.in_record(present.present_value(variable)))
                self._enter_local(present.in_record(present.present_address(variable)))
        return 0

    def _enter_local(self, metadata):
        if isinstance(metadata, LocalAsMetadata):
            wrapper = metadata
            if wrapper.value is not None:
                self.local[wrapper.value] = None
        elif isinstance(metadata, DIArgList):
            self.lists[metadata] = None
            for argument in metadata.arguments:
                self._enter_local(argument)
        return 0


def replaced(function, replacements):
    """Return by block the instructions that are written, and those whose values they have.

    Args:
        function: the function of the blocks.
        replacements: by instruction, those that are written instead of it; the last one has its value.
    """
    found = []
    for block in present.present_blocks(function):
        own = written = values = present.present_instructions(block)
        for number, original in enumerate(own):
            instead = replacements.get(original)
            if instead is not None:
                if written is own:
                    written, values = [*islice(own, number)], [*islice(own, number)]
                written.extend(instead)
                values.extend(instead)
                values[len(values) - 1] = original
            elif written is not own:
                written.append(original)
                values.append(original)
        found.append((written, values))
    return found


def with_casts(written, values, casts, pending):
    """Return the instructions of a block with casts, as soon as these can be there, and whose values they have.

    Args:
        written: the instructions.
        values: the instructions whose values they have.
        casts: by value, the casts after it.
        pending: the casts at the begin of the block.
    """
    left = len(casts)
    has_pending = bool(pending)
    found = []
    found_values = []
    for number, original in enumerate(values):
        if has_pending and type(original) not in _FIRST:
            found += pending
            found_values += pending
            has_pending, pending = False, []
        found.append(written[number])
        found_values.append(original)
        behind = casts.get(original) if left else None
        if behind is not None:
            pending, has_pending = pending + behind, True
            left -= 1
    return found, found_values


def encoded_name(name):
    """Return the bytes of a name."""
    return name.encode("ascii") if name.isascii() else encoded(name)


def add_name(rows, code, number, text, abbreviation):
    """Add the record that names a value or a block."""
    if not native.COMPILED:
        rows.add(code, [number, *text], abbreviation)
        return 0
    rows.put(number)
    for character in text:
        rows.put(character)
    rows.end(code, abbreviation)
    return 0


def call_of(record, functions, programs):
    """Return the intrinsic that is called in the place of a debug record, and the metadata that is passed to it.

    The intrinsic is None if the record is left out.

    Args:
        record: the record.
        functions: the intrinsics by kind.
        programs: how metadata nodes are written.
    """
    if not isinstance(record, DbgVariableRecord):
        return functions.get(None), (record.label,)
    variable = record
    function = functions[variable.kind]
    arguments = (location_of(variable, programs), variable.variable, variable.expression)
    if variable.kind is _DBG_ASSIGN and len(function.value_type.parameter_types) > _VALUE_PARAMETERS:
        address = address_of(variable, programs)
        arguments = (*arguments, variable.assign_id, address, variable.address_expression)
    return function, arguments


def location_of(variable, programs):
    """Return the location that is written in a debug record."""
    value = present.in_record(present.present_value(variable))
    if programs.lost and variable.expression in programs.lost:
        return programs.nothing
    if programs.of_first and variable.expression in programs.of_first and isinstance(value, DIArgList):
        return present.in_record(value.arguments[0])
    return value


def address_of(variable, programs):
    """Return the address that is written in a debug record of an assignment."""
    if programs.lost and variable.address_expression in programs.lost:
        return programs.nothing
    return present.in_record(present.present_address(variable))
