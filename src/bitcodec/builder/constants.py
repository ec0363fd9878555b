"""Constants of Python's values, where the type is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from bitcodec.ir.constants import Constant
from bitcodec.ir.types import ArrayType, FloatingPointType, IntegerType, SequentialType, StructType, VectorType

if TYPE_CHECKING:
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["ConstantLike", "constant", "converted"]

ConstantLike: TypeAlias = "Constant | float | bytes | Sequence[ConstantLike] | None"
"""A constant, or its equivalent in Python: `bool`, `int`, `float`, bytes, a sequence; None is zero."""


def constant(module: Module, type: Type, value: ConstantLike) -> Constant:
    """Return a constant of a type.

    Args:
        module: the module that it is for.
        type: its type.
        value: a number for an integer or floating-point type, or for all elements of a vector; bytes for an array of
            `i8`; a sequence for the elements of an array, struct or vector; None for zero or `null`; a constant of that
            type is returned unchanged.

    Raises:
        TypeError: the value is not of the type.
        ValueError: a number is too wide for its type.
    """
    found = converted(module.context.constants, type, value)
    if found is None:
        raise TypeError(f"{value!r} is not a valid {type.brief}")
    return found


def converted(constants: ConstantTable, type: Type, value: object) -> Constant | None:
    """Return a constant of a type, None if the value does not have that type.

    Raises:
        ValueError: a number is too wide for its type.
    """
    if isinstance(value, Constant):
        return value if value.type is type else None
    if value is None:
        return constants.null(type)
    if isinstance(value, int | float):
        return _number(constants, type, value)
    if isinstance(value, bytes) and isinstance(type, ArrayType) and type.element_type is constants.types.integer(8):
        return constants.data(type, value) if len(value) == type.count else None
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return _aggregate(constants, type, value)
    return None


def _number(constants: ConstantTable, type: Type, value: float) -> Constant | None:
    if isinstance(type, IntegerType) and isinstance(value, int):
        if not -(1 << (type.bit_width - 1)) <= value < 1 << type.bit_width:
            raise ValueError(f"{value} does not fit into {type}")
        return constants.integer(type, value)
    if isinstance(type, FloatingPointType):
        return constants.real(type, float(value))
    if isinstance(type, VectorType):
        element = _number(constants, type.element_type, value)
        return None if element is None else constants.splat(type, element)
    return None


def _aggregate(constants: ConstantTable, type: Type, values: Sequence[object]) -> Constant | None:
    kinds: Sequence[Type] = ()
    if isinstance(type, StructType):
        kinds = type.element_types
    elif isinstance(type, VectorType) and type.is_scalable:
        return None
    elif isinstance(type, SequentialType) and len(values) == type.count:
        kinds = [type.element_type] * type.count
    if len(kinds) != len(values) or not type.is_sized:
        return None
    elements = [converted(constants, kind, value) for kind, value in zip(kinds, values, strict=True)]
    known = [element for element in elements if element is not None]
    return constants.aggregate(type, known) if len(known) == len(elements) else None
