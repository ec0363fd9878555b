"""Reads the records of FUNCTION_BLOCK one after another: instructions, and what stands between them.

Rules: bitcode record reference, sections 7.2 to 7.8.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.attachments import DEBUG_RECORD_OPERANDS
from bitcodec.bitcode.reader.instructions import INSTRUCTION_MAKERS
from bitcodec.bitcode.reader.instructions.calls import operand_bundle
from bitcodec.bitcode.reader.instructions.control_flow import is_range_switch, range_switch
from bitcodec.bitcode.reader.layouts import Decoder
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.reader.pointees import result_type_id
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import EXACT_RECORDS, INSTRUCTION_LAYOUTS
from bitcodec.bitcode.upgrade.address_spaces import is_address_space_bitcast, upgraded_bitcasts
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import ExtractValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.beside import Beside
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions import Instruction

    _Reader = Callable[[FunctionState, list[int]], Instruction]

__all__ = ["HANDLED_FUNCTION_CODES", "BodyReader"]

_VALUE_PAIR_OPERANDS = 8
"""From this many operands on (a pointer not defined yet not counted), an old `cmpxchg` gives a pair."""

_LOCATION_OPERANDS = 4
_LOCATION = int(FunctionCode.DEBUG_LOC)
_VALUE_SIMPLE = int(FunctionCode.DEBUG_RECORD_VALUE_SIMPLE)
_NO_INSTRUCTION = "no instruction stands before it"


@cache
def _decoders(*, is_direct: bool) -> dict[int, Decoder]:
    return {
        code: Decoder(layout, is_direct=is_direct, make=_MAKERS.get(code), is_exact=code in EXACT_RECORDS)
        for code, layout in INSTRUCTION_LAYOUTS.items()
    }


_PLAIN: dict[bool, dict[int, _Reader]] = {False: {}, True: {}}
"""What makes an instruction of operands, by code, for records that are their fields alone: of codes met so far.

