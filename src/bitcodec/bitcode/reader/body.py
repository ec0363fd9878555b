# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: SLF001
"""The loop over the records of FUNCTION_BLOCK: instructions, and the records between them.

Rules: docs/reference/records.md, 7.2 to 7.8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec import upgrade
from bitcodec.bitcode.malformed import Malformed, unknown
from bitcodec.bitcode.reader.attachments import DEBUG_RECORD_OPERANDS
from bitcodec.bitcode.reader.instruction_maker import INSTRUCTION_PROGRAMS, InstructionMaker
from bitcodec.bitcode.reader.instructions.calls import operand_bundle
from bitcodec.bitcode.reader.instructions.control_flow import is_range_switch, range_switch
from bitcodec.bitcode.reader.pointees import ADDRESS, CONTAINED, FIELD, NO_RULE, rare_type_id, result_rules
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.construction.present import present_instructions
from bitcodec.ir.construction.setting import set_operands
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import ExtractValue
from bitcodec.ir.instructions.instruction import Terminator
from bitcodec.ir.types import StructType
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.extras import InstructionExtras
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions.instruction import Instruction

__all__ = ["HANDLED_FUNCTION_CODES", "BodyReader"]

_VALUE_PAIR_OPERANDS = 8
"""From this many operands on, an old `cmpxchg` gives a pair."""

_LOCATION_OPERANDS = 4
_RECORD_NODES = 3
"""Operands of a debug record before its value, if that is given as an operand."""

_DECLARE_BLOCKS = int(FunctionCode.DECLAREBLOCKS)
_SWITCH, _CAST = int(FunctionCode.INST_SWITCH), int(FunctionCode.INST_CAST)
_OLD_CMPXCHG, _BUNDLE = int(FunctionCode.INST_CMPXCHG_OLD), int(FunctionCode.OPERAND_BUNDLE)
_LOCATION, _SAME_LOCATION = int(FunctionCode.DEBUG_LOC), int(FunctionCode.DEBUG_LOC_AGAIN)
_ADDRESS_USERS, _VALUE_SIMPLE = int(FunctionCode.BLOCKADDR_USERS), int(FunctionCode.DEBUG_RECORD_VALUE_SIMPLE)
_TAG_SLOT, _INPUTS_SLOT = INSTRUCTION_PROGRAMS.slots["tag"], INSTRUCTION_PROGRAMS.slots["inputs"]
_NO_RULE, _FIELD, _CONTAINED, _ADDRESS = NO_RULE, FIELD, CONTAINED, ADDRESS
_RESULT_RULES, _RESULT_SLOTS = result_rules(INSTRUCTION_PROGRAMS.slots)
_FIRST_INDEX = 2
"""The operand of a `getelementptr` that is the first index into the pointee."""

_OTHER_CODES = frozenset(
    {_DECLARE_BLOCKS, _BUNDLE, _LOCATION, _SAME_LOCATION, _ADDRESS_USERS} | DEBUG_RECORD_OPERANDS.keys()
)
"""Codes of records that make no instruction."""
_SPECIAL_INSTRUCTIONS = (_SWITCH, _CAST, _OLD_CMPXCHG)
"""Codes of records whose instruction depends on more than their fields."""
_IS_ORDINARY = bytes(
    code in INSTRUCTION_LAYOUTS and code not in _OTHER_CODES and code not in _SPECIAL_INSTRUCTIONS
    for code in range(256)
)
"""For each record code whether only its fields matter."""

HANDLED_FUNCTION_CODES = frozenset(INSTRUCTION_LAYOUTS) | _OTHER_CODES


class BodyReader(InstructionMaker):
    """Reads the instructions of a body and adds them to its blocks.

    Args:
        state: looks up the operands' values.
        declare_blocks: returns the blocks of the body, given their count.
        extras: takes locations and debug records.
        records: the records of the body.

    Attributes:
        instructions: instructions that records refer to, by number.
    """

    def __init__(
        self,
        state: FunctionState,
        declare_blocks: Callable[[int], list[BasicBlock]],
        extras: InstructionExtras,
        records: Records,
    ) -> None:
        super().__init__(state, records.columns)
        self.instructions: list[Instruction] = []
        self.values, self.value_type_ids = state.values, state.value_type_ids
        self._records = records
        self._codes = records.columns.records.code
        self._forward = state.forward
        self._waiting = state.forward.waiting
        self._unplaced = state.forward.unplaced
        self._file_types = state.module.file_types
        self._addresses = state.module.file_types.addresses
        self._pointer = state.pointer
        self._declare = declare_blocks
        self._located = extras.located
        self._location_rows = extras.location_rows
        self._debug_records = extras.records
        self._open_blocks: list[BasicBlock] = []
        self._block: BasicBlock | None = None
        self._block_instructions: Any = None
        self._last: Instruction | None = None
        self._location_row = self._row = -1

    def read(self, rows: range) -> None:
        """Read records that follow one another.

        Raises:
            BitcodecError: one of them is malformed.
        """
        records = self._records
        self._row = rows.start
        try:
            self._read_rows(rows.start, rows.stop)
        except Malformed as error:
            raise records.error(self._row, error.reason) from None

    def _read_rows(self, first: int, last: int) -> None:
        for row in range(first, last):
            self._row = row
            code = self._codes[row]
            self.at, self.end = self.bounds[row], self.bounds[row + 1]
            if code == _LOCATION:
                self._read_location(row)
            elif code < 256 and _IS_ORDINARY[code]:
                self._add(self.make(code), code)
            else:
                self._read_special(row, code)

    def _read_special(self, row: int, code: int) -> None:
        if code == _CAST:
            self._read_cast(code)
        elif code == _SWITCH:
            numbers = self._operands()
            self._add(range_switch(self.state, numbers) if is_range_switch(numbers) else self.make(code), code)
        elif code == _SAME_LOCATION:
            self._repeat_location()
        elif code == _VALUE_SIMPLE or code in DEBUG_RECORD_OPERANDS:
            self._read_debug_record(row, code)
        elif code == _DECLARE_BLOCKS:
            self._declare_blocks()
        elif code == _BUNDLE:
            self.read_fields(code)
            operand_bundle(self.state, self.objects[_TAG_SLOT], self.objects[_INPUTS_SLOT])
        elif code == _OLD_CMPXCHG:
            self._read_old_cmpxchg(code)
        elif code == _ADDRESS_USERS:
            self._check_users()
        else:
            raise unknown("instruction", FunctionCode, code)

    def _operands(self) -> list[int]:
        """Return the operands of the record, which are read again afterwards."""
        at = self.at
        numbers = self.take_rest()
        self.at = at
        return numbers

    # Instructions

    def _add(self, instruction: Instruction, code: int) -> None:
        """Add an instruction to the open block, and give it and its value a number.

        Args:
            instruction: the instruction.
            code: of its record, -1 if it is an additional one of a record; it gets no number then.
        """
        block = self._block
        if block is None:
            set_operands(instruction, ())
            raise Malformed(Reason.AFTER_LAST_BLOCK())
        self._block_instructions.append(instruction)
        instruction.parent = block
        self._last = instruction
        if self._unplaced:
            self._forward.place(instruction)
        if code < 0:
            return
        self.instructions.append(instruction)
        if isinstance(instruction, Terminator):
            self._open_next()
        if self._bundles:
            raise Malformed(Reason.BUNDLES_WITHOUT_CALL())
        if instruction.type is not self._void:
            if self._waiting:
                number = len(self.values)
                if number in self._waiting:
                    self._forward.define(number, instruction)
            self.values.append(instruction)
            if self._keeps_type_ids:
                self.value_type_ids.append(self._result_type_id(code, instruction))

    def _result_type_id(self, code: int, instruction: Instruction) -> int:
        """Return the type id of an instruction's result; its record has just been read."""
        rule, type_id = _RESULT_RULES[code], self.type_ids[_RESULT_SLOTS[code]]
        if rule == _FIELD:
            return type_id
        if rule == _CONTAINED:
            return self._part(type_id, 0)
        if rule == _ADDRESS:
            return self._address_id(type_id, instruction)
        return NO_TYPE_ID if rule == _NO_RULE else rare_type_id(self._file_types, code, type_id, instruction)

    def _address_id(self, type_id: int, instruction: Instruction) -> int:
        """Return the type id of a pointer into a type; the indices of a `getelementptr` lead to its pointee."""
        operands = instruction._operands
        for place in range(_FIRST_INDEX, len(operands)):
            index, position = operands[place], 0
            if not 0 <= type_id < len(self.types):
                return NO_TYPE_ID
            if isinstance(index, ConstantInt) and isinstance(self.types[type_id], StructType):
                position = index.value
            type_id = self._part(type_id, position)
        if instruction.type is self._pointer:
            found = self._addresses.get(type_id)
            return self._file_types.address(self._pointer, type_id) if found is None else found
        pointer: Any = instruction.type
        address_id = self._file_types.address(pointer.scalar_type, type_id)
        return address_id if pointer.scalar_type is pointer else self._file_types.virtual(pointer, [address_id])

    def _open_next(self) -> None:
        block = self._block = self._open_blocks.pop() if self._open_blocks else None
        self._block_instructions = None if block is None else present_instructions(block)

    def _read_cast(self, code: int) -> None:
        made: Any = self.make(code)
        if made.opcode == "bitcast" and upgrade.is_address_space_bitcast(made.opcode, made.operand.type, made.type):
            first, second = upgrade.upgraded_bitcasts(made.operand, made.type, self.state.types)
            set_operands(made, ())
            self._add(first, -1)
            self.instructions.append(first)  # LLVM counts both
            made = second
        self._add(made, code)

    def _read_old_cmpxchg(self, code: int) -> None:
        """Read a `cmpxchg`; the value of the oldest is not the pair but the old value in memory."""
        state, count = self.state, self.end - self.at
        exchange: Any = self.make(code)
        if count >= _VALUE_PAIR_OPERANDS:
            self._add(exchange, code)
            return
        self._add(exchange, -1)
        # Earlier users expect the type of the value, not the type of the pair.
        self._add(ExtractValue(exchange.compare.type, exchange, (0,)), code)
        self.instructions[len(self.instructions) - 1] = exchange
        if state.keeps_type_ids:
            number = len(state.values) - 1
            state.value_type_ids[number] = state.module.file_types.contained(state.value_type_ids[number])

    # Records between instructions

    def _declare_blocks(self) -> None:
        if self.state.blocks:
            raise Malformed(Reason.BLOCKS_TWICE())
        self.state.blocks = self.blocks = self._declare(self.take())
        self._open_blocks = self.blocks[::-1]
        self._open_next()

    def _read_location(self, row: int) -> None:
        if self.end - self.at < _LOCATION_OPERANDS:
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        if self._last is None:
            raise Malformed(Reason.NO_INSTRUCTION())
        self._location_row = row
        self._located.append(self._last)
        self._location_rows.append(row)

    def _repeat_location(self) -> None:
        if self._last is None:
            raise Malformed(Reason.NO_INSTRUCTION())
        if self._location_row >= 0:
            self._located.append(self._last)
            self._location_rows.append(self._location_row)

    def _read_debug_record(self, row: int, code: int) -> None:
        value = None
        if code == _VALUE_SIMPLE:
            self.at += _RECORD_NODES
            number = self.take()
            index = self._index_of(number)
            if self.is_direct and 0 <= index < len(self.values):
                value = self._value_at(index)
            else:
                value = self.state.value(number, self)
        elif self.end - self.at < DEBUG_RECORD_OPERANDS[code]:
            raise Malformed(Reason.TOO_FEW_OPERANDS())
        # They are written behind the instruction that they precede.
        if self._last is None:
            raise Malformed(Reason.NO_INSTRUCTION())
        self._debug_records.append((self._last, row, value))

    def _check_users(self) -> None:
        """Check the functions that use block addresses of this one; they matter to linkers and to orders of uses."""
        values, numbers = self.state.values, self.take_rest()
        if not numbers or any(number >= len(values) or not isinstance(values[number], Function) for number in numbers):
            raise Malformed(Reason.USER_NO_FUNCTION())
        self.state.module.shared_uses.needs_with(self.state.function, [values[number] for number in numbers])
