"""Reads the records of FUNCTION_BLOCK one after another: instructions, and what stands between them.

Rules: bitcode record reference, sections 7.2 to 7.8.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.attachments import DEBUG_RECORD_CODES, DeferredLocation, DeferredRecords
from bitcodec.bitcode.reader.instructions import INSTRUCTION_MAKERS
from bitcodec.bitcode.reader.instructions.calls import operand_bundle
from bitcodec.bitcode.reader.instructions.control_flow import is_range_switch, range_switch
from bitcodec.bitcode.reader.layouts import Decoder
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.reader.pointees import result_type_id
from bitcodec.bitcode.reader.types import NO_TYPE_ID
from bitcodec.bitcode.schema.blocks import FunctionCode
from bitcodec.bitcode.schema.instructions import INSTRUCTION_LAYOUTS
from bitcodec.bitcode.upgrade.address_spaces import is_address_space_bitcast, upgraded_bitcasts
from bitcodec.ir.instructions import AtomicCmpXchg, Cast, ExtractValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.bitcode.reader.attachments import AttachmentSource
    from bitcodec.bitcode.reader.blocks import Records
    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.bitcode.reader.layouts import Fields
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions import Instruction

__all__ = ["HANDLED_FUNCTION_CODES", "BodyReader"]

_VALUE_PAIR_OPERANDS = 8
"""From this many operands on (a pointer not defined yet not counted), an old `cmpxchg` gives a pair."""

_LOCATION_OPERANDS = 4


@cache
def _decoders(*, keeps_type_ids: bool) -> dict[int, Decoder]:
    return {code: Decoder(layout, keeps_type_ids=keeps_type_ids) for code, layout in INSTRUCTION_LAYOUTS.items()}


class BodyReader:
    """Puts the instructions of a body into its blocks.

    Args:
        state: what operands are looked up in.
        declare_blocks: returns the blocks of the body, as many as it is said to have.
        attachments: returns what locations and debug records will be read with.

    Attributes:
        instructions: those that records name, by number.
    """

    def __init__(
        self,
        state: FunctionState,
        declare_blocks: Callable[[int], list[BasicBlock]],
        attachments: Callable[[], AttachmentSource],
    ) -> None:
        self.instructions: list[Instruction] = []
        self._state = state
        self._declare = declare_blocks
        self._attachments = attachments
        self._open_blocks: list[BasicBlock] = []
        self._location: DeferredLocation | None = None
        self._last: Instruction | None = None
        self._decoders = _decoders(keeps_type_ids=state.keeps_type_ids)

    def read(self, records: Records, rows: range) -> None:
        """Read records that follow one another.

        Raises:
            BitcodeError: one of them makes no sense.
        """
        state, decoders, add = self._state, self._decoders, self._add
        row = rows.start
        try:
            for row, code, operands in zip(rows, records.codes(rows), records.operand_lists(rows), strict=True):
                special = _SPECIAL.get(code)
                if special is not None:
                    special(self, row, code, operands)
                else:
                    fields = decoders[code].decode(state, operands)
                    add(_MAKERS[code](state, fields), code, fields)
        except Malformed as error:
            raise records.error(row, str(error)) from None
        except KeyError:
            raise records.error(row, "no such record is known here") from None
        except (StopIteration, IndexError) as error:
            raise records.error(row, "has too few operands") from error
        except (TypeError, ValueError, OverflowError) as error:
            raise records.error(row, f"makes no sense: {error}") from error

    # Instructions

    def _add(self, instruction: Instruction, code: int, fields: Fields) -> None:
        """Put an instruction at the end of the block that is open, and give its value a number."""
        self._place(instruction)
        self.instructions.append(instruction)
        state = self._state
        if instruction.is_terminator:
            self._open_blocks.pop()
        if state.bundles:
            raise Malformed("operand bundles stand in front of what is no call")
        if instruction.type is not state.void:
            type_id = result_type_id(state, code, fields, instruction) if state.keeps_type_ids else NO_TYPE_ID
            state.define(instruction, type_id)

    def _place(self, instruction: Instruction) -> None:
        if not self._open_blocks:
            raise Malformed("an instruction stands after the end of the last block")
        block = self._open_blocks[-1]
        block._instructions.append(instruction)
        instruction.parent = block
        self._last = instruction
        if self._state.forward.is_unplaced:
            self._state.forward.place(instruction)

    def _read_switch(self, _row: int, code: int, operands: list[int]) -> None:
        state = self._state
        if is_range_switch(operands):
            self._add(range_switch(state, operands), code, {})
        else:
            fields = self._decoders[code].decode(state, operands)
            self._add(_MAKERS[code](state, fields), code, fields)

    def _read_cast(self, _row: int, code: int, operands: list[int]) -> None:
        state = self._state
        fields = self._decoders[code].decode(state, operands)
        made = _MAKERS[code](state, fields)
        if isinstance(made, Cast) and is_address_space_bitcast(made.opcode, made.operand.type, made.type):
            first, second = upgraded_bitcasts(made.operand, made.type, state.types)
            made._drop_operands()
            self._place(first)
            made = second
        self._add(made, code, fields)

    def _read_old_cmpxchg(self, _row: int, code: int, operands: list[int]) -> None:
        """Read a `cmpxchg`; the value of the oldest is not the pair but what was in memory."""
        state = self._state
        fields = self._decoders[code].decode(state, operands)
        exchange = _MAKERS[code](state, fields)
        self._add(exchange, code, fields)
        is_forward = len(operands) > _VALUE_PAIR_OPERANDS
        if len(operands) - is_forward >= _VALUE_PAIR_OPERANDS or not isinstance(exchange, AtomicCmpXchg):
            return
        extracted = ExtractValue(exchange.compare.type, exchange, (0,))
        self._place(extracted)
        state.values[-1] = extracted
        if state.keeps_type_ids:
            state.type_ids[-1] = state.module.file_types.contained(state.type_ids[-1])

    # What stands between them

    def _declare_blocks(self, _row: int, _code: int, operands: list[int]) -> None:
        if self._state.blocks:
            raise Malformed("blocks are declared twice")
        self._state.blocks = self._declare(operands[0])
        self._open_blocks = self._state.blocks[::-1]

    def _read_bundle(self, _row: int, code: int, operands: list[int]) -> None:
        operand_bundle(self._state, self._decoders[code].decode(self._state, operands))

    def _read_location(self, row: int, _code: int, operands: list[int]) -> None:
        if len(operands) < _LOCATION_OPERANDS:
            raise Malformed("has too few operands")
        self._location = DeferredLocation(self._attachments(), row, operands)
        self._last_instruction()._location = self._location

    def _repeat_location(self, _row: int, _code: int, _operands: list[int]) -> None:
        if self._location is None:
            raise Malformed("no location stands before it")
        self._last_instruction()._location = self._location

    def _last_instruction(self) -> Instruction:
        if self._last is None:
            raise Malformed("no instruction stands before it")
        return self._last

    def _read_debug_record(self, row: int, code: int, operands: list[int]) -> None:
        value = None
        if code == FunctionCode.DEBUG_RECORD_VALUE_SIMPLE:
            value = self._state.value(iter(operands[3:]))
            operands = operands[:3]
        # They are written behind the instruction that they stand in front of.
        instruction = self._last_instruction()
        if instruction._records is None:
            instruction._records = DeferredRecords(self._attachments())
        instruction._records.add(row, code, tuple(operands), value)  # type: ignore[union-attr] # nobody resolved it yet

    def _pass_over(self, _row: int, _code: int, _operands: list[int]) -> None:
        """Take no notice: it helps only who reads some functions of a module and moves them elsewhere."""


_MAKERS: dict[int, Callable[[FunctionState, Fields], Instruction]] = dict(INSTRUCTION_MAKERS.items())
_SPECIAL: dict[int, Callable[[BodyReader, int, int, list[int]], None]] = {
    FunctionCode.DECLAREBLOCKS: BodyReader._declare_blocks,
    FunctionCode.INST_SWITCH: BodyReader._read_switch,
    FunctionCode.INST_CAST: BodyReader._read_cast,
    FunctionCode.INST_CMPXCHG_OLD: BodyReader._read_old_cmpxchg,
    FunctionCode.OPERAND_BUNDLE: BodyReader._read_bundle,
    FunctionCode.DEBUG_LOC: BodyReader._read_location,
    FunctionCode.DEBUG_LOC_AGAIN: BodyReader._repeat_location,
    FunctionCode.BLOCKADDR_USERS: BodyReader._pass_over,
    **dict.fromkeys(DEBUG_RECORD_CODES, BodyReader._read_debug_record),
}
"""Records that are more than their fields, or no instructions."""

HANDLED_FUNCTION_CODES = frozenset(_MAKERS) | frozenset(_SPECIAL)