There are two: for states that are direct, and for those that are not.
"""


class BodyReader:
    """Puts the instructions of a body into its blocks.

    Args:
        state: what operands are looked up in.
        declare_blocks: returns the blocks of the body, as many as it is said to have.
        beside: takes what records say of locations and debug records.

    Attributes:
        instructions: those that records name, by number.
    """

    def __init__(
        self,
        state: FunctionState,
        declare_blocks: Callable[[int], list[BasicBlock]],
        beside: Beside,
    ) -> None:
        self.instructions: list[Instruction] = []
        self._state = state
        self._declare = declare_blocks
        self._beside = beside
        self._open_blocks: list[BasicBlock] = []
        self._block: BasicBlock | None = None
        self._location: tuple[int, list[int]] | None = None
        self._last: Instruction | None = None
        self._decoders = _decoders(is_direct=state.is_direct)
        self._plain = _PLAIN[state.is_direct]

    def read(self, records: Records, rows: range) -> None:
        """Read records that follow one another.

        Raises:
            BitcodeError: one of them makes no sense.
        """
        state, add, read_plain = self._state, self._add, self._plain.get
        all_operands, bounds = records.operands_and_bounds(rows)
        row = rows.start
        try:
            for row, code, first, end in zip(rows, records.codes(rows), bounds, bounds[1:], strict=False):
                operands = all_operands[first:end]
                if code == _LOCATION:
                    self._read_location(row, operands)
                elif (read := read_plain(code)) is not None:
                    add(read(state, operands), code)
                elif code in _SPECIAL:
                    _SPECIAL[code](self, row, code, operands)
                else:
                    add(self._new_reader(code)(state, operands), code)
        except Malformed as error:
            raise records.error(row, str(error)) from None
        except (StopIteration, IndexError) as error:
            raise records.error(row, "has too few operands") from error
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise records.error(row, f"makes no sense: {error}") from error

    def _new_reader(self, code: int) -> _Reader:
        """Return what makes an instruction of operands, and keep it."""
        decoder = self._decoders.get(code)
        if decoder is None:
            raise Malformed("no such record is known here")
        read = self._plain[code] = decoder.compiled()
        return read

    # Instructions

    def _add(self, instruction: Instruction, code: int | None) -> None:
        """Put an instruction at the end of the block that is open, and give it and its value a number.

        Args:
            instruction: the instruction.
            code: of its record, None if it is a further one of a record's; it gets no number then.
        """
        block, state = self._block, self._state
        if block is None:
            instruction._drop_operands()
            raise Malformed("an instruction stands after the end of the last block")
        block._instructions.append(instruction)  # type: ignore[union-attr] # a list until all is read
        instruction.parent = block
        self._last = instruction
        forward = state.forward
        if forward.is_unplaced:
            forward.place(instruction)
        if code is None:
            return
        self.instructions.append(instruction)
        if instruction.is_terminator:
            self._block = self._open_blocks.pop() if self._open_blocks else None
        if state.bundles:
            raise Malformed("operand bundles stand in front of what is no call")
        if instruction.type is not state.void:
            if state.keeps_type_ids:
                state.define(instruction, result_type_id(state, code, instruction))
            else:
                values = state.values
                if forward.waiting and len(values) in forward.waiting:
                    forward.define(len(values), instruction)
                values.append(instruction)

    def _read_switch(self, _row: int, code: int, operands: list[int]) -> None:
        state = self._state
        if is_range_switch(operands):
            self._add(range_switch(state, operands), code)
        else:
            self._add(self._decoders[code].decode(state, operands), code)

    def _read_cast(self, _row: int, code: int, operands: list[int]) -> None:
        state = self._state
        made = self._decoders[code].decode(state, operands)
        if made.opcode == "bitcast" and is_address_space_bitcast(made.opcode, made.operand.type, made.type):
            first, second = upgraded_bitcasts(made.operand, made.type, state.types)
            made._drop_operands()
            self._add(first, None)
            self.instructions.append(first)  # LLVM counts both
            made = second
        self._add(made, code)

    def _read_old_cmpxchg(self, _row: int, code: int, operands: list[int]) -> None:
        """Read a `cmpxchg`; the value of the oldest is not the pair but what was in memory."""
        state = self._state
        count = len(operands)
        exchange = self._decoders[code].decode(state, operands)
        self._add(exchange, code)
        is_forward = count > _VALUE_PAIR_OPERANDS
        if count - is_forward >= _VALUE_PAIR_OPERANDS:
            return
        extracted = ExtractValue(exchange.compare.type, exchange, (0,))
        self._add(extracted, None)
        state.values[-1] = extracted
        if state.keeps_type_ids:
            state.type_ids[-1] = state.module.file_types.contained(state.type_ids[-1])

    # What stands between them

    def _declare_blocks(self, _row: int, _code: int, operands: list[int]) -> None:
        if self._state.blocks:
            raise Malformed("blocks are declared twice")
        self._state.blocks = self._declare(operands[0])
        self._open_blocks = self._state.blocks[::-1]
        self._block = self._open_blocks.pop()

    def _read_bundle(self, _row: int, code: int, operands: list[int]) -> None:
        operand_bundle(self._state, self._decoders[code].decode(self._state, operands))

    def _read_location(self, row: int, operands: list[int]) -> None:
        if len(operands) < _LOCATION_OPERANDS:
            raise Malformed("has too few operands")
        last = self._last
        if last is None:
            raise Malformed(_NO_INSTRUCTION)
        self._location = row, operands
        self._beside.locations.append((last, row, operands))

    def _repeat_location(self, _row: int, _code: int, _operands: list[int]) -> None:
        if self._last is None:
            raise Malformed(_NO_INSTRUCTION)
        if self._location is not None:
            self._beside.locations.append((self._last, *self._location))

    def _read_debug_record(self, row: int, code: int, operands: list[int]) -> None:
        value = None
        if code == _VALUE_SIMPLE:
            state, number = self._state, operands[3]
            if state.is_direct and 0 < number <= len(state.values):
                value = state.values[-number]
            else:
                value = state.value(number, operands, 4)
            del operands[3:]
        else:
            count = DEBUG_RECORD_OPERANDS[code]
            if len(operands) < count:
                raise Malformed("has too few operands")
            del operands[count:]
        # They are written behind the instruction that they stand in front of.
        instruction = self._last
        if instruction is None:
            raise Malformed(_NO_INSTRUCTION)
        self._beside.records.append((instruction, row, code, operands, value))

    def _check_users(self, _row: int, _code: int, operands: list[int]) -> None:
        """Check the functions that use block addresses of this one; they matter only to a linker."""
        values = self._state.values
        if not operands or any(
            number >= len(values) or not isinstance(values[number], Function) for number in operands
        ):
            raise Malformed("a user of block addresses is not a function")


_MAKERS: dict[int, Callable[..., Instruction]] = dict(INSTRUCTION_MAKERS.items())
_HANDLERS: dict[int, Callable[[BodyReader, int, int, list[int]], None]] = {
    FunctionCode.DECLAREBLOCKS: BodyReader._declare_blocks,
    FunctionCode.INST_SWITCH: BodyReader._read_switch,
    FunctionCode.INST_CAST: BodyReader._read_cast,
    FunctionCode.INST_CMPXCHG_OLD: BodyReader._read_old_cmpxchg,
    FunctionCode.OPERAND_BUNDLE: BodyReader._read_bundle,
    FunctionCode.DEBUG_LOC_AGAIN: BodyReader._repeat_location,
    FunctionCode.BLOCKADDR_USERS: BodyReader._check_users,
    **dict.fromkeys(DEBUG_RECORD_OPERANDS, BodyReader._read_debug_record),
}
"""Records that are more than their fields, or no instructions."""

_SPECIAL: dict[int, Callable[[BodyReader, int, int, list[int]], None]] = {
    int(code): handle
    for code, handle in _HANDLERS.items()  # members of enumerations take longer to look up
}

HANDLED_FUNCTION_CODES = frozenset(_MAKERS) | frozenset(_SPECIAL) | {_LOCATION}
