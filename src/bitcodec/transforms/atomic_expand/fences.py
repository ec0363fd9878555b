"""Barriers around accesses of targets whose accesses have no native ordering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import AtomicCmpXchg, Load, Store
from bitcodec.transforms.atomic_expand.replacing import ReplacementBuilder
from bitcodec.transforms.atomic_expand.reuse import PlainBuilder

if TYPE_CHECKING:
    from bitcodec.ir.instructions import Instruction
    from bitcodec.tables.opcodes import AtomicOrdering
    from bitcodec.transforms.atomic_expand.description import Barrier, Fences

__all__ = ["leading_barrier", "put_barrier", "put_behind", "put_between_fences", "trailing_barrier"]

_OPERAND_BITS = 32


def put_between_fences(
    fences: Fences, access: Instruction, ordering: AtomicOrdering, *, only_leading: bool = False
) -> None:
    """Put the barriers that an ordering needs around an access, or only the first one.

    The second one precedes debug records that describe the value of the access.
    """
    builder = ReplacementBuilder(access)
    leading_barrier(builder, fences, access, ordering)
    if not only_leading:
        builder.place_behind(access)
        trailing_barrier(builder, fences, access, ordering)


def leading_barrier(builder: ReplacementBuilder, fences: Fences, access: Instruction, ordering: AtomicOrdering) -> None:
    """Put the barrier that an ordering needs in front of an access where the builder is."""
    table = fences.before_load if isinstance(access, Load) else fences.before_store
    put_barrier(builder, table.get(ordering), access)


def trailing_barrier(
    builder: ReplacementBuilder, fences: Fences, access: Instruction, ordering: AtomicOrdering
) -> None:
    """Put the barrier that an ordering needs behind an access where the builder is."""
    match access:
        case Load():
            table = fences.after_load
        case Store():
            table = fences.after_store
        case _:
            table = fences.after_exchange
    put_barrier(builder, table.get(ordering), access)


def put_behind(barrier: Barrier | None, access: Instruction) -> None:
    """Put a `fence` behind an access that keeps its ordering; as in LLVM, it does not get its `!pcsections`."""
    if barrier is not None and barrier.ordering is not None and access.parent is not None:
        builder = PlainBuilder(access.parent)
        builder.before(access)
        builder.debug_location = access.debug_location
        builder.fence(barrier.ordering).move_after(access)


def put_barrier(builder: ReplacementBuilder, barrier: Barrier | None, access: Instruction) -> None:
    """Put a barrier where the builder is."""
    if barrier is None:
        return
    void = builder.types.void
    if barrier.ordering is not None:
        if barrier.keeps_scope and isinstance(access, AtomicCmpXchg):
            builder.fence(barrier.ordering, sync_scope=access.sync_scope)
        else:
            builder.fence(barrier.ordering)
    elif barrier.takes_value:
        builder.intrinsic(builder.reuse.overloaded(barrier.intrinsic, access.type), void, [access])
    else:
        i32 = builder.integer(_OPERAND_BITS)
        operands = [builder.constants.integer(i32, operand) for operand in barrier.operands]
        builder.intrinsic(barrier.intrinsic, void, operands)
