"""Finds constructs in metadata nodes that older versions of LLVM lack.  Rules: docs/reference/older-readers.md, 8."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.metadata import SIZES_AS_METADATA
from bitcodec.downgrade import nodes
from bitcodec.downgrade.annotations import has_details, refuses_details
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.downgrade.expressions import first_version, fragment_of, lacked_operators, older_elements
from bitcodec.downgrade.languages import LANGUAGE_FIELDS, lower_language
from bitcodec.downgrade.node_programs import older_tags
from bitcodec.downgrade.scanning import NodeScan, NodeTest
from bitcodec.errors import EncodingError
from bitcodec.ir import debug_info
from bitcodec.ir.alias_scopes import is_domain
from bitcodec.ir.debug_info import DIAssignID, DIExpression, DINode
from bitcodec.ir.metadata import MDTuple, Metadata
from bitcodec.tables.debug_info_rows import FieldKind
from bitcodec.tables.dwarf import Tag

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.metadata import MDNode

__all__ = ["NodeChecks"]


class NodeChecks:
    """Finds constructs in metadata nodes that a version lacks.

    Args:
        losses: receives these constructs.
        contents: by node, the content that is written in place of its own; receives further ones.
        lost: expressions that are not written at all.
        flags: metadata whose second operand makes a domain of alias scopes one that the version refuses.

    Attributes:
        annotations: nodes that the version refuses if they are annotations.
        domains: nodes that the version refuses if they are domains of alias scopes.
    """

    def __init__(
        self,
        losses: Losses,
        contents: dict[MDNode, tuple[Any, ...]],
        lost: Container[object],
        flags: Mapping[Metadata, int],
    ) -> None:
        self._losses = losses
        self._flags = flags
        self._lost = lost
        self._contents = contents
        self._version = losses.version
        self._refuses_details = refuses_details(losses.version)
        self.annotations: set[MDNode] = set()
        self.domains: set[MDTuple] = set()
        self._scan = NodeScan(partial(_tests_of, self._version, flags))
        self._fields: dict[type[Any], tuple[tuple[str, object, Construct], ...]] = {}
        self._rows = [row for row in nodes.ROWS if row.construct.since > self._version]

    def survey(self, keys: Iterable[object], place: str) -> None:
        """Add the losses of the nodes among the keys of metadata.

        Raises:
            EncodingError: a node cannot be written.
        """
        described: set[object] = set()
        newer: list[DIExpression] = []
        for key in self._scan.find(keys):
            if isinstance(key, DINode):
                self._survey_node(key, place)
                if isinstance(key, debug_info.DIGlobalVariableExpression):
                    described.add(key.expression)
            elif isinstance(key, DIExpression):
                if self._is_newer(key):
                    newer.append(key)
            elif isinstance(key, MDTuple):
                self._survey_tuple(key, place)
            elif isinstance(key, DIAssignID) and self._version < nodes.ASSIGNMENT_IDS.since:
                self._losses.add(nodes.ASSIGNMENT_IDS, place)
        for expression in newer:
            self._survey_expression(expression, place, is_described=expression in described)

    def _survey_node(self, node: DINode, place: str) -> None:
        kind = type(node)
        if kind.layout.since > self._version:
            self._survey_kind(node, place)
            return
        if self._version < nodes.HIGHER_FLAGS.since and getattr(node, "flags", None):
            self._survey_flags(node, place)
        is_named = isinstance(node, debug_info.DICompileUnit) and lower_language(
            node, place, self._losses, self._contents
        )
        for attribute, default, construct in self._rows_of(kind):
            if is_named and attribute in LANGUAGE_FIELDS:
                continue
            value = getattr(node, attribute)
            if value != default and not (default is _SIZE and isinstance(value, int | None)):
                self._losses.add(construct, place, node)
        if kind.layout.name in nodes.TAGS:
            self._survey_tag(node, place)
        for row in self._rows:
            if isinstance(node, row.kind) and row.has(node, self._version):
                self._losses.add(row.construct, place, node)
                if row.write is not None:
                    other, content = row.write(node)
                    self._contents[other] = content

    def _rows_of(self, kind: type[DINode]) -> tuple[tuple[str, object, Construct], ...]:
        """Return the rows of a class: attribute, default and construct of fields that the version lacks."""
        rows = self._fields.get(kind)
        if rows is None:
            rows = self._fields[kind] = tuple(_rows(kind, self._version))
        return rows

    def _survey_tag(self, node: Any, place: str) -> None:
        since, older = nodes.TAGS[node.layout.name].get(node.tag, (0, 0))
        if since > self._version:
            name = f"{Tag.spelling_of(node.tag)} of !{node.layout.name}"
            self._losses.add(Construct(name, since, Way.DROP, Tag.spelling_of(older)), place, node)

    def _survey_tuple(self, node: MDTuple, place: str) -> None:
        if self._refuses_details and has_details(node):
            self.annotations.add(node)
        if is_domain(node, self._flags):
            self.domains.add(node)
        weights = nodes.without_origin(node) if self._version < nodes.EXPECTED_WEIGHTS.since else None
        if weights is not None:
            self._losses.add(nodes.EXPECTED_WEIGHTS, place, node)
            self._contents[node] = weights

    def _survey_flags(self, node: Any, place: str) -> None:
        lost = node.flags & ~nodes.known_node_flags(self._version) if isinstance(node.flags, int) else 0
        if lost & nodes.known_node_flags(nodes.NEWER_FLAGS.since):
            self._losses.add(nodes.NEWER_FLAGS, place, node)
        if lost & ~nodes.known_node_flags(nodes.NEWER_FLAGS.since):
            self._losses.add(nodes.HIGHER_FLAGS, place, node)

    def _survey_kind(self, node: DINode, place: str) -> None:
        name, since = node.layout.name, node.layout.since
        other = nodes.INSTEAD.get(name)
        if other is None:
            raise EncodingError(
                f"!{name} cannot be written for LLVM {self._version}: LLVM {since} is the first that has it"
            )
        self._losses.add(Construct(f"!{name}", since, Way.DROP, f"!{other[0].layout.name}"), place, node)

    def _is_newer(self, expression: DIExpression) -> bool:
        """Return whether a version lacks an operator of an expression that must be written."""
        older = older_elements(expression, self._version)
        if older is not None:
            self._contents.setdefault(expression, older)
        return first_version(expression) > self._version and expression not in self._lost

    def _survey_expression(self, expression: DIExpression, place: str, *, is_described: bool) -> None:
        """Remove the location of a global variable, and the value of a bound or a size of a type."""
        since = first_version(expression)
        if not is_described:
            self._losses.add(lacked_operators(since, is_in_type=True), place, expression)
            self._contents[expression] = ()
            return
        self._losses.add(lacked_operators(since), place, expression)
        self._contents[expression] = fragment_of(expression)


_SIZE = object()
"""Stands for the default of a size, which any number is."""


def _tests_of(
    version: int, flags: Mapping[Metadata, int], kind: type[MDNode]
) -> tuple[tuple[NodeTest, int, object], ...] | None:
    """Return the tests of a class for `NodeScan`: nodes pass in which the version lacks nothing."""
    if issubclass(kind, MDTuple):
        return tuple(_tests_of_tuples(version, flags))
    with_rows = tuple(row.kind for row in nodes.ROWS if row.construct.since > version)
    if issubclass(kind, (DIExpression, debug_info.DIGlobalVariableExpression, *with_rows)):
        return None
    if issubclass(kind, DIAssignID) and version < nodes.ASSIGNMENT_IDS.since:
        return None
    if not issubclass(kind, DINode):
        return ()
    return None if kind.layout.since > version else tuple(_tests_of_fields(kind, version))


def _tests_of_tuples(version: int, flags: Mapping[Metadata, int]) -> Iterator[tuple[NodeTest, int, object]]:
    if flags:
        yield NodeTest.IS_NO_KEY, 1, flags
    if refuses_details(version):
        yield NodeTest.IS_NO_TEXT_OR_TUPLE, 0, None
    elif version < nodes.EXPECTED_WEIGHTS.since:
        yield NodeTest.IS_OTHER_TEXT, 0, nodes.WEIGHTS


def _tests_of_fields(kind: type[DINode], version: int) -> Iterator[tuple[NodeTest, int, object]]:
    places = {field.attribute: place for place, field in enumerate(kind.layout.fields)}
    for attribute, default, _ in _rows(kind, version):
        test = NodeTest.IS_SIZE if default is _SIZE else NodeTest.EQUALS
        yield test, places[attribute], default
    if "flags" in places and version < nodes.HIGHER_FLAGS.since:
        yield NodeTest.LACKS_BITS, places["flags"], ~nodes.known_node_flags(version)
    if kind.layout.name in nodes.TAGS:
        yield NodeTest.IS_NO_KEY, places["tag"], older_tags(kind.layout.name, version)


def _rows(kind: type[DINode], version: int) -> Iterator[tuple[str, object, Construct]]:
    """Yield attribute, default and row of the fields that the version lacks."""
    for field in kind.layout.fields:
        construct = nodes.field(kind.layout.name, field.name, field.since)
        if field.since > version:
            yield field.attribute, kind.defaults[field.attribute], construct
        elif field.kind is FieldKind.INTEGER and version < SIZES_AS_METADATA:
            yield field.attribute, _SIZE, construct._replace(since=SIZES_AS_METADATA)
