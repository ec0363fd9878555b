"""Loop metadata without the places in the source that it gives.  Rules: `stripDebugInfo` of LLVM 22.

`!llvm.loop` is a distinct node that refers to itself first, then to properties; two of these may be locations, and
properties that are for loops made of this one hold further such lists.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from bitcodec.ir.debug_info import DILocation
from bitcodec.ir.metadata import MDNode, MDTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.metadata import Metadata, MetadataTable

__all__ = ["LocationStripper"]


class LocationStripper(dict[MDNode, MDNode | None]):
    """Replacement of each loop's node without locations: itself if it has none, None if nothing else is left.

    Args:
        table: the table of the nodes.
    """

    def __init__(self, table: MetadataTable) -> None:
        super().__init__()
        self._table = table

    def __missing__(self, loop: MDNode) -> MDNode | None:
        stripped = self[loop] = _LoopNodes(loop).stripped(self._table)
        return stripped


class _LoopNodes:
    """The tuples and locations reachable from a node.

    order: the tuples, each behind the ones that it refers to, unless they form a cycle.
        leading: the tuples from which a location is reachable.
        vanishing: locations, and tuples of `leading` that contain nothing else.
        vanishing: locations, and tuples of `leading` that contain nothing else.
    """

    def __init__(self, root: MDNode) -> None:
        self.root = root
        self.order: list[MDTuple] = []
        self._users: defaultdict[MDNode, list[MDTuple]] = defaultdict(list)
        locations: dict[MDNode, None] = {}
        for node in _behind_operands(root):
            if isinstance(node, MDTuple):
                self.order.append(node)
                for operand in _others(node):
                    if isinstance(operand, MDNode):
                        self._users[operand].append(node)
            elif isinstance(node, DILocation):
                locations[node] = None
        self.leading = self._leading_to(locations)
        self.vanishing = self._vanishing_with(locations)

    def stripped(self, table: MetadataTable) -> MDNode | None:
        """Return the root without locations, None if nothing is left."""
        if self.root not in self.leading:
            return self.root
        if self.root in self.vanishing:
            return None
        made: dict[Metadata, MDTuple] = {}
        for node in self.order:
            if node in self.leading and node not in self.vanishing:
                operands = [self._copied(operand, made) for operand in node if operand not in self.vanishing]
                if node in made:  # something in front refers to it: itself, most likely
                    made[node].set_operands(operands)
                else:
                    made[node] = table.unique(MDTuple(operands, is_distinct=node.is_distinct))
        return made[self.root]

    def _copied(self, operand: Metadata | None, made: dict[Metadata, MDTuple]) -> Metadata | None:
        if operand is None or operand not in self.leading:
            return operand
        if operand not in made:
            made[operand] = MDTuple(is_distinct=True)
        return made[operand]

    def _leading_to(self, nodes: Iterable[MDNode]) -> set[Metadata]:
        found: set[Metadata] = set()
        pending = list(nodes)
        while pending:
            for user in self._users[pending.pop()]:
                if user not in found:
                    found.add(user)
                    pending.append(user)
        return found

    def _vanishing_with(self, nodes: Iterable[MDNode]) -> set[Metadata | None]:
        left = {node: len(list(_others(node))) for node in self.order}
        pending = list(nodes)
        found: set[Metadata | None] = set(pending)
        while pending:
            for user in self._users[pending.pop()]:
                left[user] -= 1
                if not left[user]:
                    found.add(user)
                    pending.append(user)
        return found


def _others(node: MDTuple) -> Iterator[Metadata | None]:
    """Yield the operands of a node except the node itself."""
    return (operand for operand in node if operand is not node)


def _behind_operands(root: MDNode) -> Iterator[MDNode]:
    """Yield the nodes that one leads to through tuples, each behind its operands, itself last."""
    seen: set[Metadata | None] = {root}
    pending: list[tuple[MDNode, Iterator[Metadata | None]]] = [(root, _operands(root))]
    while pending:
        node, operands = pending[-1]
        following = next((one for one in operands if isinstance(one, MDNode) and one not in seen), None)
        if following is None:
            pending.pop()
            yield node
        else:
            seen.add(following)
            pending.append((following, _operands(following)))


def _operands(node: MDNode) -> Iterator[Metadata | None]:
    return iter(node.operands if isinstance(node, MDTuple) else ())
