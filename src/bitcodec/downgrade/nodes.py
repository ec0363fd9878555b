"""Metadata nodes that older versions of LLVM lack: one row each.  Rules: docs/reference/older-readers.md, 8.

The first versions of fields and classes are in the rows of `tables.debug_info`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.downgrade.constructs import Construct, Way
from bitcodec.ir import debug_info
from bitcodec.ir.metadata import MDString, MDTuple, Metadata, content_of
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.dwarf import Tag

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.downgrade.losses import Losses
    from bitcodec.ir.debug_info import DINode
    from bitcodec.ir.metadata import MDNode
    from bitcodec.ir.module import Module

__all__ = [
    "ASSIGNMENT_IDS",
    "EXCHANGED",
    "EXPECTED_WEIGHTS",
    "HIGHER_FLAGS",
    "INSTEAD",
    "NEWER_FLAGS",
    "ROWS",
    "SUBPROGRAM_FLAGS",
    "TAGS",
    "WEIGHTS",
    "NodeConstruct",
    "field",
    "known_flags",
    "known_node_flags",
    "name_variables",
    "without_origin",
]

INSTEAD: dict[str, tuple[type[DINode], int]] = {
    "DIFixedPointType": (debug_info.DIBasicType, Tag.base_type),
    "DISubrangeType": (debug_info.DIDerivedType, Tag.typedef),
    "DIStringType": (debug_info.DIBasicType, Tag.base_type),
    "DIGenericSubrange": (debug_info.DISubrange, 0),
    "DICommonBlock": (debug_info.DINamespace, 0),
    "DILabel": (debug_info.DILocalVariable, 0),
    "DIProperty": (debug_info.DIObjCProperty, 0),
}
"""By class of node, the class that is written instead, and its tag if the node has none."""

TAGS: dict[str, dict[int, tuple[int, int]]] = {
    "DIDerivedType": {
        Tag.variable: (18, Tag.member),
        Tag.LLVM_ptrauth_type: (19, Tag.typedef),
        Tag.template_alias: (19, Tag.typedef),
    },
    "DICompositeType": {Tag.variant: (21, Tag.structure_type), Tag.variant_part: (7, Tag.structure_type)},
}
"""By class of node and tag, the first version whose verifier accepts the tag, and the tag that is written before."""

EXCHANGED = {"DIObjCProperty": (22, 4, 5)}
"""By class of node, the first version whose records have two operands exchanged, and these operands."""

SUBPROGRAM_FLAGS = Construct("newer flags of !DISubprogram", 11, Way.DROP)
NEWER_FLAGS = Construct("newer flags of debug-info nodes", 9, Way.DROP)
HIGHER_FLAGS = Construct("flags of debug-info nodes above `AllCallsDescribed`", 12, Way.DROP)
ASSIGNMENT_IDS = Construct("!DIAssignID", MetadataCode.ASSIGN_ID.since, Way.DROP)
EXPECTED_WEIGHTS = Construct("`expected` in branch weights", 20, Way.DROP)
_NAMELESS_VARIABLE = Construct("!DIGlobalVariable without a name", 9, Way.DROP, "the name `.unnamed`")

_KNOWN_FLAGS = ((0, 0x1F), (9, 0x1FF), (10, 0x3FF), (SUBPROGRAM_FLAGS.since, 0xFFF))
"""Flags of subprograms that versions know, from the first version that knows these."""
_KNOWN_NODE_FLAGS = (
    (0, 0x1F_FFFF),
    (7, 0x3FF_FFFF),
    (8, 0x3BFF_FFFF),
    (NEWER_FLAGS.since, 0x3FFF_FFFF),
    (HIGHER_FLAGS.since, 0xFFFF_FFFF),
)
"""Flags of nodes that versions print, from the first version that does; LLVM 7 and 8 read NonTrivial as Trivial."""
WEIGHTS = "branch_weights"
_ORIGIN = 2
"""Number of operands in front of the weights in branch weights that name their origin."""
_FOLLOWING = {"keyInstructions": " and atom groups of its locations"}
"""By field, the text about another field that has no meaning without it."""


def field(node_name: str, name: str, since: int) -> Construct:
    """Return the construct that a field of a debug-info node is."""
    return Construct(f"field `{name}` of !{node_name}{_FOLLOWING.get(name, '')}", since, Way.DROP)


def known_flags(version: int) -> int:
    """Return the flags of subprograms that a version knows."""
    return max(flags for since, flags in _KNOWN_FLAGS if since <= version)


def known_node_flags(version: int) -> int:
    """Return the flags of nodes that a version prints; builds with assertions end on others before LLVM 12."""
    return max((since, flags) for since, flags in _KNOWN_NODE_FLAGS if since <= version)[1]


def without_origin(node: MDTuple) -> tuple[Any, ...] | None:
    """Return branch weights without where they come from, which older versions take for a weight; None for others."""
    if len(node.operands) <= _ORIGIN:
        return None
    kind, origin, *weights = node.operands
    is_one = isinstance(kind, MDString) and kind.text == WEIGHTS and isinstance(origin, MDString)
    return (kind, *weights) if is_one else None


def name_variables(module: Module, contents: dict[MDNode, tuple[Any, ...]], losses: Losses) -> None:
    """Give a name to unnamed variables in debug information.

    Args:
        module: the module.
        contents: receives the content that is written for a node.
        losses: receives the fields that the version lacks.
    """
    units = module.named_metadata.get("llvm.dbg.cu")
    if units is None or losses.version >= _NAMELESS_VARIABLE.since:
        return
    place = list(debug_info.DIGlobalVariable.defaults).index("name")
    # Of malformed debug information, any of them may be another node.
    for unit in units.operands:
        for each in (unit.globals or ()) if isinstance(unit, debug_info.DICompileUnit) else ():
            variable = each.variable if isinstance(each, debug_info.DIGlobalVariableExpression) else None
            if isinstance(variable, debug_info.DIGlobalVariable) and not variable.name:
                losses.add(_NAMELESS_VARIABLE, "", variable)
                content = content_of(variable)
                contents[variable] = (*content[:place], ".unnamed", *content[place + 1 :])


class NodeConstruct(NamedTuple):
    """A value that nodes of a class may have.

    Attributes:
        construct: the construct.
        kind: the class.
        has: returns whether a node has it; a version that lacks the construct is given.
        write: returns another node and its written content; None: fields are left out by the rows of the class.
    """

    construct: Construct
    kind: type[DINode]
    has: Callable[[Any, int], object]
    write: Callable[[Any], tuple[MDNode, tuple[Any, ...]]] | None = None


def _lost_flags(subprogram: debug_info.DISubprogram, version: int) -> int:
    return subprogram.sp_flags & ~known_flags(version)


def _retains_entities(subprogram: debug_info.DISubprogram, _version: int) -> bool:
    retained = subprogram.retained_nodes
    return isinstance(retained, MDTuple) and any(
        isinstance(part, debug_info.DIImportedEntity) for part in retained.operands
    )


def _without_entities(subprogram: debug_info.DISubprogram) -> tuple[MDNode, tuple[Any, ...]]:
    retained: Any = subprogram.retained_nodes
    return retained, tuple(part for part in retained.operands if not isinstance(part, debug_info.DIImportedEntity))


def _is_wide(enumerator: debug_info.DIEnumerator, _version: int) -> bool:
    lowest, end = (0, 1 << 64) if enumerator.is_unsigned else (-(1 << 63), 1 << 63)
    return not lowest <= enumerator.value < end


def _has_variable_bound(bounds: debug_info.DISubrange, _version: int) -> bool:
    return isinstance(bounds.count, Metadata) or isinstance(bounds.lower_bound, Metadata)


ROWS: tuple[NodeConstruct, ...] = (
    NodeConstruct(SUBPROGRAM_FLAGS, debug_info.DISubprogram, _lost_flags),
    NodeConstruct(
        Construct("!DIImportedEntity among the retained nodes of !DISubprogram", 17, Way.DROP),
        debug_info.DISubprogram,
        _retains_entities,
        _without_entities,
    ),
    NodeConstruct(
        Construct("value of !DIEnumerator of more than 64 bits", 11, Way.DROP, "its lowest 64 bits"),
        debug_info.DIEnumerator,
        _is_wide,
    ),
    NodeConstruct(
        Construct("missing `lowerBound` of !DISubrange", 11, Way.LOWER, "0"),
        debug_info.DISubrange,
        lambda bounds, _version: bounds.lower_bound is None,
    ),
    NodeConstruct(
        Construct("bounds of !DISubrange that are not numbers", 11, Way.DROP),
        debug_info.DISubrange,
        _has_variable_bound,
    ),
)
"""All of them; of a class, in the order in which they are reported."""
