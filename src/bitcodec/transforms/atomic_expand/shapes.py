# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""The shapes of atomic instructions: everything on which their expansion depends.

Instructions of one shape in functions that are alike become the same instructions, with other operands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import Constant
from bitcodec.ir.construction import present
from bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, ICmp
from bitcodec.ir.instructions.memory import AtomicCmpXchg, AtomicRMW, Load, Store
from bitcodec.ir.instructions.vectors import ExtractValue
from bitcodec.tables.opcodes import AtomicOrdering

if TYPE_CHECKING:
    from collections.abc import Hashable

    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.transforms.atomic_expand.access import Atomic

__all__ = ["atomics_of", "is_first", "shape_of", "soundness_of"]

_NOT_ATOMIC = AtomicOrdering.NOT_ATOMIC
_NOTHING = ()


def atomics_of(block: BasicBlock) -> list[Atomic]:
    """Return the atomic instructions of a block, the last first."""
    found: list[Any] = []
    for instruction in present.present_instructions(block):
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
        return kind, present.operands_of(store)[0].type, store.ordering
    exchange: Any = instruction
    return kind, present.operands_of(exchange)[1].type, exchange.success_ordering, exchange.failure_ordering


def shape_of(instruction: Atomic, has_conditions: bool) -> Hashable:  # noqa: FBT001 - of C
    """Return the shape of an atomic instruction, None if its expansion depends on more than that.

    Of operands and metadata that are not constant, only the types and kinds count.  Of a cast, which may be folded with
    another, the type of the cast's operand counts, too.

    Args:
        instruction: the instruction.
        has_conditions: whether the target has instructions for conditions and bits of the result: see `flags`.
    """
    users = present.present_uses(instruction)
    if users and _are_decisive(type(instruction), users, has_conditions):
        return None
    shape: list[Any] = [
        instruction.type,
        present.present_location(instruction) is not None,
        bool(users) or present.present_wrapper(instruction) is not None,
        tuple(instruction.metadata) if present.has_attachments(instruction) else _NOTHING,
        is_first(instruction),
    ]
    _add_attributes(instruction, shape)
    if users and type(instruction) is AtomicCmpXchg:
        halves = _halves(instruction)
        if halves is None:
            return None
        shape += halves
    return tuple(shape) if _add_operands(instruction, shape) else None


def _are_decisive(kind: type[Atomic], users: Any, has_conditions: bool) -> bool:  # noqa: FBT001 - of C
    """Return whether the expansion depends on users of the result other than the halves of a `cmpxchg`'s."""
    if not has_conditions or kind is not AtomicRMW or len(users) > 1:
        return False
    return not isinstance(users, list) or isinstance(users[0], (ICmp, BinaryOperator))


def is_first(instruction: Any) -> bool:
    """Return whether it begins its function: values at the start of that are then mixed with its replacement."""
    block = instruction.parent
    entry = present.present_blocks(block.parent)[0]
    return block is entry and present.first_instruction(entry) is instruction


def _halves(exchange: Any) -> list[Any] | None:
    """Return the half that each user of a `cmpxchg` takes, and whether that is used; None for other users.

    Only users that follow it directly are found, in any order: this needs no search.
    """
    users: Any = present.present_uses(exchange)
    if not isinstance(users, list) or present.present_wrapper(exchange) is not None:
        return None
    following: Any = exchange
    for _ in users:
        following = present.neighbours(following)[1]
        if type(following) is not ExtractValue or present.operands_of(following)[0] is not exchange:
            return None
        if present.has_debug_records(following):
            return None
    halves: list[Any] = []
    for user in users:
        halves += (user.indices, bool(present.present_uses(user)) or present.present_wrapper(user) is not None)
    return halves


def _add_operands(instruction: Atomic, shape: list[Any]) -> bool:
    """Add the properties of operands; return whether these are all: no operand occurs twice, or is cast twice."""
    variable: list[Any] = []
    for operand in present.operands_of(instruction):
        if isinstance(operand, Constant):
            shape.append(operand)
            continue
        if operand in variable:
            return False
        variable.append(operand)
        shape.append(operand.type)
        if isinstance(operand, Cast):
            cast: Any = operand
            source = present.operands_of(cast)[0]
            if isinstance(source, (Cast, Constant)) or source in variable:
                return False
            variable.append(source)
            shape += (cast.opcode, source.type)
    return True


def _add_attributes(instruction: Atomic, shape: list[Any]) -> None:
    """Add the properties of an instruction other than its operands."""
    kind = type(instruction)
    shape.append(kind)
    if kind is AtomicRMW:
        rmw: Any = instruction
        shape += (rmw.operation, rmw.alignment, rmw.ordering, rmw.sync_scope, rmw.flags)
    elif kind is AtomicCmpXchg:
        exchange: Any = instruction
        shape += (exchange.success_ordering, exchange.failure_ordering)
        shape += (exchange.alignment, exchange.sync_scope, exchange.flags)
    elif kind is Load:
        load: Any = instruction
        shape += (load.alignment, load.ordering, load.sync_scope, load.flags)
    else:
        store: Any = instruction
        shape += (store.alignment, store.ordering, store.sync_scope, store.flags)
