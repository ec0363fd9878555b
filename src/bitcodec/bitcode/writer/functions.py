"""Bodies of functions.  Rules: bitcode record reference, section 7; writer reference, section 11.8."""

from __future__ import annotations

from collections import Counter
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, MetadataAttachmentCode, ValueSymtabCode
from bitcodec.bitcode.writer.abbreviations import FunctionAbbreviation, SymtabAbbreviation
from bitcodec.bitcode.writer.boundary import writing
from bitcodec.bitcode.writer.constants import TABLED, Collected, constants_block, shuffle_mask
from bitcodec.bitcode.writer.instructions import writer_of
from bitcodec.bitcode.writer.metadata import NO_METADATA
from bitcodec.bitcode.writer.metadata_records import function_metadata
from bitcodec.bitcode.writer.rows import BlockRows, Rows, encoded
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET
from bitcodec.errors import EncodingError, quote_name
from bitcodec.ir.constant_expressions import BlockAddress
from bitcodec.ir.constants import Constant
from bitcodec.ir.debug_records import DbgLabelRecord, DbgVariableKind, DbgVariableRecord
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions import Instruction, ShuffleVector, Switch
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.metadata import DIArgList, LocalAsMetadata, ValueAsMetadata
from bitcodec.ir.metadata_values import MetadataAsValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bitcodec.bitcode.writer.metadata import Key
    from bitcodec.bitcode.writer.numbers import Numbers
    from bitcodec.bitcode.writer.use_lists import BodyUseLists, UseLists
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.values import Value

__all__ = ["BodyWriter"]

_WIDTH = 5
_SYMTAB_WIDTH = 4
_ATTACHMENT_WIDTH = 3
_MASK = 0xFFFF_FFFF
_METADATA_INPUT = 0x8000_0000
"""Stands in front of an input of an operand bundle that is metadata."""
_CHAR6 = frozenset(CHAR6_ALPHABET)
_LOCATION, _LOCATION_AGAIN = int(FunctionCode.DEBUG_LOC), int(FunctionCode.DEBUG_LOC_AGAIN)
_VALUE_SIMPLE = int(FunctionCode.DEBUG_RECORD_VALUE_SIMPLE)


