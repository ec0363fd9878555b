"""Elements of vectors, and of structs and arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder.inserting import Inserter
from bitcodec.builder.kinds import AGGREGATE, INTEGER, VECTOR, different, require, wrong
from bitcodec.ir.instructions import ExtractElement, ExtractValue, InsertElement, InsertValue, ShuffleVector
from bitcodec.ir.types import ArrayType, StructType, VectorType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.builder.inserting import ValueLike
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["VectorBuilder"]

_INDEX_BITS = 64
"""Width of indices into vectors that are given as Python numbers."""


class VectorBuilder(Inserter):
    """Takes vectors, structs and arrays apart, and puts them together."""

    __slots__ = ()

    def extractelement(self, vector: Value, index: ValueLike, *, name: str = "") -> ExtractElement:
        """Return an element of a vector."""
        self._check_vector(vector, "extractelement")
        return self.insert(
            ExtractElement(vector, self._number(index, _INDEX_BITS, INTEGER, "extractelement", "index")), name
        )

    def insertelement(self, vector: Value, element: ValueLike, index: ValueLike, *, name: str = "") -> InsertElement:
        """Return a vector with one element replaced."""
        type_ = self._check_vector(vector, "insertelement")
        value = self._value_of(type_.element_type, element, "insertelement", "element")
        return self.insert(
            InsertElement(vector, value, self._number(index, _INDEX_BITS, INTEGER, "insertelement", "index")), name
        )

    def shufflevector(self, lhs: Value, rhs: Value | None, mask: Sequence[int], *, name: str = "") -> ShuffleVector:
        """Return elements of two vectors.

        Args:
            lhs: the first vector.
            rhs: the second vector, None for poison.
            mask: for each element of the result its index in both vectors together, -1 for poison; of scalable vectors
                all are 0 or all are -1.
            name: of the result.
        """
        type_ = self._check_vector(lhs, "shufflevector")
        other = self.constants.poison(type_) if rhs is None else rhs
        if other.type is not type_:
            raise different("shufflevector", type_, other.type)
        most = 1 if type_.is_scalable else 2 * type_.count
        if not all(-1 <= index < most for index in mask) or (type_.is_scalable and len(set(mask)) > 1):
            raise ValueError(f"shufflevector of {type_} has no elements {list(mask)}")
        return self.insert(ShuffleVector(self._shuffled_type(type_, len(mask)), lhs, other, tuple(mask)), name)

    def extractvalue(self, aggregate: Value, *indices: int, name: str = "") -> ExtractValue:
        """Return an element of a struct or array; the indices lead to it, outermost first."""
        element = self._element(aggregate, indices, "extractvalue")
        return self.insert(ExtractValue(element, aggregate, indices), name)

    def insertvalue(self, aggregate: Value, value: ValueLike, *indices: int, name: str = "") -> InsertValue:
        """Return a struct or array with one element replaced; the indices lead to it, outermost first."""
        element = self._element(aggregate, indices, "insertvalue")
        made = self._value_of(element, value, "insertvalue", "value")
        return self.insert(InsertValue(aggregate, made, indices), name)

    def _check_vector(self, vector: Value, what: str) -> VectorType:
        type_ = self._value(vector, what, "vector").type
        if not isinstance(type_, VectorType):
            raise wrong(VECTOR.words, type_, what, "vector")
        return type_

    def _element(self, aggregate: Value, indices: Sequence[int], what: str) -> Type:
        """Return the type of the element that indices lead to."""
        type_ = self._value(aggregate, what, "aggregate").type
        require(AGGREGATE, type_, what, "aggregate")
        if not indices:
            raise ValueError(f"{what} takes an index at least")
        for index in indices:
            if isinstance(type_, ArrayType) and 0 <= index < type_.count:
                type_ = type_.element_type
            elif isinstance(type_, StructType) and 0 <= index < len(type_.element_types):
                type_ = type_.element_types[index]
            else:
                raise ValueError(f"{what}: {type_.brief} has no element {index}")
        return type_
