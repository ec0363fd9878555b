"""From debug-info nodes to records: programs made from the rows of `tables.debug_info`, which `nodes` runs.

Rules: docs/reference/records.md, 8.5, in the form that a version of LLVM writes: by default 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.metadata import header_bits, row_of
from bitcodec.bitcode.writer.rows import wide
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.debug_info_rows import FieldKind
from bitcodec.tables.dwarf import TypeEncoding
from bitcodec.tables.versions import MODEL
from bitcodec.upgrade.expressions import EXPRESSION_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.debug_info import DINode
    from bitcodec.ir.metadata import MDNode
    from bitcodec.tables.debug_info_rows import Node, NodeField

__all__ = [
    "NODE_PROGRAMS",
    "NodeOperation",
    "NodeWriteProgram",
    "NodeWritePrograms",
    "operand_program",
    "program_of",
    "wide_operands",
]


class NodeOperation:
    """How an operand of a record is made from a place of a node's content."""

    NUMBER = 0
    REFERENCE = 1
    """The id of the referenced metadata plus one, 0 for None."""
    STRING = 2
    """The id of the string plus one, 0 for the empty string."""
    ZERO = 3
    HEADER = 4
    """Whether the node is distinct, further bits, and fields that are a part of the operand."""
    BITS = 5
    """Fields that are a part of the operand."""
    BOOLEAN = 6
    SIGNED = 7
    """64 bits in two's complement."""
    WIDE = 8
    """The operands that `wide_operands` returns."""
    OPTIONAL_NUMBER = 9
    """A number, or the code for None."""
    ID = 10
    """The id of the referenced metadata."""
    REFERENCES = 11
    """As REFERENCE, for each of a tuple."""
    LANGUAGE = 12
    """The number of a language or, if it has one, the number of its name apart from its version."""
    LAST_STRING = 13
    """As REFERENCE; the record ends before it if it is None."""
    COMPUTED = 14
    """A number that a function returns for the content of the node."""


class NodeWriteProgram(NamedTuple):
    """How the nodes of a class are written.

    Attributes:
        code: of their records.
        references: the places of a node's references, in the order of its operands; and for each, whether an empty
            string there refers to nothing.
        rest: the place of a tuple of further references, -1 without one.
        operands: for each operand of the record an `NodeOperation`, a place, and the operation's argument.
    """

    code: int
    references: tuple[tuple[int, bool], ...]
    rest: int
    operands: tuple[tuple[int, int, Any], ...]


class NodeWritePrograms(dict["type[DINode]", tuple[Any, ...]]):
    """Programs by class, as plain tuples; each is made when a node of the class is first written.

    Args:
        version: of the LLVM that is to read the nodes.

    Attributes:
        assign_id_code: the record code of `DIAssignID`.
        expression_header: the first operand of an expression, without the bit for distinct nodes.
        contents: by node, the content that is written instead of its own, None without changes.
        lost: expressions that the version lacks: their variables have no location.
        of_first: expressions that are written for the first argument of a list.
        nothing: a node without operands, which intrinsics have for a location that is lost.
    """

    def __init__(self, version: int = MODEL) -> None:
        super().__init__()
        self._version = version
        self.assign_id_code: int = MetadataCode.ASSIGN_ID
        self.expression_header = EXPRESSION_VERSION << 1
        self.contents: dict[MDNode, tuple[Any, ...]] | None = None
        self.lost: set[MDNode] = set()
        self.of_first: set[MDNode] = set()
        self.nothing: MDNode | None = None

    def __missing__(self, kind: type[DINode]) -> tuple[Any, ...]:
        program = self[kind] = tuple(self._program(kind))
        return program

    def _program(self, kind: type[DINode]) -> NodeWriteProgram:
        return program_of(kind, self._version)


NODE_PROGRAMS = NodeWritePrograms()
"""How nodes are written for LLVM 22."""


def program_of(kind: type[DINode], version: int = MODEL) -> NodeWriteProgram:
    """Return how the nodes of a class are written for a version of LLVM."""
    code, row = row_of(kind)
    fields = [(place, field) for place, field in enumerate(row.fields) if field.since <= version]
    rest = next((place for place, field in fields if field.kind is FieldKind.NODES), -1)
    return NodeWriteProgram(code, _references(fields), rest, _operands(code, row, version))


_REFERRING = {
    FieldKind.STRING,
    FieldKind.STRING_OR_NONE,
    FieldKind.NODE,
    FieldKind.NODE_ID,
    FieldKind.TYPE,
    FieldKind.INTEGER,
    FieldKind.SIGNED_INTEGER,
}
"""Kinds of fields that refer to something unless they are None, or for STRING empty."""


def _references(fields: list[tuple[int, NodeField]]) -> tuple[tuple[int, bool], ...]:
    referring = [(place, field) for place, field in fields if field.kind in _REFERRING]
    referring.sort(key=lambda item: item[1].operand or 0)
    return tuple((place, field.kind is FieldKind.STRING) for place, field in referring)


