# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
# ruff: noqa: SLF001
"""The metadata nodes of a text until they are created, and references to them.

Text refers to nodes that come later.  A node is a `ParsedNode` until the whole text has been read; then all nodes
are created, uniqued ones after their operands, because these are part of their identity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from bitcodec.ir.debug_info import DICompositeType
from bitcodec.ir.metadata import Metadata, ValueAsMetadata
from bitcodec.ir.shared_members import MEMBER_KEYS

if TYPE_CHECKING:
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.globals import GlobalObject
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.metadata import DIArgList, MDNode, MetadataTable
    from bitcodec.ir.metadata_values import MetadataAsValue

__all__ = ["MetadataState", "ParsedNode", "Reference"]


class ParsedNode:
    """A node of the text.

    Attributes:
        kind: its class; None while it has not been defined.
        content: its content, in the order of its class, with references to other nodes.
        is_distinct: whether it differs from all others.
        position: the position of its first use.
        node: the node, once it has been made.
    """

    __slots__ = ("content", "is_distinct", "kind", "node", "position", "state")

    def __init__(self, position: int) -> None:
        self.kind: type[MDNode] | None = None
        self.content: tuple[Any, ...] = ()
        self.is_distinct = False
        self.position = position
        self.node: MDNode | None = None
        self.state = 0

    def define(self, kind: type[MDNode], content: tuple[Any, ...], is_distinct: bool = False) -> None:
        """Give it a class and content."""
        self.kind = kind
        self.content = content
        self.is_distinct = is_distinct


Reference: TypeAlias = ParsedNode | Metadata
"""A node of the text, or metadata that is complete."""

_IDENTIFIER = DICompositeType.__match_args__.index("identifier")
_UNSEEN, _ENTERED, _DONE = range(3)


class MetadataState:
    """The metadata of the text, and references to it.

    Attributes:
        table: makes metadata.
        numbered: nodes by number.
        locations, attachments, values, globals, records: entities that get nodes when these have been created.
        has_debug_records, has_debug_intrinsics: whether the text has them; it cannot have both.
        kinds: the names of attached metadata, in the order of their first use.
        composites: the composite types, in the order of the text.
        argument_lists: one list for each content, as LLVM has them.
    """

    def __init__(self, table: MetadataTable) -> None:
        self.table = table
        self.numbered: dict[int, ParsedNode] = {}
        self.named: dict[str, list[Reference]] = {}
        self.locations: list[tuple[Instruction, Reference]] = []
        self.attachments: list[tuple[Instruction, str, Reference]] = []
        self.values: list[tuple[MetadataAsValue, Reference]] = []
        self.globals: list[tuple[GlobalObject, str, Reference]] = []
        self.records: list[tuple[DebugRecord, Reference, list[Reference]]] = []
        self.has_debug_records = False
        self.has_debug_intrinsics = False
        self.kinds: dict[str, None] = {}
        self.composites: list[ParsedNode] = []
        self.argument_lists: dict[tuple[ValueAsMetadata, ...], DIArgList] = {}
        self._tuples: list[ParsedNode] = []
        self._tuples_by_content: dict[tuple[int, ...], list[ParsedNode]] = {}
        self._indexed_count = 0
        self._twins: dict[ParsedNode, list[ParsedNode]] = {}
        self._types: set[MDNode | None] = set()
        self._members: dict[tuple[Any, Any], MDNode] = {}

    def reference(self, number: int, position: int) -> ParsedNode:
        """Return the node of a number."""
        found = self.numbered.get(number)
        if found is None:
            found = self.numbered[number] = ParsedNode(position)
        return found

    def nodes(self) -> dict[int, MDNode]:
        """Return the nodes that have been made, by number."""
        return {number: self.resolved(reference) for number, reference in sorted(self.numbered.items())}

    def note_tuple(self, reference: ParsedNode) -> None:
        """Note a numbered tuple that is not distinct, and has just been defined.

        If it refers to itself, tuples before it with the same content are the same node: LLVM makes them unique
        before it knows that this one is distinct.
        """
        self._tuples.append(reference)
        for part in reference.content:
            if part is reference:
                self._note_twins(reference)
                break

    def _note_twins(self, reference: ParsedNode) -> None:
        index = self._tuples_by_content
        for known in self._tuples[self._indexed_count :]:
            index.setdefault(_identities(known.content), []).append(known)
        self._indexed_count = len(self._tuples)
        twins = [known for known in index[_identities(reference.content)] if known is not reference]
        if twins:
            self._twins[reference] = twins

    # Making

    def resolved(self, reference: Any) -> Any:
        """Return the metadata that a reference is to; anything else is itself."""
        if not isinstance(reference, ParsedNode):
            return reference
        known = reference
        if known.node is None:
            self._make([known], [])
        return known.node

    def fill(self, references: list[ParsedNode]) -> None:
        """Give distinct nodes that have been begun their content."""
        self._make([], list(references))

    def _make(self, pending: list[ParsedNode], distinct: list[ParsedNode]) -> None:
        """Make nodes, and everything that they refer to; `distinct` are those that lack only their content."""
        while pending or distinct:
            if not pending:
                self._fill(distinct.pop(), pending, distinct)
                continue
            reference = pending[-1]
            if reference.node is not None and reference.state != _ENTERED:
                pending.pop()
            elif reference.is_distinct:
                pending.pop()
                self.begin(reference)
                distinct.append(reference)
            elif reference.state == _UNSEEN:
                reference.state = _ENTERED
                self._enter_parts(reference, pending)
            else:
                pending.pop()
                self._finish(reference)

    def begin(self, reference: ParsedNode) -> None:
        """Make a node without its content."""
        assert reference.kind is not None  # noqa: S101 - all nodes are defined before any is made
        kind: Any = reference.kind
        node = reference.node = kind.__new__(kind)
        node.is_distinct = reference.is_distinct
        self._note_type(reference)

    def adopt(self, reference: ParsedNode, node: MDNode) -> None:
        """Replace a node of the text by a node of the context."""
        reference.node = node
        self._note_type(reference)

    def _enter_parts(self, reference: ParsedNode, pending: list[ParsedNode]) -> None:
        """Push the parts that must be created first; one that is being created already is a circle."""
        for part in _references(reference.content):
            if part.node is None:
                if part.state == _ENTERED:
                    self.begin(part)
                else:
                    pending.append(part)

    def _finish(self, reference: ParsedNode) -> None:
        reference.state = _DONE
        content = self._resolved_content(reference.content)
        if reference.node is None:
            reference.node = self._unique(reference, content)
            self._note_type(reference)
        else:
            self._close_circle(reference.node, content)
            if self._twins:
                self._merge_twins(reference)

    def _merge_twins(self, reference: ParsedNode) -> None:
        for twin in self._twins.get(reference, ()):
            if twin.node is None:
                twin.node = reference.node
                twin.state = _DONE

    def _unique(self, reference: ParsedNode, content: tuple[Any, ...]) -> MDNode:
        """Return the node of a content; a member of a type with an identifier is the first of its name.

        Rules: docs/reference/linking.md, 9.
        """
        assert reference.kind is not None  # noqa: S101 - all nodes are defined before any is made
        key_of = MEMBER_KEYS.get(reference.kind)
        member = None if key_of is None else key_of(content)
        if member is None or member[0] not in self._types:
            return self.table.node(reference.kind, content)
        found = self._members.get(member)
        if found is None:
            found = self._members[member] = self.table.node(reference.kind, content)
        return found

    def _note_type(self, reference: ParsedNode) -> None:
        """Remember a node that is a type with an identifier."""
        if reference.kind is DICompositeType and reference.content[_IDENTIFIER]:
            self._types.add(reference.node)

    def _close_circle(self, node: Any, content: tuple[Any, ...]) -> None:
        """Give a node, which is part of a circle, its content."""
        node.is_distinct = any(part is node for part in _flat(content))
        node._fill(content)
        if not node.is_distinct:
            self.table.known(node, content)

    def _fill(self, reference: ParsedNode, pending: list[ParsedNode], distinct: list[ParsedNode]) -> None:
        """Give a distinct node its content, if all parts have been created; otherwise create them first."""
        missing = [part for part in _references(reference.content) if part.node is None]
        if missing:
            distinct.append(reference)
            pending += missing
            return
        reference.state = _DONE
        node: Any = reference.node
        node._fill(self._resolved_content(reference.content))

    def _resolved_content(self, content: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple([self._part(part) for part in content])

    def _part(self, part: Any) -> Any:
        if isinstance(part, ParsedNode):
            known = part
            return known.node
        if isinstance(part, ValueAsMetadata) and part.value is not None:
            return self.table.value(part.value)  # one for each value, of those that stood for it too
        return self._resolved_content(part) if type(part) is tuple else part


def _identities(content: tuple[Any, ...]) -> tuple[int, ...]:
    return tuple([id(part) for part in content])


def _references(content: tuple[Any, ...]) -> list[ParsedNode]:
    return [part for part in _flat(content) if isinstance(part, ParsedNode)]


def _flat(content: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the parts of content, including the elements of lists."""
    for part in content:
        if type(part) is tuple:
            content += part
    return content
