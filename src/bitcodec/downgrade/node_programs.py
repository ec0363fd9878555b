"""How debug-info nodes are written for older versions of LLVM.

Fields that a version lacks are left out by the versions in the rows of `tables.debug_info`; nodes of a kind that it
lacks are written as another kind.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.metadata import SIZES_AS_METADATA, row_of
from bitcodec.bitcode.writer.debug_info import (
    NodeOperation,
    NodeWriteProgram,
    NodeWritePrograms,
    operand_program,
    program_of,
)
from bitcodec.downgrade.debug_records import ASSIGNMENTS
from bitcodec.downgrade.expressions import SINCE_PLUS_CONSTANT
from bitcodec.downgrade.node_forms import older_form
from bitcodec.downgrade.nodes import (
    EXCHANGED,
    HIGHER_FLAGS,
    INSTEAD,
    SUBPROGRAM_FLAGS,
    TAGS,
    known_flags,
    known_node_flags,
)
from bitcodec.tables.debug_info_rows import FieldKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.ir.debug_info import DINode
    from bitcodec.tables.debug_info_rows import Node, NodeField

__all__ = ["OlderNodePrograms", "older_tags"]


class OlderNodePrograms(NodeWritePrograms):
    """Programs by class for an older version of LLVM.

    Args:
        version: of LLVM.
    """

    def __init__(self, version: int) -> None:
        super().__init__(version)
        if version < SINCE_PLUS_CONSTANT:
            self.expression_header = 1 << 1
        if version < ASSIGNMENTS.since:
            # Nothing refers to these nodes then.
            self.assign_id_code = MetadataCode.DISTINCT_NODE

    def _program(self, kind: type[DINode]) -> NodeWriteProgram:
        if kind.layout.since > self._version and kind.layout.name in INSTEAD:
            return self._program_as(kind, *INSTEAD[kind.layout.name])
        program = program_of(kind, self._version)
        row = kind.layout
        form = older_form(row, self._version)
        if form is not None:
            program = program._replace(operands=form)
        operands = [self._older(row, operation) for operation in program.operands]
        since, one, other = EXCHANGED.get(row.name, (0, 0, 0))
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
        if kind == NodeOperation.LANGUAGE:
            return NodeOperation.NUMBER, place, None
        if (
            kind == NodeOperation.NUMBER
            and row.fields[place].name == "spFlags"
            and self._version < SUBPROGRAM_FLAGS.since
        ):
            known = known_flags(self._version)
            return NodeOperation.COMPUTED, place, lambda content: content[place] & known
        if kind == NodeOperation.NUMBER and row.fields[place].name == "flags" and self._version < HIGHER_FLAGS.since:
            flags = known_node_flags(self._version)
            return NodeOperation.COMPUTED, place, lambda content: content[place] & flags
        if kind == NodeOperation.NUMBER and row.fields[place].name == "tag":
            return self._older_tag(row, place) or operation
        if kind == NodeOperation.REFERENCE and self._is_number(row.fields[place]):
            return NodeOperation.COMPUTED, place, _size_at(place)
        return operation

    def _older_tag(self, row: Node, place: int) -> tuple[int, int, Any] | None:
        older = older_tags(row.name, self._version)
        if not older:
            return None
        return NodeOperation.COMPUTED, place, lambda content: older.get(content[place], content[place])

    def _is_number(self, field: NodeField) -> bool:
        return field.kind is FieldKind.INTEGER and self._version < SIZES_AS_METADATA

    def _program_as(self, kind: type[DINode], other: type[DINode], tag: int) -> NodeWriteProgram:
        """Return how a node is written as one of another class: with the fields of the same names."""
        code, row = row_of(other)
        own = kind.layout
        places = {field.name: place for place, field in enumerate(own.fields)}
        template = NodeWriteProgram(*self[other])
        operands: list[tuple[int, int, Any]] = [(NodeOperation.HEADER, 0, (template.operands[0][2][0], ()))]
        for kind_of, place, what in template.operands[1:]:
            name = row.fields[place].name if kind_of not in (NodeOperation.ZERO, NodeOperation.BITS) else ""
            if name == "tag" and tag:
                operands.append((NodeOperation.COMPUTED, 0, lambda _content: tag))
            elif name in places and not (
                kind_of == NodeOperation.COMPUTED and own.fields[places[name]].kind is FieldKind.NODE
            ):
                operands.append(self._older(own, operand_program(code, own, places[name])))
            else:
                operands.append((NodeOperation.ZERO, 0, None))
            _ = what
        names = {row.fields[place].name for place, _ in template.references}
        references = tuple(
            (places[field.name], field.kind is FieldKind.STRING) for field in own.fields if field.name in names
        )
        return NodeWriteProgram(code, references, -1, tuple(operands))


def _referring(operands: Iterable[tuple[int, int, Any]]) -> set[int]:
    """Return the places of the fields whose operands are ids of metadata."""
    kinds = {
        NodeOperation.REFERENCE,
        NodeOperation.STRING,
        NodeOperation.REFERENCES,
        NodeOperation.ID,
        NodeOperation.LAST_STRING,
    }
    return {place for kind, place, _ in operands if kind in kinds}


def older_tags(name: str, version: int) -> dict[int, int]:
    """Return the replacements of the tags of a class of nodes that a version refuses."""
    return {tag: older for tag, (since, older) in TAGS.get(name, {}).items() if since > version}


def _size_at(place: int) -> Callable[[tuple[Any, ...]], int]:
    """Return a function that returns a size in a node's content, 0 for one that is not a number."""

    def size(content: tuple[Any, ...]) -> int:
        part = content[place]
        return part if isinstance(part, int) else 0

    return size
