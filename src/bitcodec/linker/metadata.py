# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Metadata of linked globals: the globals that it refers to, and nodes that change with them.

All modules share a context, so few nodes need copies: nodes that lead to a global that another one replaces.

Rules: docs/reference/linking.md, 9.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.construction import present
from bitcodec.ir.construction.replacing import erase_wrapper
from bitcodec.ir.construction.setting import fill_node
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.metadata import DIArgList, LocalAsMetadata, MDNode, ValueAsMetadata, content_of, may_be_replaced
from bitcodec.object_numbers import ObjectNumbers

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from bitcodec.ir.attachments import Attachments
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.context import Context
    from bitcodec.ir.globals import GlobalObject, GlobalValue
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.metadata import Metadata, NamedMetadata
    from bitcodec.ir.metadata_values import MetadataAsValue

__all__ = ["MetadataReferences", "NodesByValue"]


class NodesByValue:
    """The nodes of the destination that wrap constants, by the wrappers of these.

    Args:
        context: of the modules.
    """

    def __init__(self, context: Context) -> None:
        self._table = context.metadata
        self._nodes: dict[ValueAsMetadata, dict[MDNode, None]] = {}

    def add_all(self, nodes: Iterable[MDNode]) -> None:
        """Add the constants that nodes wrap."""
        for node in nodes:
            for part in _parts(node):
                if isinstance(part, ValueAsMetadata) and may_be_replaced(part.value):
                    self._nodes.setdefault(part, {})[node] = None

    def replace(self, old: Constant, new: Constant, visited: Container[MDNode]) -> None:
        """Let nodes wrap another global.

        As in LLVM, a node that becomes equal to another one stays apart, as a distinct node.

        Args:
            old, new: the globals.
            visited: nodes of the source that are part of the destination by now.
        """
        wrapper = present.present_wrapper(old)
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
        wrapper = present.present_wrapper(value)
        for node in self._nodes.pop(wrapper, ()) if wrapper is not None else ():
            node.is_distinct = True


