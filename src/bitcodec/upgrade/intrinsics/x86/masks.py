"""Masks: integers with a bit for each element of a vector.

Where a mask is clear, the result of a masked operation is the element of another argument, or zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.types import VectorType

if TYPE_CHECKING:
    from bitcodec.ir.types import IntegerType
    from bitcodec.ir.values import Value
    from bitcodec.upgrade.intrinsics.rows import Expansion
    from bitcodec.upgrade.rewriter import CallRewriter

__all__ = ["blended", "element_count", "is_all_ones", "is_four", "mask_number", "mask_vector", "masked"]

_LEAST_MASK = 8
"""Width of the narrowest mask in bits."""


def element_count(value: Value) -> int:
    """Return how many elements a vector has."""
    return cast("VectorType", value.type).count


def is_all_ones(mask: Value) -> bool:
    """Return whether a mask has only ones."""
    return isinstance(mask, ConstantInt) and mask.unsigned == (1 << mask.type.bit_width) - 1


def is_four(rounding: Value) -> bool:
    """Return whether a rounding mode is 4: as the processor is set, which needs no intrinsic."""
    return isinstance(rounding, ConstantInt) and rounding.unsigned == 4


def mask_vector(rewriter: CallRewriter, mask: Value, count: int) -> Value:
    """Return a mask as a vector of `count` truth values."""
    types = rewriter.types
    width = cast("IntegerType", mask.type).bit_width
    bits = rewriter.cast("bitcast", mask, types.vector(width, types.integer(1)))
    if count < _LEAST_MASK:
        bits = rewriter.shuffle(bits, bits, range(count), "extract")
    return bits


def mask_number(rewriter: CallRewriter, truths: Value, mask: Value | None = None) -> Value:
    """Return truth values as an integer of 8 bits at least, those bits cleared that are clear in the mask."""
    count = element_count(truths)
    if mask is not None and not is_all_ones(mask):
        truths = rewriter.binary("and", truths, mask_vector(rewriter, mask, count))
    if count < _LEAST_MASK:
        places = [*range(count), *(count + index % count for index in range(count, _LEAST_MASK))]
        truths = rewriter.shuffle(truths, rewriter.zero(truths.type), places)
    return rewriter.cast("bitcast", truths, rewriter.types.integer(max(count, _LEAST_MASK)))


def blended(rewriter: CallRewriter, mask: Value, value: Value, otherwise: Value) -> Value:
    """Return a vector that is `value` where the mask is set."""
    if is_all_ones(mask):
        return value
    return rewriter.choose(mask_vector(rewriter, mask, element_count(value)), value, otherwise)


def masked(expand: Expansion, otherwise: int | None = -2, mask: int = -1) -> Expansion:
    """Return an operation that takes a mask, made from the one that takes none.

    Args:
        expand: the operation.
        otherwise: index of the argument that is selected where the mask is clear, None for zero.
        mask: index of the mask argument.
    """

    def expand_masked(rewriter: CallRewriter) -> Value:
        value = cast("Value", expand(rewriter))
        arguments = rewriter.arguments
        passed = rewriter.zero(value.type) if otherwise is None else arguments[otherwise]
        return blended(rewriter, arguments[mask], value, passed)

    return expand_masked
