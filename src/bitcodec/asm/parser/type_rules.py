"""Types that LLVM's parser accepts in each context."""

from __future__ import annotations

from bitcodec.ir.type_properties import is_operand
from bitcodec.ir.types import (
    FloatingPointType,
    FunctionType,
    IntegerType,
    LabelType,
    MetadataType,
    PointerType,
    TokenType,
    Type,
    VectorType,
    VoidType,
    X86AMXType,
)

__all__ = [
    "ARGUMENT",
    "FIRST_CLASS",
    "HOLDS_FLOATS",
    "HOLDS_INTEGERS",
    "HOLDS_POINTERS",
    "IS_INTEGER",
    "IS_POINTER",
    "IS_VECTOR",
    "POINTEE",
    "SIZED",
    "is_argument",
    "is_pointee",
    "traits_of",
]

FIRST_CLASS, POINTEE, SIZED, IS_INTEGER, IS_POINTER, IS_VECTOR = 1, 2, 4, 8, 16, 32
HOLDS_INTEGERS, HOLDS_POINTERS, HOLDS_FLOATS, ARGUMENT = 64, 128, 256, 512
"""Traits of a type, or of the elements of a vector."""


def traits_of(type: Type, *, is_sized: bool) -> int:
    """Return the traits of a type: the bits above; the caller determines whether it is sized."""
    scalar = type.scalar_type
    rows = (
        (FIRST_CLASS, is_operand(type)),
        (POINTEE, is_pointee(type)),
        (SIZED, is_sized),
        (IS_INTEGER, isinstance(type, IntegerType)),
        (IS_POINTER, isinstance(type, PointerType)),
        (IS_VECTOR, isinstance(type, VectorType)),
        (HOLDS_INTEGERS, isinstance(scalar, IntegerType)),
        (HOLDS_POINTERS, isinstance(scalar, PointerType)),
        (HOLDS_FLOATS, isinstance(scalar, FloatingPointType)),
        (ARGUMENT, is_argument(type)),
    )
    return sum(bit for bit, is_true in rows if is_true)


def is_argument(type: Type) -> bool:
    """Return whether functions may have a parameter of a type."""
    return is_operand(type) and not isinstance(type, LabelType)


def is_pointee(type: Type) -> bool:
    """Return whether a variable or `alloca` may be of a type, and structs and arrays may hold it."""
    return not isinstance(type, VoidType | LabelType | MetadataType | FunctionType | TokenType | X86AMXType)
