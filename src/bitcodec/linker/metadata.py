"""Metadata of linked globals: the globals that it refers to, and nodes that change with them.

All modules share a context, so most nodes need no copies: only those that lead to a global that another one replaces.

Rules: linking reference, section 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeGuard

from bitcodec.ir.constants import ConstantWithOperands
from bitcodec.ir.construction import content_of, present_metadata
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.metadata import DIArgList, MDNode, ValueAsMetadata
from bitcodec.ir.moving import fill_node, wrap_nothing, wrapper_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from bitcodec.ir.attachments import Attachments
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.context import Context
    from bitcodec.ir.globals import GlobalObject
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import Metadata, NamedMetadata
    from bitcodec.ir.metadata_values import MetadataAsValue
    from bitcodec.ir.values import Value

__all__ = ["MetadataReferences", "NodesByValue"]

_WRAPPERS = (ValueAsMetadata, DIArgList)
"""Classes of metadata that contain values; most of what a node consists of is neither these nor nodes."""
_CONTAINERS = (*_WRAPPERS, tuple)


class NodesByValue:
    """The nodes of the destination that wrap constants, by what wraps these.

    Args:
        context: of the modules.
    """

    def __init__(self, context: Context) -> None:
        self._table = context.metadata
        self._nodes: dict[ValueAsMetadata, dict[MDNode, None]] = {}

    def add_all(self, nodes: Iterable[MDNode]) -> None:
        """Note what nodes wrap."""
        for node in nodes:
            for part in _parts(node):
                if isinstance(part, ValueAsMetadata) and _may_be_replaced(part.value):
                    self._nodes.setdefault(part, {})[node] = None

    def replace(self, old: Constant, new: Constant, visited: set[MDNode]) -> None:
        """Let nodes wrap another global.

        As in LLVM, a node that becomes equal to another one stays apart, as a distinct node.

        Args:
            old, new: the globals.
            visited: nodes of the source that are part of the destination by now.
        """
        wrapper = wrapper_of(old)
        nodes = self._nodes.pop(wrapper, ()) if wrapper is not None else ()
        for node in nodes:
            successor = self._table.value(new)
            content = _substituted(content_of(node), {wrapper: successor})
            fill_node(node, content)
            self.add_all([node])
            if not node.is_distinct:
                known = self._table.nodes(type(node))
                if known.get(content) in visited:
                    node.is_distinct = True
                else:
                    known[content] = node

    def set_apart(self, value: GlobalValue) -> None:
        """Make the nodes that wrap a global distinct, as LLVM does when it is erased."""
        wrapper = wrapper_of(value)
        for node in self._nodes.pop(wrapper, ()) if wrapper is not None else ():
            node.is_distinct = True


class MetadataReferences:
    """Follows metadata to the globals that it wraps.

    Args:
        follow: called with each constant that it wraps.
        nodes: the nodes of the destination by what they wrap; those of the source are added.
        wrapper_count: how many constants metadata wrapped before the source was read.
        context: of the modules.

    Attributes:
        visited: the nodes that were followed.
    """

    def __init__(
        self, follow: Callable[[Constant], None], nodes: NodesByValue, wrapper_count: int, context: Context
    ) -> None:
        self._follow = follow
        self._nodes = nodes
        self._table = context.metadata
        self._wrapper_count = wrapper_count
        self.visited: set[MDNode] = set()
        self._tainted: set[MDNode] = set()
        self._changing: list[MDNode] = []
        self._attached: list[tuple[Attachments | dict[str, MDNode], str, MDNode]] = []
        self._arguments: list[MetadataAsValue] = []

    @property
    def may_lead_to_globals(self) -> bool:
        """Whether any metadata that has been read wraps a global of the source, or a constant made of one."""
        return bool(self._table.wrapper_count > self._wrapper_count)

    def follow_attachments(self, value: GlobalObject) -> None:
        """Follow what is attached to a global."""
        attached = present_metadata(value)
        if attached is not None:
            self._follow_attached(attached)

    def follow_instruction(self, instruction: Instruction) -> None:
        """Follow what is attached to an instruction, its location and its debug records."""
        visited, location = self.visited, instruction.debug_location
        if location is not None and location not in visited:
            self.follow(location)
        if instruction.has_attachments:
            self._follow_attached(instruction.metadata)
        for record in instruction.debug_records:
            parts: tuple[Metadata | None, ...] = (record.location,)
            if isinstance(record, DbgVariableRecord):
                parts = record.value, record.variable, record.expression, record.assign_id, record.address, *parts
            for part in parts:
                if part is not None and part not in visited:
                    self.follow(part)

    def follow_argument(self, argument: MetadataAsValue) -> None:
        """Follow metadata that a call passes."""
        self.follow(argument.metadata)
        if argument.metadata in self._tainted:
            self._arguments.append(argument)

    def follow_named(self, named: NamedMetadata) -> None:
        """Follow nodes that have a name."""
        for node in named.operands:
            self.follow(node)

    def _follow_attached(self, attached: Attachments | dict[str, MDNode]) -> None:
        for kind, node in attached.items():
            self.follow(node)
            if node in self._tainted:
                self._attached.append((attached, kind, node))

    def follow(self, root: Metadata | None) -> None:
        """Follow metadata: uniqued nodes by depth first, distinct nodes afterwards, as in LLVM."""
        if not isinstance(root, MDNode):
            self._follow_wrapped(root)
            return
        if root in self.visited:
            return
        if self._leads_to_visited(root):
            self.visited.add(root)
            return
        distinct = [root]
        while distinct:
            node = distinct.pop()
            if node not in self.visited:
                self._follow_tree(node, distinct)

    def _leads_to_visited(self, node: MDNode) -> bool:
        """Return whether a node refers to nothing but nodes that were followed and stay; most locations are such."""
        visited, tainted = self.visited, self._tainted
        for part in content_of(node):
            if isinstance(part, MDNode):
                if part not in visited or part in tainted:
                    return False
            elif isinstance(part, _CONTAINERS):
                return False
        return True

    def _follow_tree(self, root: MDNode, distinct: list[MDNode]) -> None:
        self.visited.add(root)
        pending: list[tuple[MDNode, Iterator[Any]]] = [(root, _parts(root))]
        while pending:
            node, parts = pending[-1]
            inner = self._next_node(node, parts, distinct)
            if inner is not None:
                self.visited.add(inner)
                pending.append((inner, _parts(inner)))
                continue
            pending.pop()
            if node in self._tainted:
                self._changing.append(node)
                if pending and not node.is_distinct:
                    self._tainted.add(pending[-1][0])

    def _next_node(self, node: MDNode, parts: Iterator[Any], distinct: list[MDNode]) -> MDNode | None:
        """Follow parts of a node up to a uniqued node that was not visited; return that."""
        for part in parts:
            if isinstance(part, MDNode):
                if part in self.visited:
                    if part in self._tainted and not part.is_distinct:
                        self._tainted.add(node)
                elif part.is_distinct:
                    distinct.append(part)
                else:
                    return part
            elif isinstance(part, _WRAPPERS) and self._follow_wrapped(part) and not isinstance(part, DIArgList):
                self._tainted.add(node)
        return None

    def _follow_wrapped(self, part: object) -> bool:
        """Follow a wrapped constant; return whether there is one that may be replaced."""
        if isinstance(part, DIArgList):
            found = [self._follow_wrapped(argument) for argument in part.arguments]
            return any(found)
        value = part.value if isinstance(part, ValueAsMetadata) else None
        if not _may_be_replaced(value):
            return False
        self._follow(value)
        return True

    # Afterwards

    def forget(self, values: Sequence[GlobalValue]) -> None:
        """Let metadata wrap nothing where it wraps globals that are not linked."""
        wrap_nothing(values)

    def unite(self) -> dict[MDNode, MDNode]:
        """Give nodes that lead to globals these as they are now; nodes that become equal are one.

        Returns:
            The other node for each node that is not part of the destination.
        """
        successors: dict[MDNode, MDNode] = {}
        for node in self._changing:
            if not node.is_distinct:
                united = self._table.node(type(node), self._current(content_of(node), successors))
                if united is not node:
                    successors[node] = united
        for node in self._changing:
            if node.is_distinct:
                fill_node(node, self._current(content_of(node), successors))
        self._nodes.add_all([successors.get(node, node) for node in self._changing])
        for attached, kind, node in self._attached:
            if node in successors:
                _replace_attached(attached, kind, node, successors[node])
        for argument in self._arguments:
            if argument.metadata in successors:
                argument.metadata = successors[argument.metadata]
        return successors

    def _current(self, content: tuple[Any, ...], successors: dict[MDNode, MDNode]) -> tuple[Any, ...]:
        return tuple([self._current_part(part, successors) for part in content])

    def _current_part(self, part: Any, successors: dict[MDNode, MDNode]) -> Any:
        if isinstance(part, tuple):
            return self._current(part, successors)
        if isinstance(part, MDNode):
            return successors.get(part, part)
        if isinstance(part, ValueAsMetadata):
            return None if part.value is None else self._table.value(part.value)
        return part


def _may_be_replaced(value: Value | None) -> TypeGuard[Constant]:
    return isinstance(value, GlobalValue | ConstantWithOperands)


def _parts(node: MDNode) -> Iterator[Any]:
    """Return what a node refers to, tuples of a field one by one."""
    content = content_of(node)
    return _one_by_one(content) if tuple in map(type, content) else iter(content)


def _one_by_one(content: tuple[Any, ...]) -> Iterator[Any]:
    for part in content:
        if isinstance(part, tuple):
            yield from part
        else:
            yield part


def _substituted(content: tuple[Any, ...], replaced: dict[Any, Any]) -> tuple[Any, ...]:
    return tuple(
        [
            _substituted(part, replaced)
            if isinstance(part, tuple)
            else replaced.get(part, part)
            if isinstance(part, ValueAsMetadata)
            else part
            for part in content
        ]
    )


def _replace_attached(attached: Attachments | dict[str, MDNode], kind: str, old: MDNode, new: MDNode) -> None:
    if isinstance(attached, dict):
        attached[kind] = new
    else:
        attached.assign([(each, new if node is old else node) for each, node in attached.items()])
