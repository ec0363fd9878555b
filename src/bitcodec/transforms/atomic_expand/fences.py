"""Barriers around accesses of targets whose accesses have no ordering of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import Load, Store
from bitcodec.ir.mangling import overloaded
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder

if TYPE_CHECKING:
    from bitcodec.ir.instructions import Instruction
    from bitcodec.tables.opcodes import AtomicOrdering
    from bitcodec.transforms.atomic_expand.description import Barrier, Fences

__all__ = ["leading_barrier", "put_between_fences", "trailing_barrier"]


def put_between_fences(fences: Fences, access: Instruction, ordering: AtomicOrdering) -> None:
    """Put the barriers that an ordering needs around an access.

    The second one precedes debug records that describe the value of the access.
    """
    builder = ReplacementBuilder(access)
    leading_barrier(builder, fences, access, ordering)
    barrier = trailing_barrier(builder, fences, access, ordering)
    if barrier is not None:
        barrier.move_after(access)


def leading_barrier(builder: ReplacementBuilder, fences: Fences, access: Instruction, ordering: AtomicOrdering) -> None:
    """Put the barrier that an ordering needs in front of an access where the builder is."""
    table = fences.before_load if isinstance(access, Load) else fences.before_store
    _put(builder, table.get(ordering), access)


def trailing_barrier(
    builder: ReplacementBuilder, fences: Fences, access: Instruction, ordering: AtomicOrdering
) -> Instruction | None:
    """Put the barrier that an ordering needs behind an access where the builder is, and return it."""
    match access:
        case Load():
            table = fences.after_load
        case Store():
            table = fences.after_store
        case _:
            table = fences.after_exchange
    return _put(builder, table.get(ordering), access)


def _put(builder: ReplacementBuilder, barrier: Barrier | None, access: Instruction) -> Instruction | None:
    if barrier is None:
        return None
    void = builder.types.void
    if barrier.ordering is not None:
        return builder.fence(barrier.ordering)
    if barrier.takes_value:
        return builder.intrinsic(overloaded(barrier.intrinsic, access.type), void, [access])
    if barrier.operand is not None:
        return builder.intrinsic(
            barrier.intrinsic, void, [builder.constants.integer(builder.integer(32), barrier.operand)]
        )
    return builder.intrinsic(barrier.intrinsic, void)
