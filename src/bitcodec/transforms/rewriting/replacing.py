"""Selects the metadata of an instruction that holds for its replacement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.instructions import AtomicCmpXchg, AtomicRMW, Load, Select, Store
from bitcodec.ir.metadata import MDTuple
from bitcodec.ir.types import IntegerType, PointerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.transforms.rewriting.ranges import holds_zero, range_node
from bitcodec.transforms.rewriting.rules import About, Retyped, rule_of

if TYPE_CHECKING:
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type

__all__ = ["Taken", "taken_over"]

_ACCESSES = (Load, Store, AtomicRMW, AtomicCmpXchg)
_ANCHORS = ("callee", "pointer", "successors", "parent_pad")
"""Operands that must be equal for two operations to be the same; other operands may differ."""


class Taken(NamedTuple):
    """A node that holds for a new instruction, and its kind."""

    kind: str
    node: MDNode


def taken_over(old: Instruction, new: Instruction, module: Module, *, is_last: bool) -> dict[str, Taken]:
    """Return the nodes that hold for one replacement of an instruction, by the kind that they had there.

    Args:
        old: the instruction that is replaced.
        new: one of the instructions that replace it.
        module: their module.
        is_last: whether the new one takes over the uses.
    """
    if isinstance(old, Load) and isinstance(new, Load) and _loads_as_another_type(old, new, module):
        nodes = {kind: _retyped(kind, node, old, new, module) for kind, node in old.metadata.items()}
        return {kind: taken for kind, taken in nodes.items() if taken is not None}
    held = _held(old, new, module, is_last=is_last)
    return {kind: Taken(kind, node) for kind, node in old.metadata.items() if rule_of(kind).about in held}


def _held(old: Instruction, new: Instruction, module: Module, *, is_last: bool) -> set[About]:
    """Return the subjects of one instruction's metadata that are the same for another."""
    held = {About.INSTRUCTION}
    if isinstance(old, _ACCESSES) and isinstance(new, _ACCESSES) and old.pointer is new.pointer:
        held.add(About.MEMORY)
    if _is_same_operation(old, new, module):
        held |= {About.MEMORY, About.OPERATION}
    if new.opcode == old.opcode and new.type is old.type and is_last:
        held.add(About.RESULT)
    return held


def _is_same_operation(old: Instruction, new: Instruction, module: Module) -> bool:
    if old.opcode != new.opcode or old.type is not new.type:
        return False
    if isinstance(old, Select) and isinstance(new, Select):
        return old.condition is new.condition or old.operands[1:] == new.operands[1:]
    if (
        isinstance(old, Store)
        and isinstance(new, Store)
        and not _are_of_one_size(old.value.type, new.value.type, module)
    ):
        return False
    return all(getattr(old, name, None) == getattr(new, name, None) for name in _ANCHORS)


def _loads_as_another_type(old: Load, new: Load, module: Module) -> bool:
    return old.pointer is new.pointer and old.type is not new.type and _are_of_one_size(old.type, new.type, module)


def _are_of_one_size(old: Type, new: Type, module: Module) -> bool:
    return old is new or module.data_layout.layout(old)[:2] == module.data_layout.layout(new)[:2]


def _retyped(kind: str, node: MDNode, old: Load, new: Load, module: Module) -> Taken | None:
    """Return the node that holds for a load of another type of equal size from the same address."""
    is_pointer = isinstance(new.type, PointerType)
    match rule_of(kind).retyped:
        case Retyped.KEPT:
            return Taken(kind, node)
        case Retyped.KEPT_IF_POINTER | Retyped.NONNULL if is_pointer:
            return Taken(kind, node)
        case Retyped.NONNULL if isinstance(new.type, IntegerType) and isinstance(old.type, PointerType):
            return Taken("range", range_node(module.context, new.type, [(1, 0)]))
        case Retyped.RANGE if is_pointer and isinstance(old.type, IntegerType) and not holds_zero(node):
            return Taken("nonnull", module.context.metadata.unique(MDTuple()))
    return None
