"""Folding of operations that extract from and insert into vectors and aggregates."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constant_expressions import ConstantGetElementPtr, ConstantInsertElement
from bitcodec.ir.constants import Constant, ConstantAggregateZero, ConstantInt, PoisonValue, UndefValue
from bitcodec.ir.folding.elements import (
    DEPTH,
    MAX_ELEMENTS,
    element_at,
    elements_of,
    is_expandable,
    known_element,
    splat_value,
)
from bitcodec.ir.types import SequentialType, VectorType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.constant_table import ConstantTable

__all__ = [
    "fold_extract_element",
    "fold_extract_value",
    "fold_insert_element",
    "fold_insert_value",
    "fold_shuffle_vector",
]


def fold_extract_element(table: ConstantTable, vector: Constant, index: Constant) -> Constant | None:
    """Return an element of a vector."""
    type_ = cast("VectorType", vector.type)
    if isinstance(vector, PoisonValue) or isinstance(index, UndefValue):
        return table.poison(type_.element_type)
    if isinstance(vector, UndefValue):
        return table.undef(type_.element_type)
    if not isinstance(index, ConstantInt):
        return None
    if not type_.is_scalable and index.unsigned >= type_.count:
        return table.poison(type_.element_type)
    return _extracted(table, vector, index)


def _extracted(table: ConstantTable, vector: Constant, index: ConstantInt) -> Constant | None:
    match vector:
        case ConstantInsertElement(index=ConstantInt()):
            return _extracted_insert(table, vector, index)
        case ConstantGetElementPtr():
            return _extracted_address(table, vector, index)
    found = known_element(table, vector, index.unsigned)
    if found is None and index.unsigned < cast("VectorType", vector.type).count:
        found = splat_value(table, vector)
    return found


def _extracted_insert(table: ConstantTable, vector: ConstantInsertElement, index: ConstantInt) -> Constant | None:
    """Return the element inserted at a place, or the element of the innermost vector."""
    inner: Constant = vector
    for _ in range(DEPTH):
        if not isinstance(inner, ConstantInsertElement) or not isinstance(inner.index, ConstantInt):
            return table.extract_element(inner, index)
        if inner.index.unsigned == index.unsigned:
            return inner.element
        inner = inner.vector
    return None


def _extracted_address(table: ConstantTable, vector: ConstantGetElementPtr, index: ConstantInt) -> Constant | None:
    """Return the address arithmetic on elements that gives an element of address arithmetic on vectors."""
    chain = [vector]
    while isinstance(chain[-1].pointer, ConstantGetElementPtr) and isinstance(chain[-1].pointer.type, VectorType):
        chain.append(chain[-1].pointer)
        if len(chain) > DEPTH:
            return None
    pointer = _scalar(table, chain[-1].pointer, index)
    for step in reversed(chain):
        indices = [_scalar(table, operand, index) for operand in step.indices]
        pointer = table.get_element_ptr(step.source_element_type, pointer, indices, step.flags, step.in_range)
    return pointer


def _scalar(table: ConstantTable, operand: Constant, index: ConstantInt) -> Constant:
    return table.extract_element(operand, index) if isinstance(operand.type, VectorType) else operand


def fold_insert_element(table: ConstantTable, vector: Constant, element: Constant, index: Constant) -> Constant | None:
    """Return a vector with one element replaced."""
    if isinstance(index, UndefValue):
        return table.poison(vector.type)
    if isinstance(vector, ConstantAggregateZero) and element.is_null:
        return vector
    type_ = cast("VectorType", vector.type)
    if not isinstance(index, ConstantInt) or type_.is_scalable:
        return None
    place = index.unsigned
    if place >= type_.count:
        return table.poison(type_)
    if not is_expandable(type_):
        return None
    elements = elements_of(table, vector)
    elements[place] = element
    return table.aggregate(type_, elements)


def fold_shuffle_vector(table: ConstantTable, lhs: Constant, rhs: Constant, mask: Sequence[int]) -> Constant | None:
    """Return elements of two vectors; -1 in the mask is poison."""
    source = cast("VectorType", lhs.type)
    type_ = table.types.vector(len(mask), source.element_type, is_scalable=source.is_scalable)
    if all(place == -1 for place in mask):
        return table.poison(type_)
    if not any(mask):
        first = element_at(table, lhs, 0)
        if first.is_null:
            return table.null(type_)
        if isinstance(first, UndefValue):
            return table.poison(type_) if isinstance(first, PoisonValue) else table.undef(type_)
        if is_expandable(type_):
            return table.splat(type_, first)
    if source.is_scalable or len(mask) > MAX_ELEMENTS:
        return None
    elements: list[Constant] = []
    for place in mask:
        if not 0 <= place < 2 * source.count:
            elements.append(table.undef(source.element_type))
        elif place < source.count:
            elements.append(element_at(table, lhs, place))
        else:
            elements.append(element_at(table, rhs, place - source.count))
    return table.aggregate(type_, elements)


def fold_extract_value(table: ConstantTable, aggregate: Constant, indices: Sequence[int]) -> Constant | None:
    """Return a part of an array or struct."""
    found: Constant | None = aggregate
    for index in indices:
        if found is None:
            return None
        found = known_element(table, found, index)
    return found


def fold_insert_value(
    table: ConstantTable, aggregate: Constant, value: Constant, indices: Sequence[int]
) -> Constant | None:
    """Return an array or struct with a part replaced."""
    path = [aggregate]
    for index in indices[:-1]:
        part = known_element(table, path[-1], index)
        if part is None:
            return None
        path.append(part)
    for whole, index in zip(reversed(path), reversed(indices), strict=True):
        elements = _parts(table, whole)
        if elements is None:
            return None
        elements[index] = value
        value = table.aggregate(whole.type, elements)
    return value


def _parts(table: ConstantTable, aggregate: Constant) -> list[Constant] | None:
    """Return all elements of an array or struct, None if they are not known or too many."""
    type_ = aggregate.type
    count = type_.count if isinstance(type_, SequentialType) else len(type_.element_types)
    if count > MAX_ELEMENTS:
        return None
    parts = []
    for index in range(count):
        part = known_element(table, aggregate, index)
        if part is None:
            return None
        parts.append(part)
    return parts
