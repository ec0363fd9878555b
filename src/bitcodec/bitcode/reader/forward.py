"""Values that are used before they are defined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.ir.constants import ConstantData
from bitcodec.ir.construction.setting import keep_no_users, set_uses
from bitcodec.ir.values import Value
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type

__all__ = ["ForwardReference", "ForwardReferences"]


class ForwardReference(Value):
    """Stands where a value will.

    Attributes:
        sites: instructions and the indices of their operands, in the order in which they were read.
    """

    __slots__ = ("sites",)

    def __init__(self, type: Type) -> None:
        super().__init__(type)
        keep_no_users(self)
        self.sites: list[tuple[Instruction, int]] = []


class ForwardReferences:
    """Forward references of one function body, by value id.

    Attributes:
        waiting: placeholder of each value that is not defined yet.
        unplaced: references requested since the last instruction was placed.
    """

    __slots__ = ("unplaced", "waiting")

    def __init__(self) -> None:
        self.waiting: dict[int, ForwardReference] = {}
        self.unplaced: list[ForwardReference] = []

    def to(self, number: int, type: Type) -> ForwardReference:
        """Return the placeholder of a value that is not defined yet.

        Raises:
            Malformed: an earlier reference has another type.
        """
        found = self.waiting.get(number)
        if found is None:
            found = self.waiting[number] = ForwardReference(type)
        elif found.type is not type:
            raise Malformed(Reason.VALUE_TYPES(number=number, type=found.type.brief, other=type.brief))
        self.unplaced.append(found)
        return found

    def place(self, instruction: Instruction) -> None:
        """Remember the operands of an instruction that are not defined yet."""
        self.unplaced.clear()
        for index, operand in enumerate(instruction.operands):
            if operand.__class__ is ForwardReference:
                operand.sites.append((instruction, index))

    def define(self, number: int, value: Value) -> None:
        """Put a value where it was waited for, the last place first, as LLVM does.

        Raises:
            Malformed: an earlier reference has another type.
        """
        waiting = self.waiting.pop(number, None)
        if waiting is not None:
            if waiting.type is not value.type:
                raise Malformed(Reason.FORWARD_TYPE(expected=waiting.type.brief, type=value.type.brief))
            waiting.sites.reverse()
            for instruction, index in waiting.sites:
                instruction.set_operand(index, value)
            if len(waiting.sites) > 1 and not isinstance(value, ConstantData):
                set_uses(value, waiting.sites)
