# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# ruff: noqa: SLF001
"""The loop over the instructions of linked functions: it finds references that have not been followed yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.construction import present
from bitcodec.ir.functions import Argument
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.memory import Alloca, GetElementPtr
from bitcodec.object_numbers import ObjectNumbers

if TYPE_CHECKING:
    from bitcodec.ir.functions import Function
    from bitcodec.ir.values import Value
    from bitcodec.linker.metadata import MetadataReferences

__all__ = ["BodyScanner"]


class BodyFollower(Protocol):
    """Follows the operands and types that the loop finds."""

    def follow_operand(self, instruction: Instruction, index: int, operand: Value) -> bool:
        """Follow an operand that was not followed before; return whether it need not be followed again."""

    def map_types(self, instruction: Instruction) -> bool:
        """Give an instruction its types and attributes; return whether they are unchanged."""


class BodyScanner:
    """Scans bodies.

    Args:
        follower: follows the references that are found.
        metadata: follows the metadata of instructions.
    """

    __slots__ = ("_attributes", "_follower", "_metadata", "_operands", "_types")

    def __init__(self, follower: BodyFollower, metadata: MetadataReferences) -> None:
        self._follower = follower
        self._metadata = metadata
        self._operands = ObjectNumbers()
        self._types = ObjectNumbers()
        self._attributes = ObjectNumbers()

    def scan(self, function: Function, *, has_metadata: bool) -> None:
        """Scan a body that has been read.

        Args:
            function: the function.
            has_metadata: whether metadata of its instructions must be followed.
        """
        operands, follower, metadata = self._operands, self._follower, self._metadata
        for block in function.blocks:
            for instruction in present.present_instructions(block):
                for index, operand in enumerate(instruction._operands):
                    # Most are instructions, blocks, numbers or arguments.
                    kind = type(operand)
                    if isinstance(operand, Instruction) or kind is BasicBlock or kind is ConstantInt:
                        continue
                    if kind is Argument or operands.has(operand):
                        continue
                    if follower.follow_operand(instruction, index, operand):
                        operands.put(operand, 0)
                if has_metadata:
                    metadata.follow_instruction(instruction)
                if not self._knows_types(instruction) and follower.map_types(instruction):
                    self._note_types(instruction)

    def _knows_types(self, instruction: Instruction) -> bool:
        """Return whether all types and attributes of an instruction are known to stay."""
        types = self._types
        if not types.has(instruction.type):
            return False
        if isinstance(instruction, CallBase):
            return types.has(instruction.function_type) and self._attributes.has(instruction.attributes)
        if type(instruction) is GetElementPtr:
            gep: Any = instruction
            return types.has(gep.source_element_type)
        if type(instruction) is Alloca:
            alloca: Any = instruction
            return types.has(alloca.allocated_type)
        return True

    def _note_types(self, instruction: Instruction) -> None:
        types = self._types
        types.put(instruction.type, 0)
        if isinstance(instruction, CallBase):
            types.put(instruction.function_type, 0)
            self._attributes.put(instruction.attributes, 0)
        elif type(instruction) is GetElementPtr:
            gep: Any = instruction
            types.put(gep.source_element_type, 0)
        elif type(instruction) is Alloca:
            alloca: Any = instruction
            types.put(alloca.allocated_type, 0)