class MetadataReferences:
    """Follows metadata to the globals that it wraps.

    Args:
        follow: called with each constant that it wraps.
        current: returns the destination's counterpart of a constant when everything has been followed.
        nodes: the nodes of the destination by the values that they wrap; nodes of the source are added.
        wrapper_count: how many constants metadata wrapped before the source was read.
        context: of the modules.

    Attributes:
        visited: the nodes that were followed.
    """

    __slots__ = (
        "_arguments",
        "_attached",
        "_changing",
        "_current_constant",
        "_follow",
        "_nodes",
        "_records",
        "_table",
        "_tainted",
        "_wrapper_count",
        "visited",
    )

    def __init__(
        self,
        follow: Callable[[Constant], None],
        current: Callable[[Constant], Constant],
        nodes: NodesByValue,
        wrapper_count: int,
        context: Context,
    ) -> None:
        self._follow = follow
        self._current_constant = current
        self._nodes = nodes
        self._table = context.metadata
        self._wrapper_count = wrapper_count
        self.visited = ObjectNumbers()
        self._tainted = ObjectNumbers()
        self._changing: list[MDNode] = []
        self._attached: list[tuple[Attachments | dict[str, MDNode], str, MDNode]] = []
        self._arguments: list[MetadataAsValue] = []
        self._records: list[DbgVariableRecord] = []

    @property
    def may_lead_to_globals(self) -> bool:
        """Whether any metadata that has been read wraps a constant of the source that linking may replace."""
        return bool(self._table.wrapper_count > self._wrapper_count)

    def follow_attachments(self, value: GlobalObject) -> None:
        """Follow the attachments of a global."""
        attached = present.present_metadata(value)
        if attached is not None:
            self._follow_attached(attached)

    def follow_instruction(self, instruction: Instruction) -> None:
        """Follow the attachments of an instruction, its location and its debug records."""
        location = present.present_location(instruction)
        if location is not None and not self.visited.has(location):
            self.follow(instruction.debug_location)
        if present.has_attachments(instruction):
            self._follow_attached(instruction.metadata)
        if present.has_debug_records(instruction):
            for record in instruction.debug_records:
                if isinstance(record, DbgVariableRecord):
                    self._follow_variable(record)
                self._follow_new(record.location)

    def _follow_variable(self, record: DbgVariableRecord) -> None:
        value = present.present_value(record)
        may_change = False
        # Most wrap an instruction or an argument, which belongs to the function.
        if type(value) is not LocalAsMetadata:
            may_change = self._follow_value(record.value)
        self._follow_new(record.variable)
        self._follow_new(record.expression)
        if record.assign_id is not None:
            self._follow_new(record.assign_id)
        if present.present_address(record) is not None and self._follow_value(record.address):
            may_change = True
        if may_change:
            self._records.append(record)

    def _follow_value(self, part: Metadata | None) -> bool:
        """Follow the value of a debug record; return whether that is a constant which may be replaced."""
        if isinstance(part, MDNode):
            self._follow_new(part)
            return False
        return self._follow_wrapped(part)

    def _follow_new(self, part: Metadata | None) -> None:
        if not self.visited.has(part):
            self.follow(part)

    def follow_argument(self, argument: MetadataAsValue) -> None:
        """Follow metadata that a call passes."""
        metadata = argument.metadata
        if not isinstance(metadata, MDNode):
            may_change = self._follow_wrapped(metadata)
        else:
            self.follow(metadata)
            may_change = self._tainted.has(metadata)
        if may_change:
            self._arguments.append(argument)

    def follow_named(self, named: NamedMetadata) -> None:
        """Follow nodes that have a name."""
        for node in named.operands:
            self.follow(node)

    def _follow_attached(self, attached: Attachments | dict[str, MDNode]) -> None:
        for kind, node in attached.items():
            self.follow(node)
            if self._tainted.has(node):
                self._attached.append((attached, kind, node))

    def follow_parts(
        self,
        found: list[int],
        place: int,
        parts: dict[int, Metadata],
        is_needed: bool,  # noqa: FBT001 - C passes no keywords
    ) -> tuple[int, bool]:
        """Follow the metadata that a body names from a place on.

        Args:
            found: pairs of a reference to a value or metadata, and its number.
            place: of the first pair.
            parts: metadata by its number; numbers of other entities are absent.
            is_needed: whether any metadata may lead to globals.

        Returns:
            The place behind the last pair that is metadata, and whether no other node may take the place of one.
        """
        is_same, kind = True, found[place]
        while place < len(found) and found[place] == kind:
            if is_needed:
                part = parts.get(found[place + 1])
                if part is not None:
                    self._follow_new(part)
                    if isinstance(part, MDNode):
                        is_same &= part.is_distinct or not self._tainted.has(part)
                    elif self._current_value(part) is not part:
                        is_same = False
            place += 2
        return place, is_same

    def follow(self, root: Metadata | None) -> None:
        """Follow metadata: uniqued nodes by depth first, distinct nodes afterwards, as in LLVM."""
        if not isinstance(root, MDNode):
            self._follow_wrapped(root)
            return
        if self.visited.has(root):
            return
        if self._leads_to_visited(root):
            self.visited.put(root, 0)
            return
        distinct = [root]
        while distinct:
            node = distinct.pop()
            if not self.visited.has(node):
                self._follow_tree(node, distinct)

    def _leads_to_visited(self, node: MDNode) -> bool:
        """Return whether a node refers to nothing but nodes that were followed and stay; most locations are such."""
        for part in content_of(node):
            if isinstance(part, MDNode):
                if not self.visited.has(part) or self._tainted.has(part):
                    return False
            elif isinstance(part, ValueAsMetadata | DIArgList | tuple):
                return False
        return True

    def _follow_tree(self, root: MDNode, distinct: list[MDNode]) -> None:
        """Follow a node and the uniqued ones that it leads to; add distinct ones to a list."""
        pending: list[tuple[MDNode, tuple[Any, ...], int]] = []
        self.visited.put(root, 0)
        node, parts, place = root, _parts(root), 0
        while True:
            place = self._follow_parts(node, parts, place, distinct)
            if place < len(parts):
                pending.append((node, parts, place + 1))
                node = parts[place]
                self.visited.put(node, 0)
                parts, place = _parts(node), 0
                continue
            is_tainted = self._tainted.has(node)
            if is_tainted:
                self._changing.append(node)
            if not pending:
                return
            is_tainted = is_tainted and not node.is_distinct
            node, parts, place = pending.pop()
            if is_tainted:
                self._tainted.put(node, 0)

    def _follow_parts(self, node: MDNode, parts: tuple[Any, ...], place: int, distinct: list[MDNode]) -> int:
        """Follow parts of a node from a place on; return the place of a uniqued node that is new, or the end."""
        while place < len(parts):
            part = parts[place]
            if isinstance(part, MDNode):
                if self.visited.has(part):
                    if self._tainted.has(part) and not part.is_distinct:
                        self._tainted.put(node, 0)
                elif part.is_distinct:
                    distinct.append(part)
                else:
                    return place
            elif self._follow_wrapped(part) and isinstance(part, ValueAsMetadata):
                self._tainted.put(node, 0)
            place += 1
        return place

    def _follow_wrapped(self, part: object) -> bool:
        """Follow a wrapped constant; return whether there is one that may be replaced."""
        if isinstance(part, DIArgList):
            found = [self._follow_wrapped(argument) for argument in part.arguments]
            return any(found)
        if not isinstance(part, ValueAsMetadata):
            return False
        value: Any = part.value
        if not may_be_replaced(value):
            return False
        self._follow(value)
        return True

    # Afterwards

    def forget(self, values: Sequence[GlobalValue]) -> None:
        """Remove globals that are not linked from the metadata that wraps them."""
        for value in values:
            erase_wrapper(value)

    def unite(self) -> dict[MDNode, MDNode]:
        """Give nodes that lead to globals these in their current form; nodes that become equal are one.

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
            metadata: Any = argument.metadata
            argument.metadata = successors.get(metadata) or self._current_value(metadata)
        for record in self._records:
            record.value = self._current_value(record.value)
            record.address = self._current_value(record.address)
        return successors

    def _current(self, content: tuple[Any, ...], successors: dict[MDNode, MDNode]) -> tuple[Any, ...]:
        return tuple([self._current_part(part, successors) for part in content])

    def _current_part(self, part: Any, successors: dict[MDNode, MDNode]) -> Any:
        if isinstance(part, tuple):
            return self._current(part, successors)
        if isinstance(part, MDNode):
            return successors.get(part, part)
        return None if isinstance(part, ValueAsMetadata) and part.value is None else self._current_value(part)

    def _current_value(self, part: Any) -> Any:
        """Return metadata that wraps the destination's constants in place of some metadata that wraps values."""
        if isinstance(part, DIArgList):
            arguments = tuple([self._current_value(argument) for argument in part.arguments])
            return part if arguments == part.arguments else DIArgList(arguments)
        if not isinstance(part, ValueAsMetadata) or not may_be_replaced(part.value):
            return part
        value: Any = part.value
        return self._table.value(self._current_constant(value))


def _parts(node: MDNode) -> tuple[Any, ...]:
    """Return the metadata and values that a node refers to, tuples of a field one by one."""
    content = content_of(node)
    for part in content:
        if type(part) is tuple:
            return _one_by_one(content)
    return content


def _one_by_one(content: tuple[Any, ...]) -> tuple[Any, ...]:
    parts: list[Any] = []
    for part in content:
        if isinstance(part, tuple):
            parts += part
        else:
            parts.append(part)
    return tuple(parts)


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
