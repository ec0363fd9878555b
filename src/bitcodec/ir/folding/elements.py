"""Elements of constant vectors and aggregates, as folding sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constant_expressions import ConstantInsertElement, ConstantShuffleVector
from bitcodec.ir.constants import (
    Constant,
    ConstantAggregate,
    ConstantAggregateZero,
    ConstantDataSequential,
    ConstantDataVector,
    ConstantFP,
    ConstantInt,
    ConstantVector,
    UndefValue,
)
from bitcodec.ir.type_properties import is_fixed
from bitcodec.ir.types import FloatingPointType, IntegerType, SequentialType, StructType, VectorType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.types import Type

__all__ = [
    "DEPTH",
    "MAX_ELEMENTS",
    "all_ones",
    "element_at",
    "elements_of",
    "folded_vector",
    "is_all_ones",
    "is_expandable",
    "is_huge",
    "known_element",
    "splat_value",
    "vector_of",
]

MAX_ELEMENTS = 1 << 12
"""Longest vector that is folded element by element; a few bytes of bitcode can spell one of 2**32 elements."""
DEPTH = 64
"""Maximum depth of nested constants for folding; compilers nest them less."""


def is_huge(type: Type) -> bool:
    """Return whether vectors of a type are too long to fold."""
    return isinstance(type, VectorType) and type.count > MAX_ELEMENTS


def is_expandable(type: Type) -> bool:
    """Return whether vectors of a type are folded element by element."""
    return is_fixed(type) and not is_huge(type)


def known_element(table: ConstantTable, constant: Constant, index: int) -> Constant | None:
    """Return an element of an array, struct or vector, None if there is none or it is not known."""
    if isinstance(constant, ConstantAggregate):
        return cast("Constant", constant.operands[index]) if index < len(constant.operands) else None
    type_ = _element_type(constant.type, index)
    if type_ is None:
        return None
    if isinstance(constant, ConstantDataSequential):
        return _number(table, type_, constant.elements[index])
    if isinstance(constant, ConstantAggregateZero):
        return table.null(type_)
    if isinstance(constant, UndefValue):
        return _same_kind(table, constant, type_)
    return None


def element_at(table: ConstantTable, vector: Constant, index: int) -> Constant:
    """Return an element of a vector, an expression if it is not known."""
    found = known_element(table, vector, index)
    if found is not None:
        return found
    return table.extract_element(vector, table.integer(table.types.integer(32), index))


def elements_of(table: ConstantTable, vector: Constant) -> list[Constant]:
    """Return all elements of an expandable vector."""
    if isinstance(vector, ConstantAggregate):
        return cast("list[Constant]", list(vector.operands))
    return [element_at(table, vector, index) for index in range(cast("VectorType", vector.type).count)]


def splat_value(table: ConstantTable, vector: Constant) -> Constant | None:
    """Return the common value of all elements of a vector, None if they differ or are unknown."""
    match vector:
        case ConstantAggregateZero():
            return known_element(table, vector, 0)
        case UndefValue():
            return None
        case ConstantDataVector(elements):
            return known_element(table, vector, 0) if elements.count(elements[0]) == len(elements) else None
        case ConstantVector():
            first, *others = vector.operands
            return cast("Constant", first) if all(other is first for other in others) else None
        case ConstantShuffleVector(ConstantInsertElement(UndefValue(), element, ConstantInt(0)), UndefValue(), mask):
            return element if not any(mask) else None
    return None


def is_all_ones(table: ConstantTable, constant: Constant) -> bool:
    """Return whether all bits of a number, or of all numbers in a vector, are set."""
    if isinstance(constant.type, VectorType):
        splat = splat_value(table, constant)
        return splat is not None and is_all_ones(table, splat)
    if isinstance(constant, ConstantInt):
        return constant.signed == -1
    return isinstance(constant, ConstantFP) and constant.bits == (1 << constant.type.bit_width) - 1


def all_ones(table: ConstantTable, type: Type) -> Constant:
    """Return the number, or the vector of numbers, of which all bits are set."""
    scalar = type.scalar_type
    if isinstance(scalar, FloatingPointType):
        return vector_of(table, type, table.floating(scalar, (1 << scalar.bit_width) - 1))
    return vector_of(table, type, table.integer(cast("IntegerType", scalar), -1))


def vector_of(table: ConstantTable, type: Type, element: Constant) -> Constant:
    """Return an element itself, or a vector of it if the type is one."""
    return table.splat(type, element) if isinstance(type, VectorType) else element


def folded_vector(
    table: ConstantTable,
    type: VectorType,
    elements: Iterable[Constant | None],
) -> Constant | None:
    """Return the vector of elements, None as soon as one of them could not be folded."""
    found = []
    for element in elements:
        if element is None:
            return None
        found.append(element)
    return table.aggregate(type, found)


def _element_type(type: Type, index: int) -> Type | None:
    if isinstance(type, SequentialType):
        return type.element_type if index < type.count else None
    if isinstance(type, StructType) and index < len(type.element_types):
        return type.element_types[index]
    return None


def _number(table: ConstantTable, type: Type, bits: int) -> Constant:
    if isinstance(type, IntegerType):
        return table.integer(type, bits)
    return table.floating(cast("FloatingPointType", type), bits)


def _same_kind(table: ConstantTable, undefined: UndefValue, type: Type) -> Constant:
    return table.poison(type) if undefined.__class__ is not UndefValue else table.undef(type)
