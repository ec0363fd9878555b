"""Operations on the lanes of a mask (`llvm.vp`) as operations on all lanes: the result of a lane that is off is open.

Rules: LLVM Language Reference, "Vector Predication Intrinsics".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.downgrade.expansions.vectors import element_count
from bitcodec.ir.construction.unlisted import rebuilt_call
from bitcodec.ir.intrinsic_signatures import Misfit, matched
from bitcodec.ir.metadata import MDString
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import FloatingPointType, IntegerType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.downgrade.expansions.vectors import Combine
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

    Make = Callable[[UnlistedBuilder, Call], Value | None]

__all__ = [
    "by_intrinsic",
    "bytes_swapped",
    "chosen",
    "compared",
    "divided",
    "merged",
    "operation",
    "reduced",
    "unmasked",
]

_OFF = 2
"""Number of arguments that choose the lanes: the mask and the number of lanes, the last two arguments."""
_BYTE_PAIR = 16
"""Bits."""


def operation(opcode: str, elements: type[Type]) -> Make:
    """Return an expansion to a binary operation.

    Args:
        opcode: of the operation.
        elements: the kind of types that it takes; signatures of intrinsics allow vectors of all types.
    """

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        if not isinstance(call.type.scalar_type, elements):
            return None
        return builder.binary(opcode, *call.arguments[:_OFF])

    return make


def divided(opcode: str) -> Make:
    """Return an expansion to a division; lanes that are off are divided by 1."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        one, other, mask, length = call.arguments
        lanes = _lanes(builder, mask, length)
        if lanes is None or not isinstance(other.type.scalar_type, IntegerType):
            return None
        return builder.binary(opcode, one, builder.select(lanes, other, builder.integer(other.type, 1)))

    return make


def compared(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand a comparison, whose predicate is metadata."""
    one, other, predicate, *_ = call.arguments
    text = predicate.metadata if isinstance(predicate, MetadataAsValue) else None
    if not isinstance(text, MDString):
        return None
    is_floating = isinstance(one.type.scalar_type, FloatingPointType)
    return (builder.fcmp if is_floating else builder.icmp)(text.text, one, other)


def unmasked(name: str, make: Make) -> Make:
    """Return an expansion that expands the intrinsic for all lanes instead.

    Args:
        name: of that intrinsic, without `llvm.` and types.
        make: its expansion.
    """

    def made(builder: UnlistedBuilder, call: Call) -> Value | None:
        type_ = _unmasked_type(name, builder, call)
        if type_ is None:
            return None
        return make(builder, cast("Call", rebuilt_call(call, type_, call.arguments[:-_OFF])))

    return made


def by_intrinsic(name: str) -> Make:
    """Return an expansion to the intrinsic for all lanes."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        if _unmasked_type(name, builder, call) is None:
            return None
        return builder.call_of(f"llvm.{name}.{builder.suffix(call.type)}", call.arguments[:-_OFF], call.type)

    return make


def bytes_swapped(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.vp.bswap` to the intrinsic for all lanes, which takes pairs of bytes only."""
    scalar = call.type.scalar_type
    if not isinstance(scalar, IntegerType) or scalar.bit_width % _BYTE_PAIR:
        return None
    return by_intrinsic("bswap")(builder, call)


def _unmasked_type(name: str, builder: UnlistedBuilder, call: Call) -> FunctionType | None:
    """Return the type of an intrinsic for all lanes, None if it does not exist for this type of vectors.

    Those for some lanes take vectors of all types: `llvm.vp.sqrt` of integers is a sound call without a meaning.
    """
    type_ = builder.types.function(call.type, [each.type for each in call.arguments[:-_OFF]])
    return None if isinstance(matched(name, type_), Misfit) else type_


def chosen(builder: UnlistedBuilder, call: Call) -> Value:
    """Expand `llvm.vp.select`."""
    return builder.select(*call.arguments[:3])


def merged(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.vp.merge`: lanes from the given length on come from the second vector."""
    mask, one, other, length = call.arguments
    lanes = _lanes(builder, mask, length)
    return None if lanes is None else builder.select(lanes, one, other)


def reduced(combine: Combine, elements: type[Type]) -> Make:
    """Return an expansion of a reduction, in order.

    Args:
        combine: makes one value of two.
        elements: the kind of types that it takes.
    """

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        found, vector, mask, length = call.arguments
        count = element_count(vector) if isinstance(vector.type.scalar_type, elements) else 0
        for index in range(count):
            is_on = builder.binary("and", builder.extract(mask, index), builder.icmp("ugt", length, index))
            found = builder.select(is_on, combine(builder, found, builder.extract(vector, index)), found)
        return found if count else None

    return make


def _lanes(builder: UnlistedBuilder, mask: Value, length: Value) -> Value | None:
    """Return the mask of active lanes, None if the number of elements is unknown."""
    count = element_count(mask)
    if not count:
        return None
    elements = [builder.integer(length.type, index) for index in range(count)]
    numbers = builder.constants.aggregate(builder.types.vector(count, length.type), elements)
    first = builder.insert(builder.constants.undef(numbers.type), length, 0)
    limits = builder.shuffle(first, [0] * count)
    return builder.binary("and", mask, builder.icmp("ult", numbers, limits))
