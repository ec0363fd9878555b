"""The base of all builders of instructions: a place for new instructions, and the rules that instructions share."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.ir.instructions.instruction import Instruction

if TYPE_CHECKING:
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.module import Module
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import Type, VectorType

__all__ = ["InstructionBuilder", "Made"]

Made = TypeVar("Made", bound=Instruction)


class InstructionBuilder:
    """Makes instructions for a module and inserts them.

    `bitcodec.builder` checks operands, `ir.folding` folds constants; both insert here.

    Attributes:
        module: the module that the instructions are for.
        types, constants: the tables of the module's context.
    """

    __slots__ = ("constants", "module", "types")

    module: Module
    types: TypeTable
    constants: ConstantTable

    def insert(self, instruction: Made, name: str = "") -> Made:
        """Insert a new instruction where the builder is, and return it."""
        raise NotImplementedError

    def _build_for(self, module: Module) -> None:
        self.module = module
        self.types = module.context.types
        self.constants = module.context.constants

    def _truth_type(self, compared: Type) -> Type:
        """Return the type of a comparison: `i1`, or a vector of it."""
        return self.types.like(compared, self.types.integer(1))

    def _shuffled_type(self, source: VectorType, count: int) -> VectorType:
        """Return the type of a `shufflevector` with a mask of `count` elements."""
        return self.types.vector(count, source.element_type, is_scalable=source.is_scalable)

    def _access_alignment(self, type: Type) -> int:
        """Return the default alignment of `load` and `store`."""
        return self.module.data_layout.abi_alignment(type)

    def _atomic_alignment(self, type: Type) -> int:
        """Return the default alignment of `atomicrmw` and `cmpxchg`."""
        return self.module.data_layout.store_size(type)
