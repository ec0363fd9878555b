"""Atomic instructions of memory that no other thread can access: they become accesses that are not atomic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import AtomicCmpXchg
from bitcodec.tables.opcodes import AtomicOrdering, ICmpPredicate
from bitcodec.transforms.atomic_expand.operations import new_value
from bitcodec.transforms.atomic_expand.replacing import BareBuilder, ReplacementBuilder, replace_and_erase

if TYPE_CHECKING:
    from bitcodec.ir.instructions import AtomicRMW, Load, Store
    from bitcodec.ir.values import Value

__all__ = ["exchange_in_steps", "lower_exchange", "lower_operation", "relax"]


def relax(access: Load | Store) -> None:
    """Remove the ordering of an access."""
    access.ordering = AtomicOrdering.NOT_ATOMIC
    access.sync_scope = ""


def lower_operation(rmw: AtomicRMW) -> None:
    """Replace an `atomicrmw` by a load and a store; they have the alignment of the type, as in LLVM."""
    builder = BareBuilder(rmw, is_strict=True)
    alignment = builder.module.data_layout.abi_alignment(rmw.type)
    loaded = builder.load(rmw.type, rmw.pointer, alignment=alignment)
    builder.store(new_value(builder, rmw.operation, loaded, rmw.value), rmw.pointer, alignment=alignment)
    replace_and_erase(rmw, loaded)


def lower_exchange(exchange: AtomicCmpXchg) -> None:
    """Replace a `cmpxchg` by a load and a store."""
    builder = BareBuilder(exchange)
    replace_and_erase(exchange, exchange_in_steps(builder, exchange, exchange.pointer))


def exchange_in_steps(builder: ReplacementBuilder, exchange: AtomicCmpXchg, pointer: Value) -> Value:
    """Return the result of a `cmpxchg` as a load, a choice and a store give it.

    Args:
        builder: makes the steps.
        exchange: the instruction.
        pointer: the address that is accessed.
    """
    loaded = builder.load(exchange.new_value.type, pointer, alignment=exchange.alignment)
    is_equal = builder.compare(ICmpPredicate.EQ, loaded, exchange.compare)
    stored = builder.choose(is_equal, exchange.new_value, loaded)
    builder.store(stored, pointer, alignment=exchange.alignment)
    pair = builder.insertvalue(builder.constants.poison(exchange.type), loaded, 0)
    return builder.insertvalue(pair, is_equal, 1)
