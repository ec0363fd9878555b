"""Debug information for older versions of LLVM.  Rules: docs/reference/older-readers.md, 8.

Fields that a version lacks are left out by the versions in the rows of `tables.debug_info`; nodes of a kind that it
lacks are written as another kind.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.metadata import SIZES_AS_METADATA, row_of
from bitcodec.bitcode.writer.debug_info import NodeProgram, NodePrograms, Operation, operand_program, program_of
from bitcodec.downgrade import constructs
from bitcodec.downgrade.annotations import has_details, refuses_details
from bitcodec.downgrade.expressions import SINCE_PLUS_CONSTANT, first_version, fragment_of, older_elements
from bitcodec.downgrade.languages import LANGUAGE_FIELDS, lower_language
from bitcodec.downgrade.node_forms import older_form
from bitcodec.downgrade.scanning import NodeScan, NodeTest
from bitcodec.errors import EncodingError
from bitcodec.ir import debug_info
from bitcodec.ir.alias_scopes import is_domain
from bitcodec.ir.debug_info import DIAssignID, DIExpression, DINode
from bitcodec.ir.metadata import MDString, MDTuple, Metadata
from bitcodec.tables.debug_info_rows import Kind
from bitcodec.tables.dwarf import Tag

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from bitcodec.downgrade.constructs import Construct
    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.metadata import MDNode
    from bitcodec.tables.debug_info_rows import Field, Node

__all__ = ["NodeChecks", "OlderNodePrograms"]

_INSTEAD: dict[str, tuple[type[DINode], int]] = {
    "DIFixedPointType": (debug_info.DIBasicType, Tag.base_type),
    "DISubrangeType": (debug_info.DIDerivedType, Tag.typedef),
    "DIStringType": (debug_info.DIBasicType, Tag.base_type),
    "DIGenericSubrange": (debug_info.DISubrange, 0),
    "DICommonBlock": (debug_info.DINamespace, 0),
    "DILabel": (debug_info.DILocalVariable, 0),
    "DIProperty": (debug_info.DIObjCProperty, 0),
}
"""By class of node, the one that is written instead, and its tag if the node has none."""

_TAGS: dict[str, dict[int, tuple[int, int]]] = {
    "DIDerivedType": {
        Tag.variable: (18, Tag.member),
        Tag.LLVM_ptrauth_type: (19, Tag.typedef),
        Tag.template_alias: (19, Tag.typedef),
    },
    "DICompositeType": {Tag.variant: (21, Tag.structure_type), Tag.variant_part: (7, Tag.structure_type)},
}
"""By class of node and tag, the first version whose verifier accepts the tag, and the tag that is written before."""


_SINCE_FLAGS = ((0, 0x1F), (9, 0x1FF), (10, 0x3FF), (11, 0xFFF))
"""Flags of subprograms that versions know, from the first version that knows these."""


def known_flags(version: int) -> int:
    """Return the flags of subprograms that a version knows."""
    return max(flags for since, flags in _SINCE_FLAGS if since <= version)


_SINCE_NODE_FLAGS = (
    (0, 0x1F_FFFF),
    (7, 0x3FF_FFFF),
    (8, 0x3BFF_FFFF),
    (constructs.NEWER_FLAGS.since, 0x3FFF_FFFF),
    (constructs.HIGHER_FLAGS.since, 0xFFFF_FFFF),
)
"""Flags of nodes that versions print, from the first version that does; LLVM 7 and 8 read NonTrivial as Trivial."""


def _known_node_flags(version: int) -> int:
    """Return the flags of nodes that a version prints; builds with assertions end on others before LLVM 12."""
    return max((since, flags) for since, flags in _SINCE_NODE_FLAGS if since <= version)[1]


_ORIGIN = 2
"""How many operands branch weights have in front of the weights if they say where they come from."""

_EXCHANGED = {"DIObjCProperty": (22, 4, 5)}
"""By class of node, the first version whose records have two operands exchanged, and these operands."""


class OlderNodePrograms(NodePrograms):
    """Programs by class for an older version of LLVM.

    Args:
        version: of LLVM.
    """

    def __init__(self, version: int) -> None:
        super().__init__(version)
        if version < SINCE_PLUS_CONSTANT:
            self.expression_header = 1 << 1
        if version < constructs.ASSIGNMENTS.since:
            # Nothing refers to these nodes then.
            self.assign_id_code = MetadataCode.DISTINCT_NODE

    def _program(self, kind: type[DINode]) -> NodeProgram:
        if kind.layout.since > self._version and kind.layout.name in _INSTEAD:
            return self._program_as(kind, *_INSTEAD[kind.layout.name])
        program = program_of(kind, self._version)
        row = kind.layout
        form = older_form(row, self._version)
        if form is not None:
            program = program._replace(operands=form)
        operands = [self._older(row, operation) for operation in program.operands]
        since, one, other = _EXCHANGED.get(row.name, (0, 0, 0))
        if since > self._version:
            operands[one], operands[other] = operands[other], operands[one]
        numbers = {place for place, field in enumerate(row.fields) if self._is_number(field)}
        if form is not None:
            numbers |= {place for place in range(len(row.fields)) if place not in _referring(form)}
        references = tuple(each for each in program.references if each[0] not in numbers)
        return program._replace(operands=tuple(operands), references=references)

    def _older(self, row: Node, operation: tuple[int, int, Any]) -> tuple[int, int, Any]:
        """Return how an operand is written: sizes as numbers, languages as they were numbered."""
        kind, place, _ = operation
        if kind == Operation.LANGUAGE:
            return Operation.NUMBER, place, None
        if kind == Operation.NUMBER and row.fields[place].name == "spFlags" and self._version < _SINCE_FLAGS[-1][0]:
            known = known_flags(self._version)
            return Operation.COMPUTED, place, lambda content: content[place] & known
        if (
            kind == Operation.NUMBER
            and row.fields[place].name == "flags"
            and self._version < constructs.HIGHER_FLAGS.since
        ):
            flags = _known_node_flags(self._version)
            return Operation.COMPUTED, place, lambda content: content[place] & flags
        if kind == Operation.NUMBER and row.fields[place].name == "tag":
            return self._older_tag(row, place) or operation
        if kind == Operation.REFERENCE and self._is_number(row.fields[place]):
            return Operation.COMPUTED, place, _size_at(place)
        return operation

    def _older_tag(self, row: Node, place: int) -> tuple[int, int, Any] | None:
        older = _older_tags(row.name, self._version)
        if not older:
            return None
        return Operation.COMPUTED, place, lambda content: older.get(content[place], content[place])

    def _is_number(self, field: Field) -> bool:
        return field.kind is Kind.INTEGER and self._version < SIZES_AS_METADATA

    def _program_as(self, kind: type[DINode], other: type[DINode], tag: int) -> NodeProgram:
        """Return how a node is written as one of another class: with the fields of the same names."""
        code, row = row_of(other)
        own = kind.layout
        places = {field.name: place for place, field in enumerate(own.fields)}
        template = NodeProgram(*self[other])
        operands: list[tuple[int, int, Any]] = [(Operation.HEADER, 0, (template.operands[0][2][0], ()))]
        for kind_of, place, what in template.operands[1:]:
            name = row.fields[place].name if kind_of not in (Operation.ZERO, Operation.BITS) else ""
            if name == "tag" and tag:
                operands.append((Operation.COMPUTED, 0, lambda _content: tag))
            elif name in places and not (kind_of == Operation.COMPUTED and own.fields[places[name]].kind is Kind.NODE):
                operands.append(self._older(own, operand_program(code, own, places[name])))
            else:
                operands.append((Operation.ZERO, 0, None))
            _ = what
        names = {row.fields[place].name for place, _ in template.references}
        references = tuple(
            (places[field.name], field.kind is Kind.STRING) for field in own.fields if field.name in names
        )
        return NodeProgram(code, references, -1, tuple(operands))


def _referring(operands: Iterable[tuple[int, int, Any]]) -> set[int]:
    """Return the places of the fields whose operands are ids of metadata."""
    kinds = {Operation.REFERENCE, Operation.STRING, Operation.REFERENCES, Operation.ID, Operation.LAST_STRING}
    return {place for kind, place, _ in operands if kind in kinds}


def _older_tags(name: str, version: int) -> dict[int, int]:
    """Return what is written for the tags of a class of nodes that a version refuses."""
    return {tag: older for tag, (since, older) in _TAGS.get(name, {}).items() if since > version}


def _size_at(place: int) -> Callable[[tuple[Any, ...]], int]:
    """Return a function that returns a size in a node's content, 0 for one that is not a number."""

    def size(content: tuple[Any, ...]) -> int:
        part = content[place]
        return part if isinstance(part, int) else 0

    return size


