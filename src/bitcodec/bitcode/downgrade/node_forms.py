"""Records of debug-info nodes in forms that old versions of LLVM have: more differs than how many fields there are.

Rules: older readers reference, section 8.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.bitcode.writer.debug_info import Operation, operand_program
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.debug_info_flags import DISPFlag

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.tables.debug_info_rows import Node

__all__ = ["OlderForm", "older_form"]

_Operand = tuple[int, int, Any]


class OlderForm(NamedTuple):
    """How old versions of LLVM have a class of nodes.

    Attributes:
        until: the first version of LLVM that has another form.
        header: what the first operand says, but for whether the node is distinct.
        operands: the other operands: the attribute that it is, or one and a function that makes the operand of it,
            or a number.
        flags: attributes that are bits of the first operand, and which bit.
    """

    until: int
    header: int
    operands: Sequence[str | int | tuple[str, Callable[[Any], int]]]
    flags: tuple[tuple[str, int], ...] = ()


def _bit(flag: int) -> Callable[[int], int]:
    return lambda flags: int(bool(flags & flag))


def _number(part: Any) -> int:
    """Return a number, -1 where debug information has something else."""
    return part if isinstance(part, int) else -1


def _rotated(part: Any) -> int:
    """Return a number with its sign in the lowest bit; in metadata the other bits are those of the complement."""
    number = part & _WORD if isinstance(part, int) else 0
    return ~(number << 1) & _WORD if number >> 63 else number << 1


def _count(part: Any) -> int:
    return _number(part) & _WORD


def _size(part: Any) -> int:
    """Return a number, 0 where debug information has something else."""
    return part if isinstance(part, int) else 0


_WORD = 0xFFFF_FFFF_FFFF_FFFF


def _emission_kind(kind: int) -> int:
    """Return how much is emitted: old versions know only nothing, everything, and lines."""
    return min(kind, 2)


_LOCAL, _DEFINITION, _OPTIMIZED, _VIRTUALITY = (
    DISPFlag.LocalToUnit,
    DISPFlag.Definition,
    DISPFlag.Optimized,
    3,
)
_SUBPROGRAM = (
    "scope", "name", "linkage_name", "file", "line", "type", ("sp_flags", _bit(_LOCAL)),
    ("sp_flags", _bit(_DEFINITION)), "scope_line", "containing_type", ("sp_flags", lambda flags: flags & _VIRTUALITY),
    "virtual_index", "flags", ("sp_flags", _bit(_OPTIMIZED)), "unit", "template_params", "declaration",
    "retained_nodes", "this_adjustment", "thrown_types",
)  # fmt: skip
_VARIABLE = ("scope", "name", "linkage_name", "file", "line", "type", "is_local", "is_definition")
_UNIT = (
    "language", "file", "producer", "is_optimized", "flags", "runtime_version", "split_debug_filename",
    ("emission_kind", _emission_kind), "enums", "retained_types", 0, "globals", "imports", "dwo_id", "macros",
    "split_debug_inlining",
)  # fmt: skip

_FORMS: dict[str, tuple[OlderForm, ...]] = {
    "DISubrange": (OlderForm(11, 0, (("count", _count), ("lower_bound", _rotated))),),
    "DIEnumerator": (
        OlderForm(7, 0, (("value", _rotated), "name")),
        OlderForm(11, 0, (("value", _rotated), "name"), (("is_unsigned", 1),)),
    ),
    "DISubprogram": (OlderForm(5, 2, _SUBPROGRAM[:-1]), OlderForm(8, 2, _SUBPROGRAM)),
    "DIGlobalVariable": (OlderForm(8, 1 << 1, (*_VARIABLE, 0, "declaration", "align")),),
    "DIStringType": (
        OlderForm(
            14, 0, ("tag", "name", "string_length", "string_length_expression", ("size", _size), "align", "encoding")
        ),
    ),
    "DITemplateValueParameter": (OlderForm(11, 0, ("tag", "name", "type", "value")),),
    "DIModule": (OlderForm(11, 0, ("scope", "name", "config_macros", "include_path", "apinotes")),),
    "DICompileUnit": (
        OlderForm(5, 0, _UNIT),
        OlderForm(6, 0, (*_UNIT, "debug_info_for_profiling")),
        OlderForm(7, 0, (*_UNIT, "debug_info_for_profiling", "name_table_kind")),
    ),
    "DINamespace": (OlderForm(5, 0, ("scope", 0, "name", 0), (("export_symbols", 1),)),),
    "DIImportedEntity": (OlderForm(5, 0, ("tag", "scope", "entity", "line", "name")),),
    "DIDerivedType": (
        OlderForm(
            5,
            0,
            (
                "tag",
                "name",
                "file",
                "line",
                "scope",
                "base_type",
                ("size", _size),
                "align",
                ("offset", _size),
                "flags",
                "extra_data",
            ),
        ),
    ),
}
"""By class, from the oldest form."""


def older_form(row: Node, version: int) -> tuple[_Operand, ...] | None:
    """Return the operands of the nodes of a class in the form of a version, None if it has that of today."""
    form = next((form for form in _FORMS.get(row.name, ()) if version < form.until), None)
    if form is None:
        return None
    places = {field.attribute: place for place, field in enumerate(row.fields)}
    code = MetadataCode[row.record]
    bits = tuple((places[name], bit) for name, bit in form.flags)
    operands: list[_Operand] = [(Operation.HEADER, 0, (form.header, bits))]
    for operand in form.operands:
        if isinstance(operand, int):
            operands.append((Operation.ZERO, 0, None))
        elif isinstance(operand, str):
            operands.append(operand_program(code, row, places[operand]))
        else:
            name, make = operand
            operands.append((Operation.COMPUTED, places[name], _made_by(make, places[name])))
    return tuple(operands)


def _made_by(make: Callable[[Any], int], place: int) -> Callable[[tuple[Any, ...]], int]:
    return lambda content: make(content[place])
