"""Sets of operations and orderings that the rules of several architectures are about."""

from __future__ import annotations

from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation
from bitcodec.transforms.atomic_expand.description import Barrier, Fences

__all__ = [
    "ACCESSES",
    "ACQUIRE",
    "ACQ_REL",
    "EXTREMES",
    "FLOATING",
    "LOGIC",
    "RELEASE",
    "SEQ_CST",
    "WRAPPING",
    "fences_of_own_ordering",
]

_Op = AtomicRMWOperation
FLOATING = frozenset(operation for operation in _Op if operation.is_floating_point)
WRAPPING = frozenset({_Op.UINC_WRAP, _Op.UDEC_WRAP, _Op.USUB_COND, _Op.USUB_SAT})
EXTREMES = frozenset({_Op.MAX, _Op.MIN, _Op.UMAX, _Op.UMIN})
LOGIC = frozenset({_Op.AND, _Op.OR, _Op.XOR})

ACQUIRE = AtomicOrdering.ACQUIRE
RELEASE = AtomicOrdering.RELEASE
ACQ_REL = AtomicOrdering.ACQUIRE_RELEASE
SEQ_CST = AtomicOrdering.SEQUENTIALLY_CONSISTENT

ACCESSES = frozenset({"load", "store", "atomicrmw", "cmpxchg"})


def fences_of_own_ordering(opcodes: frozenset[str], *, most_stored: int = 1 << 32) -> Fences:
    """Return fences that are ordered as the accesses are: before stores, and after everything that acquires."""
    fence = {ordering: Barrier(ordering) for ordering in (ACQUIRE, RELEASE, ACQ_REL, SEQ_CST)}
    releasing = {ordering: fence[ordering] for ordering in (RELEASE, ACQ_REL, SEQ_CST)}
    acquiring = {ordering: fence[ordering] for ordering in (ACQUIRE, ACQ_REL, SEQ_CST)}
    return Fences(
        opcodes=opcodes,
        most_stored=most_stored,
        before_store=releasing,
        after_load=acquiring,
        after_store={SEQ_CST: fence[SEQ_CST]},
        after_exchange=acquiring,
    )