_WITH_RULES = (
    DIExpression,
    debug_info.DIGlobalVariableExpression,
    debug_info.DISubprogram,
    debug_info.DIEnumerator,
    debug_info.DISubrange,
)
"""Nodes whose values versions may lack: each is looked at."""
_WEIGHTS = "branch_weights"


class NodeChecks:
    """Finds what a version lacks in metadata nodes.

    Args:
        losses: receives it.
        contents: by node, the content that is written instead of its own; receives further ones.
        lost: expressions of which nothing is written.
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

    def survey(self, keys: Iterable[object], place: str) -> None:
        """Add to the losses what the nodes among the keys of metadata have.

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
            elif isinstance(key, DIAssignID) and self._version < constructs.ASSIGNMENT_IDS.since:
                self._losses.add(constructs.ASSIGNMENT_IDS, place)
        for expression in newer:
            self._survey_expression(expression, place, is_described=expression in described)

    def _survey_node(self, node: DINode, place: str) -> None:
        kind = type(node)
        if kind.layout.since > self._version:
            self._survey_kind(node, place)
            return
        if self._version < constructs.HIGHER_FLAGS.since and getattr(node, "flags", None):
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
        if kind.layout.name in _TAGS:
            self._survey_tag(node, place)
        if isinstance(node, debug_info.DISubprogram):
            self._survey_subprogram(node, place)
        if isinstance(node, debug_info.DIEnumerator) and self._version < constructs.WIDE_ENUMERATOR.since:
            self._survey_value(node, place)
        if isinstance(node, debug_info.DISubrange) and self._version < constructs.LOWER_BOUND.since:
            self._survey_bounds(node, place)

    def _rows_of(self, kind: type[DINode]) -> tuple[tuple[str, object, Construct], ...]:
        """Return the rows of a class: attribute, default and construct of what the version lacks."""
        rows = self._fields.get(kind)
        if rows is None:
            rows = self._fields[kind] = tuple(_rows(kind, self._version))
        return rows

    def _survey_tag(self, node: Any, place: str) -> None:
        since, older = _TAGS[node.layout.name].get(node.tag, (0, 0))
        if since > self._version:
            name = f"{Tag.spelling_of(node.tag)} of !{node.layout.name}"
            self._losses.add(constructs.tag(name, since, Tag.spelling_of(older)), place, node)

    def _survey_tuple(self, node: MDTuple, place: str) -> None:
        """Look at a tuple; leave out where branch weights come from, which older versions take for a weight."""
        if self._refuses_details and has_details(node):
            self.annotations.add(node)
        if is_domain(node, self._flags):
            self.domains.add(node)
        if self._version >= constructs.EXPECTED_WEIGHTS.since or len(node.operands) <= _ORIGIN:
            return
        kind, origin, *weights = node.operands
        if isinstance(kind, MDString) and kind.text == _WEIGHTS and isinstance(origin, MDString):
            self._losses.add(constructs.EXPECTED_WEIGHTS, place, node)
            self._contents[node] = (kind, *weights)

    def _survey_flags(self, node: Any, place: str) -> None:
        lost = node.flags & ~_known_node_flags(self._version) if isinstance(node.flags, int) else 0
        if lost & _known_node_flags(constructs.NEWER_FLAGS.since):
            self._losses.add(constructs.NEWER_FLAGS, place, node)
        if lost & ~_known_node_flags(constructs.NEWER_FLAGS.since):
            self._losses.add(constructs.HIGHER_FLAGS, place, node)

    def _survey_subprogram(self, subprogram: debug_info.DISubprogram, place: str) -> None:
        if subprogram.sp_flags & ~known_flags(self._version):
            self._losses.add(constructs.SUBPROGRAM_FLAGS, place, subprogram)
        retained = subprogram.retained_nodes
        if self._version >= constructs.RETAINED_ENTITY.since or not isinstance(retained, MDTuple):
            return
        kept = tuple(part for part in retained.operands if not isinstance(part, debug_info.DIImportedEntity))
        if len(kept) < len(retained.operands):
            self._losses.add(constructs.RETAINED_ENTITY, place, subprogram)
            self._contents[retained] = kept

    def _survey_value(self, enumerator: debug_info.DIEnumerator, place: str) -> None:
        lowest, end = (0, 1 << 64) if enumerator.is_unsigned else (-(1 << 63), 1 << 63)
        if not lowest <= enumerator.value < end:
            self._losses.add(constructs.WIDE_ENUMERATOR, place, enumerator)

    def _survey_bounds(self, bounds: debug_info.DISubrange, place: str) -> None:
        if bounds.lower_bound is None:
            self._losses.add(constructs.LOWER_BOUND, place, bounds)
        if isinstance(bounds.count, Metadata) or isinstance(bounds.lower_bound, Metadata):
            self._losses.add(constructs.VARIABLE_COUNT, place, bounds)

    def _survey_kind(self, node: DINode, place: str) -> None:
        name, since = node.layout.name, node.layout.since
        other = _INSTEAD.get(name)
        if other is None:
            raise EncodingError(
                f"!{name} cannot be written for LLVM {self._version}: LLVM {since} is the first that has it"
            )
        self._losses.add(constructs.node(name, since, f"!{other[0].layout.name}"), place, node)

    def _is_newer(self, expression: DIExpression) -> bool:
        """Return whether a version lacks an operator of an expression that must be written."""
        older = older_elements(expression, self._version)
        if older is not None:
            self._contents.setdefault(expression, older)
        return first_version(expression) > self._version and expression not in self._lost

    def _survey_expression(self, expression: DIExpression, place: str, *, is_described: bool) -> None:
        """Let a global variable have no location, and a bound or a size of a type no value."""
        since = first_version(expression)
        if not is_described:
            self._losses.add(constructs.EXPRESSION_OPERATORS_IN_NODES[since], place, expression)
            self._contents[expression] = ()
            return
        self._losses.add(constructs.EXPRESSION_OPERATORS[since], place, expression)
        self._contents[expression] = fragment_of(expression)


