"""Reads FUNCTION_BLOCK: the body of a function.

Rules: bitcode record reference, section 7.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.attachments import (
    DEBUG_RECORD_CODES,
    AttachmentSource,
    DeferredAttachments,
    DeferredFunctionMetadata,
    DeferredLocation,
    DeferredRecords,
    decode_body,
)
from bitcodec.bitcode.reader.constants import ConstantReader
from bitcodec.bitcode.reader.expansion import Expandable, expand
from bitcodec.bitcode.reader.function_state import FunctionState
from bitcodec.bitcode.reader.instructions import INSTRUCTION_MAKERS
from bitcodec.bitcode.reader.instructions.calls import operand_bundle
from bitcodec.bitcode.reader.instructions.control_flow import is_range_switch, range_switch
from bitcodec.bitcode.reader.layouts import Decoder
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.reader.pointees import result_type_id
from bitcodec.bitcode.reader.symbols import name_locals
from bitcodec.bitcode.reader.use_lists import order_uses
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode, MetadataAttachmentCode
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.bitcode.upgrade.address_spaces import is_address_space_bitcast, upgraded_bitcasts
from bitcodec.ir.instructions import AtomicCmpXchg, CallBase, Cast, ExtractValue

if TYPE_CHECKING:
    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.bitcode.reader.metadata import FunctionMetadata
    from bitcodec.bitcode.reader.module import ModuleReader
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.values import Value

__all__ = ["HANDLED_FUNCTION_CODES", "FunctionReader"]

_OTHERS = frozenset(
    {
        FunctionCode.DECLAREBLOCKS,
        FunctionCode.OPERAND_BUNDLE,
        FunctionCode.DEBUG_LOC,
        FunctionCode.DEBUG_LOC_AGAIN,
        FunctionCode.BLOCKADDR_USERS,
        *DEBUG_RECORD_CODES,
    }
)
HANDLED_FUNCTION_CODES = frozenset(INSTRUCTION_MAKERS) | _OTHERS

_VALUE_PAIR_OPERANDS = 8
"""From this many operands on (a pointer not defined yet not counted), an old `cmpxchg` gives a pair."""


@cache
def _decoders(*, keeps_type_ids: bool) -> dict[int, Decoder]:
    return {code: Decoder(layout, keeps_type_ids=keeps_type_ids) for code, layout in INSTRUCTION_LAYOUTS.items()}


class FunctionReader:
    """Reads one body, and keeps what its metadata will be read with."""

    def __init__(self, module: ModuleReader, function: Function, place: BlockPlace) -> None:
        self._module = module
        self._function = function
        self._place = place
        self._state = FunctionState(module, function)
        self._decoders = _decoders(keeps_type_ids=self._state.keeps_type_ids)
        self._metadata_blocks: list[BlockPlace] = []
        self._metadata: FunctionMetadata | None = None
        self._has_expandables = module.has_expandables
        self._own: list[Value] = []
        self._source: AttachmentSource | None = None
        self._instructions: list[Instruction] = []
        self._open_blocks: list[BasicBlock] = []
        self._location: DeferredLocation | None = None
        self._debug_records: DeferredRecords | None = None

    def read(self) -> None:
        """Read the body.

        Raises:
            BitcodecError: it is malformed.
        """
        state, values = self._state, self._state.values
        records = decode_body(self._place)
        try:
            type_ids = self._module.parameter_ids(self._function)
            for argument, type_id in zip(self._function.parameters, type_ids, strict=True):
                state.define(argument, type_id)
            for span in records.spans():
                if isinstance(span, range):
                    self._read_records(records, span)
                else:
                    self._read_block(span)
            self._finish(records)
            self._own = values[state.first_own :]
            self._instructions = []
        finally:
            del values[state.first_own :]
            del state.type_ids[state.first_own :]
        state.values = self._own  # the module's own list goes on with other functions

    # Records

    def _read_records(self, records: Records, rows: range) -> None:
        decoders = self._decoders
        row = rows.start
        try:
            for row, code, operands in zip(rows, records.codes(rows), records.operand_lists(rows), strict=True):
                maker = INSTRUCTION_MAKERS.get(code)  # type: ignore[call-overload]
                if maker is None:
                    self._read_other(row, code, operands)
                elif code == FunctionCode.INST_SWITCH and is_range_switch(operands):
                    self._add(range_switch(self._state, operands), code, {})
                else:
                    fields = decoders[code].decode(self._state, operands)
                    made = maker(self._state, fields)
                    if code == FunctionCode.INST_CAST:
                        made = self._without_address_space_bitcast(made)
                    self._add(made, code, fields)
                    if code == FunctionCode.INST_CMPXCHG_OLD:
                        self._extract_old_result(operands)
        except Malformed as error:
            raise records.error(row, str(error)) from None
        except (StopIteration, IndexError) as error:
            raise records.error(row, "has too few operands") from error
        except (TypeError, ValueError, OverflowError, MemoryError) as error:
            raise records.error(row, f"makes no sense: {error}") from error

    def _add(self, instruction: Instruction, code: int, fields: dict[str, object]) -> None:
        """Put an instruction at the end of the block that is open, and give its value a number."""
        state = self._state
        self._place_instruction(instruction)
        if instruction.is_terminator:
            self._open_blocks.pop()
        if state.bundles and not isinstance(instruction, CallBase):
            raise Malformed("operand bundles stand in front of what is no call")
        if self._debug_records is not None:
            instruction._records, self._debug_records = self._debug_records, None
        self._instructions.append(instruction)
        if instruction.type is not state.types.void:
            type_id = result_type_id(state, code, fields, instruction) if state.keeps_type_ids else -1
            state.define(instruction, type_id)

    def _without_address_space_bitcast(self, made: Instruction) -> Instruction:
        """Return what has the value of a cast, after adding what must stand in front of it."""
        if not isinstance(made, Cast) or not is_address_space_bitcast(made.opcode, made.operand.type, made.type):
            return made
        first, second = upgraded_bitcasts(made.operand, made.type, self._module.types)
        made._drop_operands()
        self._place_instruction(first)
        return second

    def _place_instruction(self, instruction: Instruction) -> None:
        """Put an instruction at the end of the block that is open."""
        if not self._open_blocks:
            raise Malformed("an instruction stands after the end of the last block")
        block = self._open_blocks[-1]
        block._instructions.append(instruction)
        instruction.parent = block
        self._state.forward.place(instruction)

    def _extract_old_result(self, operands: list[int]) -> None:
        """Let the value of an old `cmpxchg` be what was in memory, not the pair."""
        state = self._state
        exchange = self._instructions[-1]
        is_forward = len(operands) > _VALUE_PAIR_OPERANDS
        if len(operands) - is_forward >= _VALUE_PAIR_OPERANDS or not isinstance(exchange, AtomicCmpXchg):
            return
        block = exchange.parent
        assert block is not None  # noqa: S101 - it was just put there
        extracted = ExtractValue(exchange.compare.type, exchange, (0,))
        block._instructions.append(extracted)
        extracted.parent = block
        state.values[-1] = extracted
        if state.keeps_type_ids:
            state.type_ids[-1] = self._module.file_types.contained(state.type_ids[-1])

    def _read_other(self, row: int, code: int, operands: list[int]) -> None:
        if code == FunctionCode.DEBUG_LOC:
            if len(operands) < 4:
                raise Malformed("has too few operands")
            self._location = DeferredLocation(self._attachments(), row, operands)
            self._last_instruction()._location = self._location
        elif code == FunctionCode.DEBUG_LOC_AGAIN:
            if self._location is None:
                raise Malformed("no location stands before it")
            self._last_instruction()._location = self._location
        elif code in DEBUG_RECORD_CODES:
            self._read_debug_record(row, code, operands)
        elif code == FunctionCode.OPERAND_BUNDLE:
            operand_bundle(self._state, self._decoders[code].decode(self._state, operands))
        elif code == FunctionCode.DECLAREBLOCKS:
            self._declare_blocks(operands[0])
        elif code != FunctionCode.BLOCKADDR_USERS:
            raise Malformed("no such record is known here")

    def _declare_blocks(self, count: int) -> None:
        if self._state.blocks or not count:
            raise Malformed("blocks are declared twice, or none is")
        if count > self._place.size * 8:
            raise Malformed(f"{count} blocks are more than the body has bits")
        self._state.blocks = self._module.declared_blocks(self._function, count)
        self._open_blocks = self._state.blocks[::-1]

    def _last_instruction(self) -> Instruction:
        if not self._instructions:
            raise Malformed("no instruction stands before it")
        return self._instructions[-1]

    def _read_debug_record(self, row: int, code: int, operands: list[int]) -> None:
        value = None
        if code == FunctionCode.DEBUG_RECORD_VALUE_SIMPLE:
            value = self._state.value(iter(operands[3:]))
            operands = operands[:3]
        if self._debug_records is None:
            self._debug_records = DeferredRecords(self._attachments())
        self._debug_records.add(row, code, operands, value)

    # Inner blocks

    def _read_block(self, records: Records) -> None:
        state = self._state
        if records.id == BlockId.CONSTANTS_BLOCK:
            known = len(state.values)
            constants = ConstantReader(self._module, state.values, state.type_ids)
            constants.enumerate(records)
            constants.make_all()
            self._has_expandables |= any(isinstance(value, Expandable) for value in state.values[known:])
            for number in range(known, len(state.values)):
                state.forward.define(number, state.values[number])
        elif records.id == BlockId.METADATA_BLOCK:
            self._metadata_blocks.append(records.place())
        elif records.id == BlockId.VALUE_SYMTAB_BLOCK:
            self._finish_body()
            name_locals(records, self._function.symbols, state.values, state.blocks)
        elif records.id == BlockId.METADATA_ATTACHMENT_BLOCK:
            self._read_attachments(records)
        elif records.id == BlockId.USELIST_BLOCK:
            self._finish_body()
            order_uses(records, state.values, state.blocks)

    def _read_attachments(self, records: Records) -> None:
        for row, code, operands in records:
            if code != MetadataAttachmentCode.ATTACHMENT:
                continue
            with records.placed(row):
                if len(operands) % 2 == 0:
                    self._attach_to_function(row, operands)
                    continue
                if operands[0] >= len(self._instructions):
                    raise Malformed(f"there is no instruction {operands[0]}")
                source = self._attachments()
                instruction = self._instructions[operands[0]]
                instruction._attachments = DeferredAttachments(source, row, operands[1:])

    def _attach_to_function(self, row: int, pairs: list[int]) -> None:
        attached = self._function._body_metadata
        if not isinstance(attached, DeferredFunctionMetadata):
            attached = self._function._body_metadata = DeferredFunctionMetadata(self._attachments())
        attached.add(row, pairs)

    # Metadata

    def metadata(self) -> FunctionMetadata:
        """Return the function's metadata; that of blocks met so far."""
        if self._metadata is None:
            self._metadata = self._module.metadata.function(self._metadata_blocks, self._value_of)
        return self._metadata

    def _attachments(self) -> AttachmentSource:
        if self._source is None:
            self._source = AttachmentSource(self, self._module.metadata, self._place)
        return self._source

    def _value_of(self, type_id: int, value_id: int) -> Value | None:
        """Return the value that function-local metadata wraps."""
        first = self._state.first_own
        type_ = self._module.file_types.of(type_id)
        if type_ is self._module.types.void:
            return None
        if value_id < first:
            return self._module.value_of(type_id, value_id)
        own = self._own or self._state.values[first:]
        if value_id - first >= len(own):
            raise Malformed(f"there is no value {value_id}")
        return own[value_id - first]

    # The end

    def _finish(self, records: Records) -> None:
        state = self._state
        missing = state.forward.first_missing()
        last = len(records.columns.records) - 1
        if missing is not None:
            raise records.error(last, f"value {missing} is used but never defined")
        if state.bundles:
            raise records.error(last, "operand bundles stand in front of no call")
        self._finish_body()
        with records.placed(last):
            state.complete_metadata(lambda number: self.metadata().node(number))

    def _finish_body(self) -> None:
        """Make whole what instructions could not be while values were to come."""
        function = self._function
        if not function._blocks:
            function._blocks = self._state.blocks
            for block in self._state.blocks:
                block.parent = function
            if self._has_expandables:
                expand(function, self._module.types)
