"""Load-linked and store-conditional, and loops of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attributes import AttributeList
from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.transforms.atomic_expand.description import ACQUIRING, RELEASING, Success
from bitcodec.transforms.atomic_expand.halves import halves, joined
from bitcodec.transforms.atomic_expand.integers import from_integer, to_integer
from bitcodec.transforms.atomic_expand.loops import mark_unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.opcodes import AtomicOrdering
    from bitcodec.transforms.atomic_expand.description import AtomicTarget, LinkedAccess
    from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder

__all__ = ["clear_link", "linked_loop", "load_linked", "store_conditional"]

_STATUS_BITS = 32


def linked_loop(
    builder: ReplacementBuilder,
    target: AtomicTarget,
    type: Type,
    pointer: Value,
    ordering: AtomicOrdering,
    new_value: Callable[[Value], Value],
) -> Value:
    """Load, compute and store until no other thread interferes; return the loaded value.

    The builder is in front of its original again at the end, in the block where the loop ends.
    """
    end = builder.split_off("atomicrmw.end")
    loop = builder.block_before(end, "atomicrmw.start")
    builder.br(loop)
    builder.at_end(loop)
    loaded = load_linked(builder, target, type, pointer, ordering)
    status = store_conditional(builder, target, new_value(loaded), pointer, ordering)
    again = builder.compare(ICmpPredicate.NE, status, 0, "tryagain")
    mark_unknown(builder.cond_br(again, loop, end))
    builder.before(builder.original)
    return loaded


def load_linked(
    builder: ReplacementBuilder, target: AtomicTarget, type: Type, pointer: Value, ordering: AtomicOrdering
) -> Value:
    """Load the value at an address with a load-linked instruction."""
    width, access = _access(builder, target, type)
    name = access.acquiring_load if ordering in ACQUIRING else access.load
    register = builder.integer(access.register)
    pointer = _pointer(builder, access, pointer)
    if width > access.register:
        return _load_pair(builder, name, type, access, pointer)
    value = builder.integer(width)
    loaded = builder.intrinsic(
        _spelled(builder, access, name, pointer),
        register,
        [pointer],
        attributes=_element(builder, access, 0, value),
        name=access.loaded_name,
    )
    return from_integer(builder, builder.cast("trunc", loaded, value), type)


def store_conditional(
    builder: ReplacementBuilder, target: AtomicTarget, value: Value, pointer: Value, ordering: AtomicOrdering
) -> Value:
    """Store a value if no other thread has since it was loaded; return 0 if it is stored."""
    width, access = _access(builder, target, value.type)
    name = access.releasing_store if ordering in RELEASING else access.store
    status, register = builder.integer(_STATUS_BITS), builder.integer(access.register)
    pointer = _pointer(builder, access, pointer)
    bits = to_integer(builder, value)
    if width > access.register:
        parts = halves(builder, bits, register)
        return builder.intrinsic(name, status, [*(parts[::-1] if access.is_high_first else parts), pointer])
    operands = [builder.cast("zext", bits, register), pointer]
    if access.is_address_first:
        operands.reverse()
    stored = builder.intrinsic(
        _spelled(builder, access, name, pointer),
        status,
        operands,
        attributes=_element(builder, access, 1, bits.type),
        name=access.stored_name,
    )
    match access.success:
        case Success.ONE:
            return builder.binary("xor", stored, 1)
        case Success.NONZERO:
            return builder.cast("zext", builder.compare(ICmpPredicate.EQ, stored, 0), status)
    return stored


def clear_link(builder: ReplacementBuilder, target: AtomicTarget) -> None:
    """Clear the link to an address, because nothing will be stored there."""
    if target.clear_link:
        builder.intrinsic(target.clear_link, builder.types.void)


def _load_pair(builder: ReplacementBuilder, name: str, type: Type, access: LinkedAccess, pointer: Value) -> Value:
    register, whole = builder.integer(access.register), builder.integer(2 * access.register)
    pair = builder.intrinsic(name, builder.types.struct([register, register]), [pointer], name="lohi")
    return from_integer(builder, joined(builder, pair, whole, is_high_first=access.is_high_first), type)


def _access(builder: ReplacementBuilder, target: AtomicTarget, type: Type) -> tuple[int, LinkedAccess]:
    width = builder.module.data_layout.size_in_bits(type)
    return width, target.linked[width]


def _pointer(builder: ReplacementBuilder, access: LinkedAccess, pointer: Value) -> Value:
    """Return an address as the intrinsics take it: those without types in their names know one address space."""
    return pointer if access.has_element_type else builder.plain_address(pointer)


def _spelled(builder: ReplacementBuilder, access: LinkedAccess, name: str, pointer: Value) -> str:
    return builder.reuse.overloaded(name, pointer.type) if access.has_element_type else name


def _element(builder: ReplacementBuilder, access: LinkedAccess, parameter: int, type: Type) -> AttributeList:
    """Return the attribute with the type of the accessed value."""
    return builder.reuse.element(parameter, type) if access.has_element_type else AttributeList()