class BodyWriter:
    """Writes the body of one function.

    Args:
        module: the module.
        function: which is defined there.
        keys: the metadata that stands in its block.
        numbers: numbers of the module; while a body is written, of its values and metadata too.
        use_lists: orders of uses, those of the module or of this body, None if they do not matter.

    Attributes:
        rows: the records of instructions.
        number: the value id that comes next.
        values, types, blocks, scopes, attributes: numbers that records have for them.
        alloca_space: the address space in which stack slots lie unless they say otherwise.
    """

    def __init__(
        self,
        module: Module,
        function: Function,
        keys: Sequence[Key],
        numbers: Numbers,
        use_lists: UseLists | BodyUseLists | None,
    ) -> None:
        self._module = module
        self._function = function
        self._numbers = numbers
        self._use_lists = use_lists
        self._keys = keys
        self.rows = Rows()
        self.values: dict[Value, int] = numbers.values
        self.types = numbers.types
        self.blocks = numbers.block_numbers(function)
        self.scopes = numbers.scopes
        self.attributes = numbers.attributes
        self.alloca_space = module.data_layout.alloca_address_space
        self.number = len(self.values)
        self._instructions = [each for block in function._blocks for each in block._instructions]
        self._masks: dict[ShuffleVector, Constant] = {}
        self._local: dict[Value, None] = {}
        self._lists: dict[DIArgList, None] = {}

    def block(self) -> BlockRows:
        """Return the block that holds the body.

        Raises:
            EncodingError: the body refers to something that the module does not contain.
        """
        with writing(f"the body of @{quote_name(self._function.name)}"):
            return self._block()

    def _block(self) -> BlockRows:
        block = BlockRows(BlockId.FUNCTION_BLOCK, _WIDTH)
        first_value = len(self.values)
        block.rows().add(FunctionCode.DECLAREBLOCKS, [len(self.blocks)])
        block.items += self._tables()
        self._write_instructions()
        self._write_block_address_users()
        block.items.append(self.rows)
        block.items += filter(None, (self._symbol_table(), self._attachments(), self._orders()))
        for _ in range(len(self.values) - first_value):
            self.values.popitem()
        for key in self._metadata():
            self._numbers.metadata_ids.pop(key, None)
        return block

    # Numbers

    def _tables(self) -> Iterator[BlockRows]:
        """Give numbers to the function's values and metadata; yield the blocks of its constants and metadata."""
        values = self.values
        for argument in self._function.arguments:
            values[argument] = len(values)
        constants = self._constants()
        for constant in constants:
            values[constant] = len(values)
        self.number = len(values)
        for type_ in dict.fromkeys([instruction.type for instruction in self._instructions]):
            _ = self.types[type_]
        void = self._module.context.types.void
        results = [instruction for instruction in self._instructions if instruction.type is not void]
        values.update(zip(results, count(self.number)))
        if constants:
            yield constants_block(constants, self._numbers, is_module=False)
        self._collect_local_metadata()
        self._numbers.metadata_ids.update(zip(self._metadata(), count(self._numbers.metadata_count)))
        metadata = function_metadata(self._keys, self._local, self._lists, self._numbers)
        if metadata is not None:
            yield metadata

    def _metadata(self) -> Iterator[Any]:
        """Return all that has an id for the function alone, in the order of ids."""
        return chain(self._keys, self._local, self._lists)

    def _constants(self) -> list[Value]:
        found = Collected(self.values)
        held = [value for value in chain.from_iterable(self._held()) if type(value) in TABLED]
        for constant, times in Counter(held).items():
            found.add(constant, times)
        for key in self._keys:
            if isinstance(key, Constant):
                found.add(key)
        return found.in_order(self._numbers)

    def _held(self) -> Iterator[Sequence[Value]]:
        """Yield what instructions hold: their operands, and the constants that only records have."""
        for instruction in self._instructions:
            yield instruction._operands
            if isinstance(instruction, ShuffleVector):
                mask = self._masks[instruction] = shuffle_mask(instruction, self._module.context.constants)
                yield (mask,)
            elif isinstance(instruction, Switch):
                yield instruction.case_values

    def mask(self, shuffle: ShuffleVector) -> Constant:
        """Return the constant that stands for the mask of a shuffle."""
        return self._masks[shuffle]

    def _collect_local_metadata(self) -> None:
        for instruction in self._instructions:
            if isinstance(instruction, CallBase):
                for operand in instruction._operands:
                    if type(operand) is MetadataAsValue:
                        self._collect_local(operand.metadata)
            if instruction._records:
                for record in instruction.debug_records:
                    if isinstance(record, DbgVariableRecord):
                        self._collect_local(record.value)
                        if record.address is not None:
                            self._collect_local(record.address)

    def _collect_local(self, metadata: object) -> None:
        if isinstance(metadata, LocalAsMetadata):
            if metadata.value is not None:
                self._local[metadata.value] = None
        elif isinstance(metadata, DIArgList):
            self._lists[metadata] = None
            for argument in metadata.arguments:
                self._collect_local(argument)

    # Records

    def _write_instructions(self) -> None:
        void = self._module.context.types.void
        last = None
        add, writers = self.rows.add, {kind: writer_of(kind) for kind in set(map(type, self._instructions))}
        for instruction in self._instructions:
            if isinstance(instruction, CallBase):
                self._write_call(instruction)
            writers[type(instruction)](self, instruction)
            if instruction.type is not void:
                self.number += 1
            location: Any = instruction._location
            if location is not None:
                if location is last:
                    add(_LOCATION_AGAIN, ())
                else:
                    self._write_location(location)
                    last = location
            if instruction._records:
                for record in instruction.debug_records:
                    self._write_record(record)

    def _write_call(self, call: CallBase) -> None:
        """Write what stands in front of a call; metadata that it passes has no number but its id."""
        for operand in call._operands:
            if type(operand) is MetadataAsValue:
                self.values[operand] = self._metadata_id(operand.metadata)
        for tag, inputs in call.bundles:
            operands = [self._numbers.tags[tag]]
            for value in inputs:
                relative = self.number - self.values[value]
                if type(value) is MetadataAsValue:
                    operands += (_METADATA_INPUT, relative & _MASK)
                else:
                    operands.append(relative & _MASK)
                    if relative <= 0:
                        operands.append(self.types[value.type])
            self.rows.add(FunctionCode.OPERAND_BUNDLE, operands)

    def _write_location(self, location: Any) -> None:
        ids = self._numbers.metadata_ids
        inlined_at = location.inlined_at
        operands = (
            location.line,
            location.column,
            ids[location.scope] + 1,
            0 if inlined_at is None else ids[inlined_at] + 1,
            location.is_implicit_code,
            location.atom_group,
            location.atom_rank,
        )
        self.rows.add(_LOCATION, operands, FunctionAbbreviation.DEBUG_LOC)

    def _write_record(self, record: Any) -> None:
        number = self._metadata_id
        if isinstance(record, DbgLabelRecord):
            self.rows.add(FunctionCode.DEBUG_RECORD_LABEL, [number(record.location), number(record.label)])
            return
        operands = [number(record.location), number(record.variable), number(record.expression)]
        wrapped: Any = record.value.value if isinstance(record.value, ValueAsMetadata) else None
        if record.kind is DbgVariableKind.VALUE and wrapped is not None:
            relative = self.number - self.values[wrapped]
            if relative > 0:
                abbreviation = FunctionAbbreviation.DEBUG_RECORD_VALUE_SIMPLE
                self.rows.add(_VALUE_SIMPLE, [*operands, relative], abbreviation)
                return
        operands.append(number(record.value))
        if record.kind is DbgVariableKind.ASSIGN:
            operands += (number(record.assign_id), number(record.address_expression), number(record.address))
        self.rows.add(record.kind.code, operands)

    def _metadata_id(self, metadata: Any) -> int:
        number = self._numbers.metadata_ids[metadata]
        if number == NO_METADATA:
            problem = "a debug record lacks a part" if metadata is None else "metadata of an erased value is still used"
            raise EncodingError(f"in @{quote_name(self._function.name)}, {problem}")
        return number

    def _write_block_address_users(self) -> None:
        """Tell who else takes addresses of blocks here: whoever reads it alone has to read this function too."""
        users: dict[Function, None] = {}
        for block in self.blocks:
            for address in block._uses:
                if isinstance(address, BlockAddress):
                    users.update(dict.fromkeys(_functions_using(address)))
        users.pop(self._function, None)
        if users:
            self.rows.add(FunctionCode.BLOCKADDR_USERS, [self.values[function] for function in users])

    # What follows them

    def _symbol_table(self) -> BlockRows | None:
        block = BlockRows(BlockId.VALUE_SYMTAB_BLOCK, _SYMTAB_WIDTH)
        rows = Rows()
        named = [value for value in (*self._function.arguments, *self._instructions) if value._name]
        for value in named:
            # What has no value has no number either, and so no name in a file.
            if value in self.values:
                _symbol_entry(rows, self.values[value], value._name)
        for basic_block, number in self.blocks.items():
            if basic_block._name:
                _symbol_entry(rows, number, basic_block._name, is_block=True)
        if not rows:
            return None
        block.items.append(rows)
        return block

    def _orders(self) -> BlockRows | None:
        return None if self._use_lists is None else self._use_lists.block(self._function, self.values, self.blocks)

    def _attachments(self) -> BlockRows | None:
        block = BlockRows(BlockId.METADATA_ATTACHMENT_BLOCK, _ATTACHMENT_WIDTH)
        rows = Rows()
        own = self._function.metadata
        if own:
            rows.add(MetadataAttachmentCode.ATTACHMENT, self._numbers.attached(own))
        for number, instruction in enumerate(self._instructions):
            if instruction._attachments:
                pairs = self._numbers.attached(instruction.metadata.items())
                rows.add(MetadataAttachmentCode.ATTACHMENT, [number, *pairs])
        if not rows:
            return None
        block.items.append(rows)
        return block


def _symbol_entry(rows: Rows, number: int, name: str, *, is_block: bool = False) -> None:
    """Add the record that names a value or a block."""
    text = encoded(name)
    code = ValueSymtabCode.BBENTRY if is_block else ValueSymtabCode.ENTRY
    if _CHAR6.issuperset(text):
        abbreviation = SymtabAbbreviation.BBENTRY_CHAR6 if is_block else SymtabAbbreviation.ENTRY_CHAR6
    else:
        is_seven_bit = text.isascii() and not is_block
        abbreviation = SymtabAbbreviation.ENTRY_7 if is_seven_bit else SymtabAbbreviation.ENTRY_8
    rows.add(code, [number, *text], abbreviation)


def _functions_using(constant: Constant) -> Iterator[Function]:
    """Yield the functions whose instructions use a constant, directly or through others."""
    pending: list[Value] = [constant]
    seen: set[Value] = set()
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        for user in current._uses:
            if isinstance(user, Instruction):
                if user.function is not None:
                    yield user.function
            elif isinstance(user, Constant) and not isinstance(user, GlobalValue):
                pending.append(user)
