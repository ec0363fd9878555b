"""Properties common to all atomic instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Load, Store
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.opcodes import FAILURE_ORDERINGS, AtomicOrdering

if TYPE_CHECKING:
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["Access", "Atomic", "accessed_type", "at_least_monotonic", "failure_ordering", "merged_ordering"]

Atomic = Load | Store | AtomicRMW | AtomicCmpXchg


class Access(NamedTuple):
    """Address and properties of a memory access.

    Attributes:
        pointer: the address.
        alignment: of the address, in bytes.
        ordering: with other threads' accesses.
        sync_scope: with which threads'.
    """

    pointer: Value
    alignment: int
    ordering: AtomicOrdering
    sync_scope: str

    @classmethod
    def of(cls, instruction: Load | Store | AtomicRMW) -> Access:
        """Return how an instruction accesses memory; whether it is volatile gets lost, as in LLVM."""
        return cls(instruction.pointer, instruction.alignment, instruction.ordering, instruction.sync_scope)


def accessed_type(instruction: Atomic) -> Type:
    """Return the type of the value at the address."""
    match instruction:
        case Store():
            return instruction.value.type
        case AtomicCmpXchg():
            return instruction.compare.type
    return instruction.type


def at_least_monotonic(ordering: AtomicOrdering) -> AtomicOrdering:
    """Return the ordering for instructions that cannot be unordered."""
    return AtomicOrdering.MONOTONIC if ordering is AtomicOrdering.UNORDERED else ordering


def failure_ordering(ordering: AtomicOrdering) -> AtomicOrdering:
    """Return the strongest failure ordering of a `cmpxchg` with a success ordering."""
    return FAILURE_ORDERINGS.get(ordering, ordering)


def merged_ordering(exchange: AtomicCmpXchg) -> AtomicOrdering:
    """Return the ordering that is as strong as both of a `cmpxchg`."""
    success, failure = exchange.success_ordering, exchange.failure_ordering
    if failure is AtomicOrdering.SEQUENTIALLY_CONSISTENT:
        return failure
    if failure is AtomicOrdering.ACQUIRE:
        if success is AtomicOrdering.MONOTONIC:
            return AtomicOrdering.ACQUIRE
        if success is AtomicOrdering.RELEASE:
            return AtomicOrdering.ACQUIRE_RELEASE
    return success
