"""Records of debug-info nodes, version by version: the numbers of operands that readers accept, and older forms.

A row is a record.  Which fields a version writes follows from `since` in the rows of `tables.debug_info`; where more
differs than how many fields there are, the row has a form.
Rules: docs/reference/older-readers.md, 8; from LLVM 23 on, LLVM's own writer and reader.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_flags import DISPFlag

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

__all__ = ["NODE_VERSIONS", "UNKNOWN_NODES", "Lengths", "NodeVersions", "OlderForm", "accepted_lengths"]


class Lengths(NamedTuple):
    """The numbers of operands that readers accept.

    Attributes:
        since: the first version of LLVM that does; it does so up to the next row.
        accepted: the numbers, None if any will do that is large enough.
    """

    since: int
    accepted: Collection[int] | None


class OlderForm(NamedTuple):
    """How old versions of LLVM have a class of nodes.

    Attributes:
        until: the first version of LLVM that has another form.
        header: the first operand, without the bit for distinct nodes.
        operands: the other operands: an attribute, or one and a function that converts it to the operand,
            or a number.
        flags: attributes that are bits of the first operand, and which bit.
    """

    until: int
    header: int
    operands: Sequence[str | int | tuple[str, Callable[[Any], int]]]
    flags: tuple[tuple[str, int], ...] = ()


class NodeVersions(NamedTuple):
    """A row.

    Attributes:
        lengths: from the oldest version on; versions before the first do not know the record.
        forms: from the oldest one on.
    """

    lengths: tuple[Lengths, ...]
    forms: tuple[OlderForm, ...] = ()


def _bit(flag: int) -> Callable[[int], int]:
    return lambda flags: int(bool(flags & flag))


def _number(part: Any) -> int:
    """Return a number, -1 where debug information has something else."""
    return part if isinstance(part, int) else -1


def _rotated(part: Any) -> int:
    """Return a number with its sign in the lowest bit; in metadata the other bits are complemented."""
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


def _lengths(*rows: tuple[int, Collection[int] | None]) -> tuple[Lengths, ...]:
    return tuple(Lengths(*row) for row in rows)


def _to(least: int, most: int) -> range:
    return range(least, most + 1)


_OLDEST = 4
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
_DERIVED = (
    "tag", "name", "file", "line", "scope", "base_type", ("size", _size), "align", ("offset", _size), "flags",
    "extra_data",
)  # fmt: skip
_STRING_TYPE = ("tag", "name", "string_length", "string_length_expression", ("size", _size), "align", "encoding")

_C = MetadataCode
NODE_VERSIONS: dict[int, NodeVersions] = {
    _C.LOCATION: NodeVersions(_lengths((4, (5,)), (8, (5, 6)), (21, (5, 6, 8)))),
    _C.SUBRANGE: NodeVersions(
        _lengths((4, (3,)), (11, None)),
        (OlderForm(11, 0, (("count", _count), ("lower_bound", _rotated))),),
    ),
    _C.GENERIC_SUBRANGE: NodeVersions(_lengths((12, None))),
    _C.ENUMERATOR: NodeVersions(
        _lengths((4, (3,)), (11, None)),
        (
            OlderForm(7, 0, (("value", _rotated), "name")),
            OlderForm(11, 0, (("value", _rotated), "name"), (("is_unsigned", 1),)),
        ),
    ),
    # LLVM 23 crashes on 10 and 11 operands.
    _C.BASIC_TYPE: NodeVersions(
        _lengths((4, (6,)), (8, (6, 7)), (20, (6, 7, 8)), (22, _to(6, 9)), (23, (*_to(6, 9), 12)))
    ),
    _C.FIXED_POINT_TYPE: NodeVersions(_lengths((21, None))),
    _C.STRING_TYPE: NodeVersions(_lengths((12, (8,)), (14, (8, 9))), (OlderForm(14, 0, _STRING_TYPE),)),
    _C.FILE: NodeVersions(_lengths((4, (3, 5)), (7, (3, 5, 6)))),
    _C.DERIVED_TYPE: NodeVersions(
        _lengths((4, (12, 13)), (14, (12, 13, 14)), (19, _to(12, 15))), (OlderForm(5, 0, _DERIVED),)
    ),
    _C.SUBRANGE_TYPE: NodeVersions(_lengths((21, None))),
    _C.COMPOSITE_TYPE: NodeVersions(
        _lengths(
            (4, (16,)),
            (7, (16, 17)),
            (11, (16, 17, 18)),
            (12, _to(16, 21)),
            (14, _to(16, 22)),
            (20, _to(16, 24)),
            (21, _to(16, 26)),
        )
    ),
    _C.SUBROUTINE_TYPE: NodeVersions(_lengths((4, (3, 4)))),
    _C.COMPILE_UNIT: NodeVersions(
        _lengths(
            (4, _to(14, 17)),
            (5, _to(14, 18)),
            (6, _to(14, 19)),
            (11, _to(14, 22)),
            (22, _to(14, 23)),
            (23, _to(14, 24)),
        ),
        (
            OlderForm(5, 0, _UNIT),
            OlderForm(6, 0, (*_UNIT, "debug_info_for_profiling")),
            OlderForm(7, 0, (*_UNIT, "debug_info_for_profiling", "name_table_kind")),
        ),
    ),
    _C.SUBPROGRAM: NodeVersions(
        _lengths((4, _to(18, 21)), (21, _to(18, 22))),
        (OlderForm(5, 2, _SUBPROGRAM[:-1]), OlderForm(8, 2, _SUBPROGRAM)),
    ),
    _C.LEXICAL_BLOCK: NodeVersions(_lengths((4, (5,)))),
    _C.LEXICAL_BLOCK_FILE: NodeVersions(_lengths((4, (4,)))),
    _C.COMMON_BLOCK: NodeVersions(_lengths((9, None))),
    _C.NAMESPACE: NodeVersions(
        _lengths((4, (3, 5))), (OlderForm(5, 0, ("scope", 0, "name", 0), (("export_symbols", 1),)),)
    ),
    _C.TEMPLATE_TYPE: NodeVersions(_lengths((4, (3,)), (11, (3, 4)))),
    _C.TEMPLATE_VALUE: NodeVersions(
        _lengths((4, (5,)), (11, (5, 6))), (OlderForm(11, 0, ("tag", "name", "type", "value")),)
    ),
    _C.GLOBAL_VAR: NodeVersions(
        _lengths((4, (11, 12)), (8, (11, 12, 13))), (OlderForm(8, 1 << 1, (*_VARIABLE, 0, "declaration", "align")),)
    ),
    _C.LOCAL_VAR: NodeVersions(_lengths((4, (8, 9, 10)))),
    _C.OBJC_PROPERTY: NodeVersions(_lengths((4, (8,)))),
    _C.PROPERTY: NodeVersions(_lengths((24, (6,)))),
    _C.IMPORTED_ENTITY: NodeVersions(
        _lengths((4, (6, 7)), (14, (6, 7, 8))), (OlderForm(5, 0, ("tag", "scope", "entity", "line", "name")),)
    ),
    _C.MODULE: NodeVersions(
        _lengths((4, (6,)), (11, (5, 6, 7, 8)), (12, _to(5, 9))),
        (OlderForm(11, 0, ("scope", "name", "config_macros", "include_path", "apinotes")),),
    ),
    _C.MACRO: NodeVersions(_lengths((4, (5,)))),
    _C.MACRO_FILE: NodeVersions(_lengths((4, (5,)))),
    _C.GLOBAL_VAR_EXPR: NodeVersions(_lengths((4, (3,)))),
    _C.LABEL: NodeVersions(_lengths((7, (5,)), (21, (5, 6, 7)))),
    _C.ARG_LIST: NodeVersions(_lengths((13, None))),
    _C.ASSIGN_ID: NodeVersions(_lengths((16, None))),
}
"""By record code."""


def accepted_lengths(code: int) -> frozenset[int] | None:
    """Return the numbers of operands that the newest version accepts, None if it takes any number or has no row."""
    row = NODE_VERSIONS.get(code)
    accepted = None if row is None else row.lengths[-1].accepted
    return None if accepted is None else frozenset(accepted)


def _unknown() -> Iterator[tuple[MetadataCode, int, str]]:
    names = {MetadataCode[row.record]: row.name for row in NODES}
    others = {MetadataCode.ARG_LIST: "DIArgList", MetadataCode.ASSIGN_ID: "DIAssignID"}
    for code, row in NODE_VERSIONS.items():
        if row.lengths[0].since > _OLDEST:
            known = MetadataCode(code)
            yield known, row.lengths[0].since - 1, f"!{names.get(known) or others[known]}"


UNKNOWN_NODES: tuple[tuple[MetadataCode, int, str], ...] = tuple(_unknown())
"""Record codes with the last version that does not know them, and the class of node."""
