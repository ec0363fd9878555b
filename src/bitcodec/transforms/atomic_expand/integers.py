"""Accesses of floating-point numbers and pointers as accesses of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType
from bitcodec.tables.opcodes import AtomicRMWOperation
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder, keep_metadata, replace_and_erase

if TYPE_CHECKING:
    from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Load, Store
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = [
    "from_integer",
    "integer_exchange",
    "integer_load",
    "integer_store",
    "integer_type",
    "integer_xchg",
    "to_integer",
]


def integer_load(load: Load) -> Load:
    """Return the load that takes the place of one of a floating-point number."""
    if not isinstance(load.type, FloatingPointType):
        return load
    builder = ReplacementBuilder(load)
    made = builder.load(
        integer_type(builder, load.type),
        load.pointer,
        alignment=load.alignment,
        volatile=load.is_volatile,
        ordering=load.ordering,
        sync_scope=load.sync_scope,
    )
    replace_and_erase(load, from_integer(builder, made, load.type))
    return made


def integer_store(store: Store) -> Store:
    """Return the store that takes the place of one of a floating-point number."""
    if not isinstance(store.value.type, FloatingPointType):
        return store
    builder = ReplacementBuilder(store)
    made = builder.store(
        to_integer(builder, store.value),
        store.pointer,
        alignment=store.alignment,
        volatile=store.is_volatile,
        ordering=store.ordering,
        sync_scope=store.sync_scope,
    )
    store.erase_from_parent()
    return made


def integer_xchg(rmw: AtomicRMW) -> AtomicRMW:
    """Return the `atomicrmw` that takes the place of `xchg` of a floating-point number or pointer."""
    if rmw.operation is not AtomicRMWOperation.XCHG or not isinstance(rmw.type, (FloatingPointType, PointerType)):
        return rmw
    builder = ReplacementBuilder(rmw)
    made = builder.atomicrmw(
        rmw.operation,
        rmw.pointer,
        to_integer(builder, rmw.value),
        alignment=rmw.alignment,
        ordering=rmw.ordering,
        sync_scope=rmw.sync_scope,
        volatile=rmw.is_volatile,
    )
    keep_metadata(made, rmw)
    replace_and_erase(rmw, from_integer(builder, made, rmw.type))
    return made


def integer_exchange(exchange: AtomicCmpXchg) -> AtomicCmpXchg:
    """Return the `cmpxchg` that takes the place of one of pointers."""
    type_ = exchange.compare.type
    if not isinstance(type_, PointerType):
        return exchange
    builder = ReplacementBuilder(exchange)
    compare = to_integer(builder, exchange.compare)
    made = builder.cmpxchg(
        exchange.pointer,
        compare,
        to_integer(builder, exchange.new_value),
        alignment=exchange.alignment,
        success_ordering=exchange.success_ordering,
        failure_ordering=exchange.failure_ordering,
        sync_scope=exchange.sync_scope,
        volatile=exchange.is_volatile,
        weak=exchange.is_weak,
    )
    found = builder.extractvalue(made, 0)
    success = builder.extractvalue(made, 1)
    pair = builder.insertvalue(builder.constants.poison(exchange.type), from_integer(builder, found, type_), 0)
    replace_and_erase(exchange, builder.insertvalue(pair, success, 1))
    return made


def to_integer(builder: ReplacementBuilder, value: Value) -> Value:
    """Return the bits of a number, a pointer, or a vector of them as an integer."""
    numbers = _numbers(builder, value.type)
    if numbers is not value.type:
        value = builder.cast("ptrtoint", value, numbers)
    return builder.cast("bitcast", value, integer_type(builder, value.type))


def from_integer(builder: ReplacementBuilder, value: Value, type: Type) -> Value:
    """Return the number, pointer, or vector of them whose bits an integer is."""
    numbers = _numbers(builder, type)
    bits = builder.cast("bitcast", value, numbers)
    return bits if numbers is type else builder.cast("inttoptr", bits, type)


def integer_type(builder: ReplacementBuilder, type: Type) -> IntegerType:
    """Return the type of integers as wide as a type."""
    return builder.integer(builder.module.data_layout.store_size(type) * 8)


def _numbers(builder: ReplacementBuilder, type: Type) -> Type:
    """Return the type with integers in the place of pointers."""
    pointer = type.scalar_type
    if not isinstance(pointer, PointerType):
        return type
    return builder.types.like(type, integer_type(builder, pointer))
