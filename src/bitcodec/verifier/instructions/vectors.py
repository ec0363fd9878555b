"""Rules of elements of vectors, structs and arrays."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.ir.instructions import ExtractElement, ExtractValue, InsertElement, InsertValue, ShuffleVector
from bitcodec.ir.types import ArrayType, IntegerType, StructType, VectorType
from bitcodec.verifier.rules import first_broken

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.types import Type
    from bitcodec.verifier.bodies import Body
    from bitcodec.verifier.rules import Rules

__all__ = ["PROBLEMS"]


def _element_type(aggregate: Type, indices: tuple[int, ...]) -> Type | None:
    """Return the type of an element of a struct or array, None if it does not exist."""
    current = aggregate
    for index in indices:
        if isinstance(current, StructType):
            if index >= len(current.element_types):
                return None
            current = current.element_types[index]
        elif isinstance(current, ArrayType) and index < current.count:
            current = current.element_type
        else:
            return None
    return current


def _is_extraction(found: ExtractElement, _: object) -> bool:
    return isinstance(found.vector.type, VectorType) and isinstance(found.index.type, IntegerType)


def _is_insertion(found: InsertElement, _: object) -> bool:
    vector = found.vector.type
    return (
        isinstance(vector, VectorType)
        and found.element.type is vector.element_type
        and isinstance(found.index.type, IntegerType)
    )


def _is_shuffle(found: ShuffleVector, _: object) -> bool:
    vector = found.lhs.type
    if not isinstance(vector, VectorType) or found.rhs.type is not vector:
        return False
    if vector.is_scalable:  # how many elements there are is not known: all are the first, or poison
        return set(found.mask) in ({0}, {-1})
    return all(-1 <= index < 2 * vector.count for index in found.mask)


_EXTRACT_ELEMENT: Rules = (("Invalid extractelement operands!", _is_extraction),)
_INSERT_ELEMENT: Rules = (("Invalid insertelement operands!", _is_insertion),)
_SHUFFLE: Rules = (("Invalid shufflevector operands!", _is_shuffle),)
_EXTRACT_VALUE: Rules = (
    (
        "Invalid ExtractValueInst operands!",
        lambda found, _: _element_type(found.aggregate.type, found.indices) is found.type,
    ),
)
_INSERT_VALUE: Rules = (
    (
        "Invalid InsertValueInst operands!",
        lambda found, _: _element_type(found.aggregate.type, found.indices) is found.value.type,
    ),
)

PROBLEMS: dict[type, tuple[Callable[[Any, Body], str | None], ...]] = {
    ExtractElement: (partial(first_broken, _EXTRACT_ELEMENT),),
    InsertElement: (partial(first_broken, _INSERT_ELEMENT),),
    ShuffleVector: (partial(first_broken, _SHUFFLE),),
    ExtractValue: (partial(first_broken, _EXTRACT_VALUE),),
    InsertValue: (partial(first_broken, _INSERT_VALUE),),
}
