"""The element that indices lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import Constant, ConstantInt
from bitcodec.ir.type_properties import scalar_width
from bitcodec.ir.types import PointerType, SequentialType, StructType, VectorType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["element_at", "struct_index"]


def element_at(type: Type, indices: Sequence[Value]) -> Type | None:
    """Return the type of the element that indices lead to, None if they lead to none."""
    for index in indices:
        if isinstance(type, StructType):
            position, elements = struct_index(index), type.elements
            if position is None or elements is None or position >= len(elements):
                return None
            type = elements[position]
        elif isinstance(type, SequentialType):
            type = type.element_type
        elif isinstance(type, PointerType) or not type.element_types:
            return None
        else:
            type = type.element_types[0]
    return type


_WORD_BITS = 32
_WORD = (1 << _WORD_BITS) - 1


def struct_index(index: Value) -> int | None:
    """Return the number of an index into a struct, None if it is none."""
    if isinstance(index, ConstantInt):
        return index.value & _WORD if index.type.bit_width == _WORD_BITS else None
    type_ = index.type
    if not isinstance(type_, VectorType) or type_.is_scalable or scalar_width(type_) != _WORD_BITS:
        return None
    splat = getattr(index, "elements", None)
    if splat and len(set(splat)) == 1:
        return int(splat[0])
    return 0 if isinstance(index, Constant) and index.is_null else None
