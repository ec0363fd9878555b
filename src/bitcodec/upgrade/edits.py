"""Puts instructions and debug records in the place of calls, of many calls at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.construction.present import present_instructions
from bitcodec.ir.construction.replacing import detach, drop_all_operands
from bitcodec.ir.construction.setting import set_instructions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import BasicBlock
    from bitcodec.ir.instructions import CallBase, Instruction

__all__ = ["CallEdits"]


class CallEdits:
    """Replacements of calls; nothing moves before `apply`, which passes over each block once."""

    __slots__ = ("_made", "_records")

    def __init__(self) -> None:
        self._made: dict[Instruction, Sequence[Instruction]] = {}
        self._records: dict[Instruction, DebugRecord] = {}

    def __contains__(self, call: object) -> bool:
        """Whether a call is replaced."""
        return call in self._made

    def replace(self, call: CallBase, made: Sequence[Instruction], record: DebugRecord | None = None) -> None:
        """Replace a call by unlisted instructions and a debug record."""
        self._made[call] = made
        if record is not None:
            self._records[call] = record

    def apply(self) -> None:
        """Do everything that was requested."""
        for block in dict.fromkeys(call.parent for call in self._made):
            if block is not None:
                self._rebuild(block)
        drop_all_operands(self._made.keys())
        for call in self._made:
            _let_go(call)
        self._made.clear()
        self._records.clear()

    def _rebuild(self, block: BasicBlock) -> None:
        pending: list[DebugRecord] = []
        kept: list[Instruction] = []
        for instruction in present_instructions(block):
            made = self._made.get(instruction)
            if made is not None and instruction.has_debug_records:
                pending += instruction.debug_records
            for placed in (instruction,) if made is None else made:
                if pending:
                    placed.debug_records[:0] = pending
                    pending = []
                kept.append(placed)
            if instruction in self._records:
                pending.append(self._records[instruction])
        set_instructions(block, kept)
        block.trailing_debug_records[:0] = pending


def _let_go(call: Instruction) -> None:
    function = call.function
    if function is not None:
        function.symbols.remove(call)
    detach(call)
