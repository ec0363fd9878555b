"""Upgrades flags of older LLVM, and reports that.  Rules: docs/reference/flags.md, 6 and 8.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.metadata import MDTuple, NamedMetadata
from bitcodec.ir.module_flags import MODULE_FLAGS, ModuleFlag, read_flag
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.module_flags import Behavior
from bitcodec.upgrade.module_flags import upgrade_module_flags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import MDNode

__all__ = ["Upgrade", "upgraded", "upgraded_requirement"]


class Upgrade(NamedTuple):
    """A flag that was upgraded.

    Attributes:
        module: name of its module.
        before: the original flag, None if it was added.
        after: the upgraded flag.
    """

    module: str
    before: ModuleFlag | None
    after: ModuleFlag


def upgraded(
    nodes: Sequence[MDNode], context: Context, module: str, *, in_requirements: bool = False
) -> tuple[list[MDNode], list[Upgrade]]:
    """Return a list of flags as LLVM 22 reads it, and the upgraded ones.

    Args:
        nodes: the list.
        context: theirs.
        module: name of the module.
        in_requirements: whether the required value of a flag is upgraded as the flag is; LLVM leaves it alone, so that
            requirements that held before may fail.
    """
    after = _upgrade(nodes, context)
    if in_requirements:
        after = [_with_requirement_upgraded(node, context) for node in after]
    pairs = zip([*nodes, *[None] * (len(after) - len(nodes))], after, strict=True)
    flags = [(None if old is None else read_flag(old), read_flag(new)) for old, new in pairs if old is not new]
    upgrades = [
        Upgrade(module, old if isinstance(old, ModuleFlag) else None, new)
        for old, new in flags
        if isinstance(new, ModuleFlag)
    ]
    return after, upgrades


def upgraded_requirement(pair: MDTuple, context: Context) -> MDTuple:
    """Return the requirement of a flag in upgraded form."""
    key, value = pair
    number = context.constants.integer(context.types.integer(32), Behavior.ERROR)
    flag = context.metadata.tuple([context.metadata.value(number), key, value])
    _, *today = _upgrade([flag], context)[0].operands
    return context.metadata.node(MDTuple, tuple(today))


def _upgrade(nodes: Sequence[MDNode], context: Context) -> list[MDNode]:
    named = NamedMetadata(MODULE_FLAGS, nodes)
    upgrade_module_flags({MODULE_FLAGS: named}, context)
    return named.operands


def _with_requirement_upgraded(node: MDNode, context: Context) -> MDNode:
    flag = read_flag(node)
    if isinstance(flag, str) or flag.requirement is None or not isinstance(flag.value, MDTuple):
        return node
    pair = upgraded_requirement(flag.value, context)
    behavior, key, value = flag.node
    return node if pair is value else context.metadata.tuple([behavior, key, pair])
