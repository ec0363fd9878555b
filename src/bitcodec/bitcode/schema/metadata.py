"""Layouts of debug-info records: the rows of the debug-info table, sorted by how their operands are decoded.

Rules: docs/reference/records.md, 8.5.
"""

from __future__ import annotations

from functools import cache

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.node_versions import NODE_VERSIONS, accepted_lengths
from bitcodec.ir import debug_info
from bitcodec.ir.debug_info import DINode
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_rows import DISTINCT, FieldKind, Node, NodeField

__all__ = [
    "DEBUG_INFO_CODES",
    "DISTINCT_UNLESS_ZERO",
    "RECORD_LENGTHS",
    "SIZES_AS_METADATA",
    "Layout",
    "OptionalNumber",
    "PartField",
    "header_bits",
    "layout_of",
    "position_of",
    "row_of",
]

_ROWS: dict[int, Node] = {MetadataCode[row.record]: row for row in NODES}

DEBUG_INFO_CODES = frozenset(_ROWS)
"""Codes of the records that have a layout."""

SIZES_AS_METADATA = 21
"""The first version whose records hold the sizes and offsets of types as metadata, older ones as numbers."""

_HEADER_BITS: dict[int, dict[int, int]] = {
    MetadataCode.SUBRANGE: {11: 2 << 1},
    MetadataCode.ENUMERATOR: {11: 4},
    MetadataCode.BASIC_TYPE: {SIZES_AS_METADATA: 2},
    MetadataCode.FIXED_POINT_TYPE: {SIZES_AS_METADATA: 2},
    MetadataCode.STRING_TYPE: {SIZES_AS_METADATA: 2},
    MetadataCode.DERIVED_TYPE: {SIZES_AS_METADATA: 2},
    MetadataCode.COMPOSITE_TYPE: {0: 2, SIZES_AS_METADATA: 4},
    MetadataCode.SUBRANGE_TYPE: {SIZES_AS_METADATA: 2},
    MetadataCode.SUBROUTINE_TYPE: {0: 2},
    MetadataCode.SUBPROGRAM: {0: 2, 8: 4},
    MetadataCode.GLOBAL_VAR: {8: 2 << 1},
    MetadataCode.LOCAL_VAR: {0: 2},
}
"""Bits of the first operand of a record except `DISTINCT`: its version, whether sizes are metadata, and which fields
are present. By the first version of LLVM that writes each bit."""


def header_bits(code: int, version: int) -> int:
    """Return the bits of a record's first operand except `DISTINCT` in the form that a version of LLVM writes."""
    return sum(bits for since, bits in _HEADER_BITS.get(code, {}).items() if since <= version)


DISTINCT_UNLESS_ZERO = frozenset({
    MetadataCode.LOCATION,
    MetadataCode.GENERIC_DEBUG,
    MetadataCode.FILE,
    MetadataCode.LEXICAL_BLOCK,
    MetadataCode.LEXICAL_BLOCK_FILE,
    MetadataCode.MODULE,
    MetadataCode.TEMPLATE_TYPE,
    MetadataCode.TEMPLATE_VALUE,
    MetadataCode.GLOBAL_VAR_EXPR,
    MetadataCode.OBJC_PROPERTY,
    MetadataCode.IMPORTED_ENTITY,
    MetadataCode.MACRO,
    MetadataCode.MACRO_FILE,
})  # fmt: skip
"""Codes of the records whose node is distinct if any bit of the first operand is set, not only `DISTINCT`."""

RECORD_LENGTHS: dict[int, frozenset[int]] = {
    code: lengths for code in NODE_VERSIONS if (lengths := accepted_lengths(code)) is not None
}
"""The numbers of operands that LLVM accepts, where it checks more than that there are enough."""

_ALL_BITS = (1 << 64) - 1
_NUMBERS = {FieldKind.NUMBER, FieldKind.NAMED, FieldKind.FLAGS}
_TO_NODES = {FieldKind.NODE, FieldKind.TYPE}
_TO_INTEGERS = {FieldKind.INTEGER, FieldKind.SIGNED_INTEGER}


class PartField(NamedTuple):
    """A field that is a part of an operand."""

    attribute: str
    position: int
    shift: int
    mask: int
    is_boolean: bool


class OptionalNumber(NamedTuple):
    """A number that may be missing: a record has `absent` then; `bias` is added to a present one."""

    attribute: str
    position: int
    absent: int
    bias: int