def _operands(code: int, row: Node, version: int) -> tuple[tuple[int, int, Any], ...]:
    by_position: dict[int, list[int]] = {}
    for place, field in enumerate(row.fields):
        if field.position is not None and field.since <= version and (code, field.attribute) not in _SHARED:
            by_position.setdefault(field.position, []).append(place)
    operands: list[tuple[int, int, Any]] = [
        (NodeOperation.HEADER, 0, (header_bits(code, version), _bits(row, by_position.get(0, []))))
    ]
    for position in range(1, max(by_position) + 1):
        places = by_position.get(position, [])
        bits = _bits(row, places)
        if bits:
            operands.append((NodeOperation.BITS, 0, bits))
        elif places:
            operands.append(operand_program(code, row, places[0]))
        else:
            operands.append((NodeOperation.ZERO, 0, None))
    return tuple(operands)


def _bits(row: Node, places: list[int]) -> tuple[tuple[int, int], ...]:
    """Return place and first bit of the fields that are a part of an operand."""
    return tuple((place, bits[0]) for place in places if (bits := row.fields[place].bits) is not None)


def operand_program(code: int, row: Node, place: int) -> tuple[int, int, Any]:
    """Return how a field of a node is written that is a separate operand."""
    field = row.fields[place]
    if field.kind is FieldKind.NUMBER_OR_NONE:
        return NodeOperation.OPTIONAL_NUMBER, place, field.absent
    if (code, field.attribute) == (MetadataCode.COMPILE_UNIT, "language"):
        return NodeOperation.LANGUAGE, place, _place_of(row, "source_language_name")
    if (code, field.attribute) == (MetadataCode.FILE, "source"):
        return NodeOperation.LAST_STRING, place, None
    if field.kind is FieldKind.WIDE:
        return NodeOperation.WIDE, place, _wide_form(code, row, field)
    return _OPERATIONS[field.kind], place, None


def _wide_form(code: int, row: Node, field: NodeField) -> tuple[int, bool, Callable[[tuple[Any, ...]], bool]]:
    """Return how a number of any size is written.

    Returns:
        The place of its width, whether the record has the width and the number of words ahead of its words, and
        whether the number in a node's content is unsigned.
    """
    width = next(place for place, other in enumerate(row.fields) if other.width_of == field.name)
    if code == MetadataCode.FIXED_POINT_TYPE:
        encoding = _place_of(row, "encoding")
        return width, True, lambda content: content[encoding] != TypeEncoding.signed_fixed
    is_unsigned = _place_of(row, "is_unsigned")
    return width, False, lambda content: bool(content[is_unsigned])


def _place_of(row: Node, attribute: str) -> int:
    return next(place for place, field in enumerate(row.fields) if field.attribute == attribute)


_OPERATIONS: dict[FieldKind, int] = {
    FieldKind.NUMBER: NodeOperation.NUMBER,
    FieldKind.COLUMN: NodeOperation.NUMBER,
    FieldKind.NAMED: NodeOperation.NUMBER,
    FieldKind.FLAGS: NodeOperation.NUMBER,
    FieldKind.SIGNED: NodeOperation.SIGNED,
    FieldKind.WIDE: NodeOperation.WIDE,
    FieldKind.BOOLEAN: NodeOperation.BOOLEAN,
    FieldKind.STRING: NodeOperation.STRING,
    FieldKind.STRING_OR_NONE: NodeOperation.REFERENCE,
    FieldKind.NODE: NodeOperation.REFERENCE,
    FieldKind.TYPE: NodeOperation.REFERENCE,
    FieldKind.INTEGER: NodeOperation.REFERENCE,
    FieldKind.SIGNED_INTEGER: NodeOperation.REFERENCE,
    FieldKind.NODE_ID: NodeOperation.ID,
    FieldKind.NODES: NodeOperation.REFERENCES,
}
"""How the fields of each kind are written."""

_SHARED = {
    (MetadataCode.COMPILE_UNIT, "source_language_name"),
    (MetadataCode.FIXED_POINT_TYPE, "numerator_width"),
    (MetadataCode.FIXED_POINT_TYPE, "denominator_width"),
}
"""Fields that share the operand of another."""


def wide_operands(
    content: tuple[Any, ...], number: int, form: tuple[int, bool, Callable[[tuple[Any, ...]], bool]]
) -> list[int]:
    """Return the operands of a number of any size; highest words that are zero are left out."""
    place, has_width, is_unsigned = form
    has_sign = number < 0 or not is_unsigned(content)
    width = max(content[place], (~number if number < 0 else number).bit_length() + has_sign, 1)
    bits = number & ((1 << width) - 1)
    count = max((bits.bit_length() + 63) // 64, 1)
    words = wide(bits, count)
    return [width | count << 32, *words] if has_width else words
