"""Intrinsics for vectors as plain operations on elements.  Rules: LLVM Language Reference, "Intrinsic Functions"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.downgrade.expansions.floats import extreme_of
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.types import VectorType

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.building import UnlistedBuilder
    from bitcodec.ir.instructions import Call
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

    Combine = Callable[[UnlistedBuilder, Value, Value], Value]

__all__ = [
    "by_operation",
    "by_order",
    "by_order_of_numbers",
    "by_order_of_zeros",
    "element_count",
    "extracted",
    "inserted",
    "interleaved",
    "loaded_structures",
    "partial_sum",
    "picked",
    "reduced",
    "reversed_order",
    "spliced",
]


def element_count(value: Value) -> int:
    """Return how many elements a vector has, 0 if that is not known."""
    type_ = value.type
    return type_.count if isinstance(type_, VectorType) and not type_.is_scalable else 0


def by_operation(opcode: str) -> Combine:
    """Return a function that combines two values by an operation."""
    return lambda builder, one, other: builder.binary(opcode, one, other)


def by_order(predicate: str) -> Combine:
    """Return a function that chooses one of two integers."""
    return lambda builder, one, other: builder.select(builder.icmp(predicate, one, other), one, other)


def by_order_of_numbers(predicate: str) -> Combine:
    """Return a function that chooses one of two floating-point numbers; one that is not a number is passed over."""

    def combine(builder: UnlistedBuilder, one: Value, other: Value) -> Value:
        found = builder.select(builder.fcmp(predicate, one, other), one, other)
        return builder.select(builder.fcmp("uno", other, other), one, found)

    return combine


def by_order_of_zeros(*, is_maximum: bool) -> Combine:
    """Return a function that chooses one of two floating-point numbers; the result is none if one of them is."""

    def combine(builder: UnlistedBuilder, one: Value, other: Value) -> Value:
        found = extreme_of(builder, one, other, is_maximum=is_maximum)
        not_a_number = builder.binary("fadd", one, other)
        return builder.select(builder.fcmp("uno", one, other), not_a_number, found)

    return combine


def reduced(combine: Combine, elements: type[Type]) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion that combines the elements of the last argument in order, after the first of two.

    Args:
        combine: makes one value of two.
        elements: the kind of types that it takes; signatures of intrinsics allow vectors of all types.
    """

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        *start, vector = call.arguments
        if not isinstance(vector.type.scalar_type, elements):
            return None
        found = start[0] if start else None
        for index in range(element_count(vector)):
            element = builder.extract(vector, index)
            found = element if found is None else combine(builder, found, element)
        return found if element_count(vector) else None

    return make


def partial_sum(opcode: str, elements: type[Type]) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion: the parts of a vector, whose elements have a kind of types, are added to a shorter one."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        total, vector = call.arguments
        size = element_count(total) if isinstance(total.type.scalar_type, elements) else 0
        for start in range(0, element_count(vector) if size else 0, size or 1):
            total = builder.binary(opcode, total, builder.shuffle(vector, range(start, start + size)))
        return total if size else None

    return make


def _offset(call: Call) -> int | None:
    """Return the last argument, None if it is not a constant integer."""
    offset = call.arguments[-1]
    return offset.unsigned if isinstance(offset, ConstantInt) else None


def extracted(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.vector.extract`."""
    vector, start, count = call.arguments[0], _offset(call), element_count(call)
    if start is None or not count or start + count > element_count(vector):
        return None
    return builder.shuffle(vector, range(start, start + count))


def inserted(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.vector.insert`."""
    whole, part, _ = call.arguments
    start, size, count = _offset(call), element_count(whole), element_count(part)
    if start is None or not count or start + count > size:
        return None
    longer = builder.shuffle(part, [min(index, count - 1) for index in range(size)])
    mask = [size + index - start if start <= index < start + count else index for index in range(size)]
    return builder.shuffle(whole, mask, longer)


def spliced(*, is_left: bool) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion of `llvm.vector.splice.left` or `llvm.vector.splice.right`."""

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        one, other, _ = call.arguments
        offset, size = _offset(call), element_count(one)
        if offset is None or not size or offset > size:
            return None
        start = offset if is_left else size - offset
        return builder.shuffle(one, range(start, start + size), other)

    return make


def reversed_order(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.vector.reverse`."""
    (vector,) = call.arguments
    size = element_count(vector)
    return builder.shuffle(vector, range(size - 1, -1, -1)) if size else None


def interleaved(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.vector.interleave2`."""
    one, other = call.arguments
    size = element_count(one)
    mask = [index + size * part for index in range(size) for part in range(2)]
    return builder.shuffle(one, mask, other) if size else None


def loaded_structures(count: int) -> Callable[[UnlistedBuilder, Call], Value | None]:
    """Return an expansion of `llvm.aarch64.sve.ldN.sret` to the intrinsic that returns all vectors as one.

    Args:
        count: how many vectors are loaded.
    """

    def make(builder: UnlistedBuilder, call: Call) -> Value | None:
        predicate, part = call.arguments[0].type, call.type.element_types[0]
        if not isinstance(part, VectorType):
            return None
        whole = builder.types.vector(part.count * count, part.element_type, is_scalable=True)
        suffix, index = builder.suffix(whole), builder.types.integer(32)
        name = f"llvm.aarch64.sve.ld{count}.{suffix}.{builder.suffix(predicate)}"
        loaded = builder.call_of(name, call.arguments, whole)
        if loaded is None:
            return None
        parts: list[Value] = []
        for number in range(count):
            arguments = [loaded, builder.integer(index, number)]
            found = builder.call_of(f"llvm.aarch64.sve.tuple.get.{builder.suffix(part)}.{suffix}", arguments, part)
            if found is None:
                return None
            parts.append(found)
        return builder.struct(call.type, *parts)

    return make


def picked(builder: UnlistedBuilder, call: Call) -> Value | None:
    """Expand `llvm.vector.deinterleave2`."""
    (vector,) = call.arguments
    size = element_count(vector)
    if not size:
        return None
    parts = [builder.shuffle(vector, range(start, size, 2)) for start in range(2)]
    return builder.struct(call.type, *parts)