class Layout(NamedTuple):
    """A record's fields: attribute and position of each, by the way in which they are decoded.

    Attributes:
        node: the class of the node.
        code: the record's code.
        shortest: how many operands it has at least.
        distinct: the bits of the first operand any of which makes the node distinct.
        missing: defaults of the operands that a shorter record lacks.
        references: positions that hold a metadata id plus one.
        widths: how many bits LLVM keeps of each number.
        types: the operands that may contain the name of a type.
        rest: from where on all operands hold a metadata id plus one; the attribute that takes them.
    """

    node: type[DINode]
    code: int
    shortest: int
    distinct: int
    missing: list[int]
    references: tuple[int, ...]
    types: tuple[int, ...]
    wide_numbers: tuple[tuple[str, int], ...]
    numbers: tuple[tuple[str, int], ...]
    widths: dict[str, int]
    columns: tuple[tuple[str, int], ...]
    signed: tuple[tuple[str, int], ...]
    booleans: tuple[tuple[str, int], ...]
    bits: tuple[PartField, ...]
    optional_numbers: tuple[OptionalNumber, ...]
    strings: tuple[tuple[str, int], ...]
    optional_strings: tuple[tuple[str, int], ...]
    nodes: tuple[tuple[str, int], ...]
    node_ids: tuple[tuple[str, int], ...]
    unsigned_integers: tuple[tuple[str, int], ...]
    signed_integers: tuple[tuple[str, int], ...]
    rest: tuple[int, str] | None


@cache
def layout_of(code: int) -> Layout:
    """Return the layout of the records of a code.

    Raises:
        KeyError: it is not one of `DEBUG_INFO_CODES`.
    """
    row = _ROWS[code]
    rest = next((field for field in row.fields if field.kind is FieldKind.NODES), None)
    return Layout(
        node=getattr(debug_info, row.name),
        code=code,
        shortest=row.shortest,
        distinct=_ALL_BITS if code in DISTINCT_UNLESS_ZERO else DISTINCT,
        missing=_missing(row),
        references=tuple(position for _, position in _placed(row, _TO_NODES | _TO_INTEGERS)),
        types=tuple(position for _, position in _placed(row, {FieldKind.TYPE})),
        wide_numbers=_placed(row, {FieldKind.WIDE}),
        numbers=_placed(row, _NUMBERS),
        widths={field.attribute: field.width for field in row.fields},
        columns=_placed(row, {FieldKind.COLUMN}),
        signed=_placed(row, {FieldKind.SIGNED}),
        booleans=_placed(row, {FieldKind.BOOLEAN}),
        bits=tuple(_bits(field) for field in row.fields if field.bits),
        optional_numbers=tuple(_optional(field) for field in row.fields if field.kind is FieldKind.NUMBER_OR_NONE),
        strings=_placed(row, {FieldKind.STRING}),
        optional_strings=_placed(row, {FieldKind.STRING_OR_NONE}),
        nodes=_placed(row, _TO_NODES),
        node_ids=_placed(row, {FieldKind.NODE_ID}),
        unsigned_integers=_placed(row, {FieldKind.INTEGER}),
        signed_integers=_placed(row, {FieldKind.SIGNED_INTEGER}),
        rest=None if rest is None or rest.position is None else (rest.position, rest.attribute),
    )


def position_of(code: MetadataCode, name: str) -> int:
    """Return the operand of a record of today's form that holds a field, by the field's name in text.

    Raises:
        KeyError: the record has no such field.
    """
    positions = {field.name: field.position for field in _ROWS[code].fields if field.position is not None}
    return positions[name]


def row_of(node: type[DINode]) -> tuple[int, Node]:
    """Return the record code of a class of nodes, and its row in the table."""
    return int(MetadataCode[node.layout.record]), node.layout


def _placed(row: Node, kinds: set[FieldKind]) -> tuple[tuple[str, int], ...]:
    """Return attribute and position of the fields of some kinds, those left out that are a part of an operand."""
    return tuple(
        (field.attribute, field.position)
        for field in row.fields
        if field.kind in kinds and field.position is not None and not field.bits
    )


def _missing(row: Node) -> list[int]:
    """Return the default of each operand, for a record that ends before it."""
    operands = [0] * (1 + max(field.position or 0 for field in row.fields if field.kind is not FieldKind.NODES))
    for field in row.fields:
        if field.position is None or field.kind is FieldKind.NODES:
            continue
        if field.kind is FieldKind.NUMBER_OR_NONE:
            operands[field.position] = field.absent
        elif isinstance(field.default, int) and field.kind is not FieldKind.INTEGER:
            operands[field.position] = int(field.default)
    return operands


def _bits(field: NodeField) -> PartField:
    shift, count = field.bits or (0, 0)
    return PartField(field.attribute, field.position or 0, shift, (1 << count) - 1, field.kind is FieldKind.BOOLEAN)


def _optional(field: NodeField) -> OptionalNumber:
    # A number whose missing value is encoded as 0 is stored plus one.
    return OptionalNumber(field.attribute, field.position or 0, field.absent, 0 if field.absent else -1)
