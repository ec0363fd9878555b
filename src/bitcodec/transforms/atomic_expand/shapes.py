# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""The shapes of atomic instructions: everything on which their expansion depends.

Instructions of one shape in functions that are alike become the same instructions, with other operands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import Constant
from bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, ICmp
from bitcodec.ir.instructions.memory import AtomicCmpXchg, AtomicRMW, Load, Store
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from collections.abc import Hashable

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.transforms.atomic_expand.access import Atomic

__all__ = ["atomics_of", "shape_of", "soundness_of"]

_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC
_NOTHING = ()


def atomics_of(block: BasicBlock) -> list[Atomic]:
    """Return the atomic instructions of a block, the last first."""
    found: list[Any] = []
    for instruction in block._instructions:
        kind = type(instruction)
        if kind is AtomicRMW or kind is AtomicCmpXchg:
            found.append(instruction)
        elif kind is Load:
            load: Any = instruction
            if load.ordering is not _NOT_ATOMIC:
                found.append(load)
        elif kind is Store:
            store: Any = instruction
            if store.ordering is not _NOT_ATOMIC:
                found.append(store)
    found.reverse()
    return found


def soundness_of(instruction: Atomic) -> Hashable:
    """Return everything on which it depends whether there can be such an instruction: see `soundness`."""
    kind = type(instruction)
    if kind is AtomicRMW:
        rmw: Any = instruction
        return kind, rmw.type, rmw.operation, rmw.ordering
    if kind is Load:
        load: Any = instruction
        return kind, load.type, load.ordering
    if kind is Store:
        store: Any = instruction
        return kind, store._operands[0].type, store.ordering
    exchange: Any = instruction
    return kind, exchange._operands[1].type, exchange.success_ordering, exchange.failure_ordering


def shape_of(instruction: Atomic, has_conditions: bool) -> Hashable:  # noqa: FBT001 - of C
    """Return the shape of an atomic instruction, None if more than that decides what becomes of it.

    Of operands and metadata that are not constant, only the types and kinds count.

    Args:
        instruction: the instruction.
        has_conditions: whether the target has instructions for conditions and bits of the result: see `flags`.
    """
    users = instruction._uses
    if users and _are_decisive(type(instruction), users, has_conditions):
        return None
    shape: list[Any] = [
        instruction.type,
        instruction._location is not None,
        bool(users) or instruction._as_metadata is not None,
        tuple(instruction.metadata) if instruction._attachments else _NOTHING,
    ]
    _add_attributes(instruction, shape)
    variable: list[Any] = []
    for operand in instruction._operands:
        if isinstance(operand, Constant):
            shape.append(operand)
        elif isinstance(operand, Cast) or operand in variable:
            return None  # a cast of a cast may be folded
        else:
            variable.append(operand)
            shape.append(operand.type)
    return tuple(shape)


def _are_decisive(kind: type[Atomic], users: Any, has_conditions: bool) -> bool:  # noqa: FBT001 - of C
    """Return whether it matters what uses a result."""
    if kind is AtomicCmpXchg:
        return True  # a user may take one half of the result
    if not has_conditions or kind is not AtomicRMW or len(users) > 1:
        return False
    return not isinstance(users, list) or isinstance(users[0], (ICmp, BinaryOperator))


def _add_attributes(instruction: Atomic, shape: list[Any]) -> None:
    """Add what an instruction specifies beside its operands."""
    kind = type(instruction)
    shape.append(kind)
    if kind is AtomicRMW:
        rmw: Any = instruction
        shape += (rmw.operation, rmw.alignment, rmw.ordering, rmw.sync_scope, rmw.is_volatile)
    elif kind is AtomicCmpXchg:
        exchange: Any = instruction
        shape += (exchange.success_ordering, exchange.failure_ordering, exchange.is_weak)
        shape += (exchange.alignment, exchange.sync_scope, exchange.is_volatile)
    elif kind is Load:
        load: Any = instruction
        shape += (load.alignment, load.ordering, load.sync_scope, load.is_volatile)
    else:
        store: Any = instruction
        shape += (store.alignment, store.ordering, store.sync_scope, store.is_volatile)
