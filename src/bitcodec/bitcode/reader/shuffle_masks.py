"""Masks of `shufflevector`: constant vectors in records, numbers in the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.malformed import Malformed
from bitcodec.ir.constants import (
    ConstantAggregateZero,
    ConstantDataVector,
    ConstantInt,
    ConstantVector,
    UndefValue,
)
from bitcodec.ir.types import IntegerType, VectorType
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from bitcodec.ir.values import Value

__all__ = ["POISON_ELEMENT", "mask_of"]

POISON_ELEMENT = -1
_WORD = 0xFFFF_FFFF
_MAX_ELEMENTS = 1 << 16
"""A mask of one repeated element is as long as its type, whatever the size of the file."""


def mask_of(mask: Value) -> tuple[int, ...]:
    """Return the mask that a constant vector represents; undef and poison are -1.

    As in LLVM, the type matters only if the vector is neither zero nor undef, and 32 bits of an integer count.

    Raises:
        Malformed: it is not a mask.
    """
    type_ = mask.type
    if not isinstance(type_, VectorType) or type_.count > _MAX_ELEMENTS:
        raise Malformed(Reason.MASK_TYPE(type=type_.brief))
    if isinstance(mask, ConstantAggregateZero):
        return (0,) * type_.count
    if isinstance(mask, UndefValue):
        return (POISON_ELEMENT,) * type_.count
    if not isinstance(type_.element_type, IntegerType):
        raise Malformed(Reason.MASK_TYPE(type=type_.brief))
    if isinstance(mask, ConstantDataVector):
        return tuple(_index(int(element)) for element in mask.elements)
    if isinstance(mask, ConstantVector):
        return tuple(_element(element) for element in mask.operands)
    raise Malformed(Reason.MASK_NOT_CONSTANT())


def _element(element: Value) -> int:
    if isinstance(element, ConstantInt):
        return _index(element.unsigned)
    if isinstance(element, UndefValue):
        return POISON_ELEMENT
    raise Malformed(Reason.MASK_ELEMENT())


def _index(number: int) -> int:
    index = number & _WORD
    return POISON_ELEMENT if index == _WORD else index
