"""Elements of vectors, structs and arrays: from fields to instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.shuffle_masks import mask_of
from bitcodec.ir.instructions import ExtractElement, ExtractValue, InsertElement, InsertValue, ShuffleVector
from bitcodec.ir.types import ArrayType, StructType, VectorType
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.bitcode.reader.function_state import FunctionState
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["extract_element", "extract_value", "insert_element", "insert_value", "shuffle_vector"]


def extract_element(_state: FunctionState, vector: Value, index: Value) -> Instruction:
    """`extractelement`; LLVM's verifier, not its reader, looks at the type of the index."""
    _check_vector(vector)
    return ExtractElement(vector, index)


def insert_element(_state: FunctionState, vector: Value, element: Value, index: Value) -> Instruction:
    """`insertelement`."""
    _check_vector(vector)
    return InsertElement(vector, element, index)


def _check_vector(vector: Value) -> None:
    if not isinstance(vector.type, VectorType):
        raise Malformed(Reason.ELEMENT_OF_NO_VECTOR(type=vector.type.brief))


def shuffle_vector(state: FunctionState, lhs: Value, rhs: Value, mask: Value) -> Instruction:
    """`shufflevector`."""
    if not isinstance(lhs.type, VectorType):
        raise Malformed(Reason.SHUFFLE_OF_NO_VECTOR(type=lhs.type.brief))
    chosen = mask_of(mask)
    if any(index >= 2 * lhs.type.count for index in chosen):
        raise Malformed(Reason.MASK_INDEX())
    is_scalable = mask.type.is_scalable  # type: ignore[attr-defined] # a mask is a vector
    type_ = state.types.vector(len(chosen), lhs.type.element_type, is_scalable=is_scalable)
    return ShuffleVector(type_, lhs, rhs, chosen)


def extract_value(_state: FunctionState, aggregate: Value, indices: list[int]) -> Instruction:
    """`extractvalue`."""
    return ExtractValue(_element(aggregate.type, indices), aggregate, tuple(indices))


def insert_value(_state: FunctionState, aggregate: Value, value: Value, indices: list[int]) -> Instruction:
    """`insertvalue`."""
    element = _element(aggregate.type, indices)
    if element is not value.type:
        raise Malformed(Reason.INSERTED_TYPE(type=value.type.brief, expected=element.brief))
    return InsertValue(aggregate, value, tuple(indices))


def _element(type: Type, indices: Sequence[int]) -> Type:
    if not indices:
        raise Malformed(Reason.NO_INDEX())
    for index in indices:
        if isinstance(type, ArrayType) and index < type.count:
            type = type.element_type
        elif isinstance(type, StructType) and index < len(type.element_types):
            type = type.element_types[index]
        else:
            raise Malformed(Reason.NO_ELEMENT(type=type.brief, number=index))
    return type
