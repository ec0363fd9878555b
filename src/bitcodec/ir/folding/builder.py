"""Makes instructions as LLVM's builder does: constants are folded, and types are not checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir import folding
from bitcodec.ir.constants import Constant
from bitcodec.ir.folding.operations import FoldedOperations
from bitcodec.ir.instructions import (
    AtomicRMW,
    ExtractElement,
    ExtractValue,
    Fence,
    GetElementPtr,
    InsertElement,
    InsertValue,
    Load,
    ShuffleVector,
    Store,
    UnaryOperator,
)
from bitcodec.ir.instructions.memory import SYSTEM
from bitcodec.ir.types import ArrayType, VectorType
from bitcodec.tables.instruction_flags import NO_ACCESS_FLAGS, NO_GEP_FLAGS, AccessFlags, GEPFlags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation

__all__ = ["FoldingBuilder"]


class FoldingBuilder(FoldedOperations):
    """Makes instructions for code whose operands have the right types, such as upgrades; a subclass inserts them.

    Args:
        module: the module that the instructions are for.
    """

    __slots__ = ()

    def __init__(self, module: Module) -> None:
        self._build_for(module)

    # Constants

    def integer(self, bits: int, value: int) -> Constant:
        """Return an integer that is `bits` wide."""
        return self.constants.integer(self.types.integer(bits), value)

    def zero(self, type: Type) -> Constant:
        """Return zero, `null` or `zeroinitializer`."""
        return self.constants.null(type)

    def poison(self, type: Type) -> Constant:
        """Return `poison`."""
        return self.constants.poison(type)

    def splat(self, count: int, value: Value, name: str = "") -> Value:
        """Return a vector that has a value in all places."""
        type_ = self.types.vector(count, value.type)
        if isinstance(value, Constant):
            return self.constants.splat(type_, value)
        first = self.insert_element(self.poison(type_), value, 0, name + ".splatinsert")
        return self.shuffle(first, self.poison(type_), (0,) * count, name + ".splat")

    # Arithmetic

    def negate(self, value: Value, name: str = "") -> Value:
        """Return zero minus a value."""
        return self.binary("sub", self.zero(value.type), value, name)

    def fneg(self, value: Value, name: str = "") -> Value:
        """Return a floating-point value with its sign flipped."""
        if isinstance(value, Constant):
            folded = folding.fold_unary(self.constants, "fneg", value)
            if folded is not None:
                return folded
        return self.insert(UnaryOperator("fneg", value), name)

    # Vectors and aggregates

    def shuffle(self, lhs: Value, rhs: Value, mask: Sequence[int], name: str = "") -> Value:
        """Return elements of two vectors; -1 in the mask is poison."""
        if isinstance(lhs, Constant) and isinstance(rhs, Constant):
            return self.constants.shuffle_vector(lhs, rhs, tuple(mask))
        type_ = self._shuffled_type(cast("VectorType", lhs.type), len(mask))
        return self.insert(ShuffleVector(type_, lhs, rhs, tuple(mask)), name)

    def extract_element(self, vector: Value, index: int, name: str = "", *, index_bits: int = 64) -> Value:
        """Return an element of a vector."""
        place = self.integer(index_bits, index)
        if isinstance(vector, Constant):
            return self.constants.extract_element(vector, place)
        return self.insert(ExtractElement(vector, place), name)

    def insert_element(self, vector: Value, value: Value, index: int, name: str = "", *, index_bits: int = 64) -> Value:
        """Return a vector with one element replaced."""
        place = self.integer(index_bits, index)
        if isinstance(vector, Constant) and isinstance(value, Constant):
            return self.constants.insert_element(vector, value, place)
        return self.insert(InsertElement(vector, value, place), name)

    def extract_value(self, aggregate: Value, index: int, name: str = "") -> Value:
        """Return an element of a struct or array."""
        if isinstance(aggregate, Constant):
            folded = folding.fold_extract_value(self.constants, aggregate, (index,))
            if folded is not None:
                return folded
        type_ = _element_type(aggregate.type, index)
        return self.insert(ExtractValue(type_, aggregate, (index,)), name)

    def insert_value(self, aggregate: Value, value: Value, index: int, name: str = "") -> Value:
        """Return a struct or array with one element replaced."""
        if isinstance(aggregate, Constant) and isinstance(value, Constant):
            folded = folding.fold_insert_value(self.constants, aggregate, value, (index,))
            if folded is not None:
                return folded
        return self.insert(InsertValue(aggregate, value, (index,)), name)

    # Memory; alignments are in bytes, None for that of the type

    def load(self, type: Type, pointer: Value, alignment: int | None = None, name: str = "") -> Value:
        """Return the value at an address."""
        return self.insert(Load(type, pointer, alignment or self._access_alignment(type)), name)

    def store(self, value: Value, pointer: Value, alignment: int | None = None) -> Store:
        """Write a value to an address."""
        return self.insert(Store(self.types.void, value, pointer, alignment or self._access_alignment(value.type)))

    def gep(
        self,
        type: Type,
        pointer: Value,
        indices: Sequence[Value],
        name: str = "",
        flags: GEPFlags = NO_GEP_FLAGS,
    ) -> Value:
        """Return the address of an element of the object at another address; the indices are scalars."""
        if isinstance(pointer, Constant) and all(isinstance(index, Constant) for index in indices):
            return self.constants.get_element_ptr(type, pointer, cast("Sequence[Constant]", indices), flags)
        return self.insert(GetElementPtr(pointer.type, type, pointer, indices, flags), name)

    def fence(self, ordering: AtomicOrdering, sync_scope: str = SYSTEM) -> Fence:
        """Order accesses before and after."""
        return self.insert(Fence(self.types.void, ordering, sync_scope))

    def atomic_rmw(
        self,
        operation: AtomicRMWOperation,
        pointer: Value,
        value: Value,
        alignment: int | None = None,
        *,
        ordering: AtomicOrdering,
        sync_scope: str = SYSTEM,
        flags: AccessFlags = NO_ACCESS_FLAGS,
        name: str = "",
    ) -> AtomicRMW:
        """Update the value at an address atomically; the alignment defaults to the value's size."""
        rmw = AtomicRMW(
            operation,
            pointer,
            value,
            alignment or self._atomic_alignment(value.type),
            ordering=ordering,
            sync_scope=sync_scope,
            flags=flags,
        )
        return self.insert(rmw, name)


def _element_type(aggregate: Type, index: int) -> Type:
    if isinstance(aggregate, ArrayType):
        return aggregate.element_type
    return aggregate.element_types[index]
