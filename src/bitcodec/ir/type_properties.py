"""Properties of types: number of elements, width, and whether they contain floating-point numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    IntegerType,
    PointerType,
    StructType,
    VectorType,
    VoidType,
    X86AMXType,
)

if TYPE_CHECKING:
    from bitcodec.ir.types import Type

__all__ = [
    "address_space_of",
    "element_count",
    "holds_floating_point",
    "is_fixed",
    "is_floats",
    "is_integer",
    "is_integers",
    "is_operand",
    "is_pointer",
    "is_pointers",
    "is_same_shape",
    "is_scalable",
    "is_vector",
    "primitive_size",
    "result_types",
    "scalar_width",
]


def is_integer(type: Type, width: int) -> bool:
    """Return whether a type is the integer type of a width."""
    return isinstance(type, IntegerType) and type.bit_width == width


def is_pointer(type: Type) -> bool:
    """Return whether a type is a pointer."""
    return isinstance(type, PointerType)


def is_vector(type: Type) -> bool:
    """Return whether a type is a vector."""
    return isinstance(type, VectorType)


def is_fixed(type: Type) -> bool:
    """Return whether a type is a vector whose number of elements is known."""
    return isinstance(type, VectorType) and not type.is_scalable


def is_scalable(type: Type) -> bool:
    """Return whether a type is a vector of a number of elements that `vscale` multiplies."""
    return isinstance(type, VectorType) and type.is_scalable


def is_integers(type: Type) -> bool:
    """Return whether a type is an integer or a vector of them."""
    return isinstance(type.scalar_type, IntegerType)


def is_floats(type: Type) -> bool:
    """Return whether a type is a floating-point type or a vector of one."""
    return isinstance(type.scalar_type, FloatingPointType)


def is_pointers(type: Type) -> bool:
    """Return whether a type is a pointer or a vector of them."""
    return isinstance(type.scalar_type, PointerType)


def is_operand(type: Type) -> bool:
    """Return whether an instruction may have a value of a type for an operand or a result: no opaque struct."""
    return type.is_first_class and not (isinstance(type, StructType) and type.is_opaque)


def address_space_of(type: Type) -> int | None:
    """Return the address space of a pointer or of a vector of pointers, None for another type."""
    scalar = type.scalar_type
    return scalar.address_space if isinstance(scalar, PointerType) else None


def result_types(type: Type) -> tuple[Type, ...]:
    """Return the types of the results in a return type: the fields of a struct, none for `void`."""
    if isinstance(type, StructType):
        return type.element_types
    return () if isinstance(type, VoidType) else (type,)


def element_count(type: Type) -> tuple[int, bool] | None:
    """Return how many elements a vector has, and whether `vscale` multiplies them; None for other types."""
    return (type.count, type.is_scalable) if isinstance(type, VectorType) else None


def is_same_shape(first: Type, second: Type) -> bool:
    """Return whether both are scalars, or vectors of as many elements."""
    return element_count(first) == element_count(second)


def scalar_width(type: Type) -> int:
    """Return how many bits an integer, a floating-point number, or an element of a vector of them has; else 0."""
    scalar = type.scalar_type
    return scalar.bit_width if isinstance(scalar, (IntegerType, FloatingPointType)) else 0


def primitive_size(type: Type) -> tuple[int, bool]:
    """Return the size in bits of a primitive type, 0 for pointers and aggregates, and whether it is scalable."""
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