_SIZE = object()
"""Stands for the default of a size, which any number is."""


def _tests_of(
    version: int, flags: Mapping[Metadata, int], kind: type[MDNode]
) -> tuple[tuple[NodeTest, int, object], ...] | None:
    """Return the tests of a class for `NodeScan`: nodes pass in which the version lacks nothing."""
    if issubclass(kind, MDTuple):
        return tuple(_tests_of_tuples(version, flags))
    if issubclass(kind, _WITH_RULES) or (issubclass(kind, DIAssignID) and version < constructs.ASSIGNMENT_IDS.since):
        return None
    if not issubclass(kind, DINode):
        return ()
    return None if kind.layout.since > version else tuple(_tests_of_fields(kind, version))


def _tests_of_tuples(version: int, flags: Mapping[Metadata, int]) -> Iterator[tuple[NodeTest, int, object]]:
    if flags:
        yield NodeTest.IS_NO_KEY, 1, flags
    if refuses_details(version):
        yield NodeTest.IS_NO_TEXT_OR_TUPLE, 0, None
    elif version < constructs.EXPECTED_WEIGHTS.since:
        yield NodeTest.IS_OTHER_TEXT, 0, _WEIGHTS


def _tests_of_fields(kind: type[DINode], version: int) -> Iterator[tuple[NodeTest, int, object]]:
    places = {field.attribute: place for place, field in enumerate(kind.layout.fields)}
    for attribute, default, _ in _rows(kind, version):
        test = NodeTest.IS_SIZE if default is _SIZE else NodeTest.EQUALS
        yield test, places[attribute], default
    if "flags" in places and version < constructs.HIGHER_FLAGS.since:
        yield NodeTest.LACKS_BITS, places["flags"], ~_known_node_flags(version)
    if kind.layout.name in _TAGS:
        yield NodeTest.IS_NO_KEY, places["tag"], _older_tags(kind.layout.name, version)


def _rows(kind: type[DINode], version: int) -> Iterator[tuple[str, object, Construct]]:
    """Yield attribute, default and row of the fields that the version lacks."""
    for field in kind.layout.fields:
        construct = constructs.field(kind.layout.name, field.name, field.since)
        if field.since > version:
            yield field.attribute, kind.defaults[field.attribute], construct
        elif field.kind is Kind.INTEGER and version < SIZES_AS_METADATA:
            yield field.attribute, _SIZE, construct._replace(since=SIZES_AS_METADATA)
