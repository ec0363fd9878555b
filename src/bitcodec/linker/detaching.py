"""Metadata of variables that lost with their comdats and are declared in the destination.

LLVM attaches the nodes of the source itself to such a declaration.  When the source is gone, their references to its
globals are null, and each node that had one is distinct.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import ConstantWithOperands
from bitcodec.ir.construction.setting import fill_node
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.metadata import MDNode, ValueAsMetadata, content_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.ir.metadata import MetadataTable

__all__ = ["Detacher"]


class Detacher:
    """Copies uniqued nodes that lead to globals, without the globals.

    Args:
        table: the metadata of the context of the nodes.
    """

    def __init__(self, table: MetadataTable) -> None:
        self._table = table
        self._made: dict[MDNode, MDNode] = {}

    def detached(self, root: MDNode) -> MDNode:
        """Return a node without references to globals: itself if it leads to none."""
        entered: set[MDNode] = set()
        pending = [root]
        while pending:
            node = pending.pop()
            if node in self._made:
                continue
            if node in entered or node.is_distinct:
                self._made[node] = node if node.is_distinct else self._copy(node)
            else:
                entered.add(node)
                inner = [part for part in _parts(content_of(node)) if isinstance(part, MDNode)]
                pending += [node, *[part for part in inner if part not in entered]]
        return self._made[root]

    def _copy(self, node: MDNode) -> MDNode:
        content = content_of(node)
        changed = tuple([self._changed(part) for part in content])
        if changed == content:
            return node
        if not any(map(_wraps_global, _parts(content))):
            return self._table.node(type(node), changed)
        made = type(node).__new__(type(node))
        made.is_distinct = True
        fill_node(made, changed)
        return made

    def _changed(self, part: Any) -> Any:
        if isinstance(part, tuple):
            return tuple([self._changed(each) for each in part])
        if isinstance(part, MDNode):
            return self._made.get(part, part)
        return None if _wraps_global(part) else part


def _parts(content: tuple[Any, ...]) -> Iterator[Any]:
    for part in content:
        if isinstance(part, tuple):
            yield from part
        else:
            yield part


def _wraps_global(part: object) -> bool:
    return isinstance(part, ValueAsMetadata) and isinstance(part.value, GlobalValue | ConstantWithOperands)
