"""From debug-info nodes to records: functions made from the rows of `tables.debug_info`.

Rules: bitcode record reference, section 8.5, in the form that LLVM 22 writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.schema.metadata import HEADER_BITS, row_of
from bitcodec.bitcode.writer.rows import wide
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.debug_info_rows import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.ir.debug_info import DINode
    from bitcodec.tables.debug_info_rows import Field, Node

__all__ = ["NodeForm", "form_of"]

_WORD = 0xFFFF_FFFF_FFFF_FFFF
_HALF_WORD = 0xFFFF_FFFF
_VERSIONED_LANGUAGE = 1 << 63


class NodeForm(NamedTuple):
    """How the nodes of a class are written.

    Attributes:
        code: of their records.
        references: returns what a node refers to: metadata, texts of strings, integers that are constants `i64`.
        operands: returns the operands of a node's record; the second argument gives the id of whatever it refers to.
    """

    code: int
    references: Callable[[Any], list[Any]]
    operands: Callable[[Any, Mapping[Any, int]], list[int]]


_KNOWN: dict[type[DINode], NodeForm] = {}


def form_of(kind: type[DINode]) -> NodeForm:
    """Return how the nodes of a class are written."""
    found = _KNOWN.get(kind)
    if found is None:
        code, row = row_of(kind)
        references, operands = _compiled("n", row, _references(row)), _compiled("n, m", row, _operands(code, row))
        found = _KNOWN[kind] = NodeForm(code, references, operands)
    return found


def _compiled(parameters: str, row: Node, source: str) -> Any:
    """Return a function of a node (`n`) and, for operands, of ids (`m`); fields are variables that begin with `f_`."""
    variables = "".join(f"f_{field.attribute}, " for field in row.fields)
    names = dict(_PARTS)
    # It consists of what stands in the table, and nothing that stands in a file.
    exec(f"def form({parameters}):\n    ({variables}) = n.key()\n    return {source}", names)  # noqa: S102
    return names["form"]


_PRESENT = {
    Kind.STRING: "f_{name} != ''",
    Kind.STRING_OR_NONE: "f_{name} is not None",
    Kind.NODE: "f_{name} is not None",
    Kind.NODE_ID: "f_{name} is not None",
    Kind.TYPE: "f_{name} is not None",
    Kind.INTEGER: "f_{name} is not None",
    Kind.SIGNED_INTEGER: "f_{name} is not None",
}
"""Kinds of fields that refer to something, and when they do."""


def _references(row: Node) -> str:
    found = [
        f"*((f_{field.attribute},) if {_PRESENT[field.kind].format(name=field.attribute)} else ())"
        for field in sorted(row.fields, key=lambda field: field.operand or 0)
        if field.kind in _PRESENT
    ]
    found += [f"*[x for x in f_{field.attribute} if x is not None]" for field in row.fields if field.kind is Kind.NODES]
    return f"[{', '.join(found)}]"


def _operands(code: int, row: Node) -> str:
    by_position: dict[int, list[Field]] = {}
    for field in row.fields:
        if field.position is not None:
            by_position.setdefault(field.position, []).append(field)
    end = _LENGTHS.get(code, max(by_position) + 1)
    header = [f"(n.is_distinct | {HEADER_BITS.get(code, 0)})", *_bits(by_position.get(0, []))]
    positions = [" | ".join(header)]
    for position in range(1, end):
        fields = by_position.get(position, [])
        positions.append(" | ".join(_bits(fields)) or (_operand(fields[0]) if fields else "0"))
    return _ADJUSTED.get(code, "{0}").format(f"[{', '.join(positions)}]")


def _bits(fields: list[Field]) -> list[str]:
    return [f"f_{field.attribute} << {field.bits[0]}" for field in fields if field.bits is not None]


def _operand(field: Field) -> str:
    """Return what a field is in a record."""
    name = f"f_{field.attribute}"
    if field.kind is Kind.NUMBER_OR_NONE:
        # What is 0 where the number is missing is one more where it is there.
        there = name if field.absent else f"{name} + 1"
        return f"({field.absent} if {name} is None else {there})"
    return _OPERANDS[field.kind].format(name=name)


_OPERANDS = {
    Kind.NUMBER: "{name}",
    Kind.COLUMN: "{name}",
    Kind.NAMED: "{name}",
    Kind.FLAGS: "{name}",
    Kind.SIGNED: f"{{name}} & {_WORD}",
    Kind.WIDE: "*wide_of(n, {name})",
    Kind.BOOLEAN: "int({name})",
    Kind.STRING: "(m[{name}] + 1 if {name} else 0)",
    Kind.STRING_OR_NONE: "(0 if {name} is None else m[{name}] + 1)",
    Kind.NODE: "(0 if {name} is None else m[{name}] + 1)",
    Kind.TYPE: "(0 if {name} is None else m[{name}] + 1)",
    Kind.INTEGER: "(0 if {name} is None else m[{name}] + 1)",
    Kind.SIGNED_INTEGER: "(0 if {name} is None else m[{name}] + 1)",
    Kind.NODE_ID: "m[{name}]",
    Kind.NODES: "*[0 if x is None else m[x] + 1 for x in {name}]",
}
"""What the fields of each kind are in a record."""

_LENGTHS: dict[int, int] = {MetadataCode.COMPILE_UNIT: 23}
"""Records whose last fields stand in the place of others."""

_ADJUSTED: dict[int, str] = {
    MetadataCode.COMPILE_UNIT: "with_language(n, {0})",
    MetadataCode.FILE: "with_source(n, {0})",
}


def _with_language(unit: Any, operands: list[int]) -> list[int]:
    """Put a language that has a name apart from its version where others have their number."""
    if unit.source_language_name:
        operands[1] = _VERSIONED_LANGUAGE | unit.source_language_name
    return operands


def _with_source(file: Any, operands: list[int]) -> list[int]:
    return operands if file.source is not None else operands[:-1]


def _wide_of(node: Any, number: int) -> list[int]:
    """Return words; those of a fixed-point type have their number and the number of bits ahead of them."""
    if hasattr(node, "bit_width"):
        width = node.bit_width
        bits = number & ((1 << width) - 1)
        return wide(bits, max((bits.bit_length() + 63) // 64, 1))
    width = max(number.bit_length() + 1, 1)
    count = (width + 63) // 64
    return [width | count << 32, *wide(number & ((1 << 64 * count) - 1), count)]


_PARTS: dict[str, Any] = {"wide_of": _wide_of, "with_language": _with_language, "with_source": _with_source}
