# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Elements of vectors, and of structs and arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.members import expose_members
from bitcodec.ir.operand_property import OperandProperty
from bitcodec.ir.values import Value

if TYPE_CHECKING:
    from bitcodec.ir.types import Type

__all__ = ["ExtractElement", "ExtractValue", "InsertElement", "InsertValue", "ShuffleVector"]


class ExtractElement(Instruction):
    """An element of a vector."""

    __match_args__ = ("vector", "index")
    __slots__ = ()

    opcode = "extractelement"
    vector: OperandProperty[Value] = OperandProperty(0, "The vector.")
    index: OperandProperty[Value] = OperandProperty(1, "The index of the element.")

    def __init__(self, vector: Value, index: Value) -> None:
        self._begin(vector.type.scalar_type, (vector, index))


class InsertElement(Instruction):
    """A vector with one element replaced."""

    __match_args__ = ("vector", "element", "index")
    __slots__ = ()

    opcode = "insertelement"
    vector: OperandProperty[Value] = OperandProperty(0, "The vector.")
    element: OperandProperty[Value] = OperandProperty(1, "The new element.")
    index: OperandProperty[Value] = OperandProperty(2, "The index of the replaced element.")

    def __init__(self, vector: Value, element: Value, index: Value) -> None:
        self._begin(vector.type, (vector, element, index))


class ShuffleVector(Instruction):
    """Elements of two vectors, in any order.

    Attributes:
        mask: for each element of the result its index in both vectors together, -1 for poison.
    """

    __match_args__ = ("lhs", "rhs", "mask")
    __slots__ = ("mask",)

    opcode = "shufflevector"
    lhs: OperandProperty[Value] = OperandProperty(0, "The first vector.")
    rhs: OperandProperty[Value] = OperandProperty(1, "The second vector.")

    def __init__(self, type: Type, lhs: Value, rhs: Value, mask: tuple[int, ...]) -> None:
        self._begin(type, (lhs, rhs))
        self.mask = mask


class ExtractValue(Instruction):
    """An element of a struct or array.

    Attributes:
        indices: the way to it, outermost first.
    """

    __match_args__ = ("aggregate", "indices")
    __slots__ = ("indices",)

    opcode = "extractvalue"
    aggregate: OperandProperty[Value] = OperandProperty(0, "The struct or array.")

    def __init__(self, type: Type, aggregate: Value, indices: tuple[int, ...]) -> None:
        self._begin(type, (aggregate,))
        self.indices = indices


class InsertValue(Instruction):
    """A struct or array with one element replaced.

    Attributes:
        indices: the way to it, outermost first.
    """

    __match_args__ = ("aggregate", "value", "indices")
    __slots__ = ("indices",)

    opcode = "insertvalue"
    aggregate: OperandProperty[Value] = OperandProperty(0, "The struct or array.")
    value: OperandProperty[Value] = OperandProperty(1, "The new element.")

    def __init__(self, aggregate: Value, value: Value, indices: tuple[int, ...]) -> None:
        self._begin(aggregate.type, (aggregate, value))
        self.indices = indices


expose_members(ExtractElement, InsertElement, ShuffleVector, ExtractValue, InsertValue)
