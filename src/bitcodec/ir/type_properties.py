"""What types are like: how many elements they have, how wide they are, whether they hold floating-point numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import ArrayType, FloatingPointType, IntegerType, StructType, VectorType, X86AMXType

if TYPE_CHECKING:
    from bitcodec.ir.types import Type

__all__ = ["element_count", "holds_floating_point", "is_same_shape", "primitive_size", "scalar_width"]


def element_count(type: Type) -> tuple[int, bool] | None:
    """Return how many elements a vector has, and whether `vscale` multiplies them; None for what is no vector."""
    return (type.count, type.is_scalable) if isinstance(type, VectorType) else None


def is_same_shape(first: Type, second: Type) -> bool:
    """Return whether both are scalars, or vectors of as many elements."""
    return element_count(first) == element_count(second)


def scalar_width(type: Type) -> int:
    """Return how many bits an integer, a floating-point number, or an element of a vector of them has; else 0."""
    scalar = type.scalar_type
    return scalar.bit_width if isinstance(scalar, (IntegerType, FloatingPointType)) else 0


def primitive_size(type: Type) -> tuple[int, bool]:
    """Return the bits of what is no pointer and no aggregate, 0 of these, and whether `vscale` multiplies them."""
    if isinstance(type, X86AMXType):
        return type.bit_width, False
    count, is_scalable = element_count(type) or (1, False)
    return count * scalar_width(type), is_scalable


def holds_floating_point(type: Type) -> bool:
    """Return whether it is floating-point numbers through and through: so fast-math flags have a meaning for it.

    Arrays of arrays are, and literal structs of one type of numbers or vectors.
    """
    if isinstance(type, StructType):
        kinds = set(type.element_types)
        return type.is_literal and len(kinds) == 1 and isinstance(kinds.pop().scalar_type, FloatingPointType)
    while isinstance(type, ArrayType):
        type = type.element_type
    return isinstance(type.scalar_type, FloatingPointType)
