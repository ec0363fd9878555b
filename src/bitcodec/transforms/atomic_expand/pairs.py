"""Intrinsics that change two registers' worth of memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.tables.opcodes import ICmpPredicate
from bitcodec.transforms.atomic_expand.access import merged_ordering
from bitcodec.transforms.atomic_expand.fences import leading_barrier, trailing_barrier
from bitcodec.transforms.atomic_expand.halves import halves, joined
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder, replace_and_erase

if TYPE_CHECKING:
    from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW
    from bitcodec.ir.values import Value
    from bitcodec.transforms.atomic_expand.description import Fences, PairCalls

__all__ = ["pair_exchange", "pair_operation"]


def pair_operation(rmw: AtomicRMW, calls: PairCalls) -> None:
    """Replace an `atomicrmw` of integers by an intrinsic."""
    builder = ReplacementBuilder(rmw)
    found = _called(
        builder, calls, calls.operations[rmw.operation], rmw.pointer, _registers(builder, calls, rmw.value, "incr_")
    )
    replace_and_erase(rmw, joined(builder, found, rmw.type))


def pair_exchange(exchange: AtomicCmpXchg, calls: PairCalls, fences: Fences) -> None:
    """Replace a `cmpxchg` of integers by an intrinsic between fences."""
    builder = ReplacementBuilder(exchange)
    ordering = merged_ordering(exchange)
    registers = _registers(builder, calls, exchange.compare, "cmp_")
    registers += _registers(builder, calls, exchange.new_value, "new_")
    leading_barrier(builder, fences, exchange, ordering)
    found = _called(builder, calls, calls.exchange, exchange.pointer, registers)
    trailing_barrier(builder, fences, exchange, ordering)
    loaded = joined(builder, found, exchange.compare.type)
    result = builder.insertvalue(builder.constants.poison(exchange.type), loaded, 0)
    success = builder.compare(ICmpPredicate.EQ, exchange.compare, loaded, "Success")
    replace_and_erase(exchange, builder.insertvalue(result, success, 1))


def _registers(builder: ReplacementBuilder, calls: PairCalls, value: Value, prefix: str) -> tuple[Value, ...]:
    return halves(builder, value, builder.integer(calls.register), prefix)


def _called(
    builder: ReplacementBuilder, calls: PairCalls, name: str, pointer: Value, registers: tuple[Value, ...]
) -> Value:
    register = builder.integer(calls.register)
    plain = builder.plain_address(pointer)
    return builder.intrinsic(name, builder.types.struct([register, register]), [plain, *registers])
