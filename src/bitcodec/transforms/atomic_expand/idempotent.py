"""`atomicrmw` that changes nothing: it reads, and orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.instructions import Load
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation
from bitcodec.transforms.atomic_expand.access import failure_ordering
from bitcodec.transforms.atomic_expand.description import RELEASING
from bitcodec.transforms.atomic_expand.replacing import BareBuilder, ReplacementBuilder, replace_and_erase

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.ir.instructions import AtomicRMW

__all__ = ["fenced_load", "is_idempotent", "unchanged_load"]

_Op = AtomicRMWOperation

_NEUTRAL: Mapping[AtomicRMWOperation, Callable[[int], int]] = {
    _Op.ADD: lambda _: 0,
    _Op.SUB: lambda _: 0,
    _Op.OR: lambda _: 0,
    _Op.XOR: lambda _: 0,
    _Op.AND: lambda bits: (1 << bits) - 1,
    _Op.MIN: lambda bits: (1 << (bits - 1)) - 1,
    _Op.MAX: lambda bits: 1 << (bits - 1),
    _Op.UMIN: lambda bits: (1 << bits) - 1,
    _Op.UMAX: lambda _: 0,
}
"""The operand with which an operation changes nothing, by its width."""


def is_idempotent(rmw: AtomicRMW) -> bool:
    """Return whether an instruction does not change memory, whether it is volatile or not, as in LLVM 22."""
    value, neutral = rmw.value, _NEUTRAL.get(rmw.operation)
    if neutral is None or not isinstance(value, ConstantInt):
        return False
    return value.unsigned == neutral(value.type.bit_width)


def fenced_load(rmw: AtomicRMW, widest: int) -> bool:
    """Replace an idempotent instruction by a fence and a load, unless it is wider than `widest` bits."""
    is_locked_or = rmw.operation is _Op.OR and not rmw.is_used  # which is the cheapest fence itself
    if rmw.module is None or rmw.module.data_layout.size_in_bits(rmw.type) > widest:
        return False
    if is_locked_or:
        return False
    builder = ReplacementBuilder(rmw, is_plain=True)
    builder.fence(AtomicOrdering.SEQUENTIALLY_CONSISTENT, sync_scope=rmw.sync_scope)
    loaded = builder.load(
        rmw.type,
        rmw.pointer,
        alignment=rmw.alignment,
        ordering=failure_ordering(rmw.ordering),
        sync_scope=rmw.sync_scope,
    )
    replace_and_erase(rmw, loaded)
    return True


def unchanged_load(rmw: AtomicRMW) -> Load | None:
    """Replace an idempotent instruction by a load with its ordering, name and metadata; return the load.

    One that releases stays: other threads see the stores before it.
    """
    if rmw.ordering in RELEASING:
        return None
    builder = BareBuilder(rmw)
    made = Load(rmw.type, rmw.pointer, rmw.alignment, ordering=rmw.ordering, sync_scope=rmw.sync_scope)
    builder.insert(made)
    builder.reuse.is_repeatable = False  # for the name
    made.metadata.update(rmw.metadata)
    name, rmw.name = rmw.name, ""
    replace_and_erase(rmw, made)
    made.name = name
    return made
