"""Shapes of debug-info nodes: facts that the rules of a class depend on, so that nodes of one shape are checked once.

Classes with many nodes in modules have a row here. A part names a field, and the facts about it that rules depend on.
The rows also list the rules that depend on more; these are applied to each node of a sound shape.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from bitcodec.ir.debug_info import (
    DIDerivedType,
    DIGlobalVariable,
    DILexicalBlock,
    DILocalVariable,
    DILocation,
    DISubprogram,
)
from bitcodec.named_tuple import NamedTuple
from bitcodec.verifier.debug_info import DISTINCT_DEFINITION
from bitcodec.verifier.debug_types import SET_BASE
from bitcodec.verifier.retained_nodes import RETAINED_NODES

if TYPE_CHECKING:
    from bitcodec.ir.debug_info import DINode
    from bitcodec.ir.metadata import MDNode
    from bitcodec.verifier.node_rules import NodeRules
    from bitcodec.verifier.rules import Called, Rule, Searched

__all__ = ["NODE_SHAPES", "NodeShape", "ShapePart"]


class ShapePart(Enum):
    """The aspect of a field that the rules of a node depend on.

    Attributes:
        ITSELF: its content.
        CLASS: the class of its content.
        TRUTH: whether its content is true.
        SCOPE: the class of its content, and whether `is_definition` holds for it.
    """

    ITSELF = auto()
    CLASS = auto()
    TRUTH = auto()
    SCOPE = auto()


class NodeShape(NamedTuple):
    """The shape of a class of nodes.

    Attributes:
        parts: places in the content of a node, and the facts about them that rules depend on.
        remaining_rules: the rules that depend on more, in order.
    """

    parts: tuple[tuple[int, ShapePart], ...]
    remaining_rules: NodeRules


def _shape(kind: type[DINode], *remaining_rules: Rule | Called | Searched, **parts: ShapePart) -> NodeShape:
    places = kind.__match_args__
    return NodeShape(tuple([(places.index(name), part) for name, part in parts.items()]), remaining_rules)


_ITSELF, _CLASS, _TRUTH, _SCOPE = ShapePart.ITSELF, ShapePart.CLASS, ShapePart.TRUTH, ShapePart.SCOPE

NODE_SHAPES: dict[type[MDNode], NodeShape] = {
    DILocation: _shape(DILocation, scope=_SCOPE, inlined_at=_CLASS),
    DILexicalBlock: _shape(DILexicalBlock, scope=_SCOPE, line=_TRUTH, column=_TRUTH),
    DILocalVariable: _shape(DILocalVariable, scope=_CLASS, file=_CLASS, type=_CLASS),
    DIGlobalVariable: _shape(
        DIGlobalVariable, scope=_CLASS, file=_CLASS, type=_CLASS, is_definition=_TRUTH, declaration=_CLASS
    ),
    DIDerivedType: _shape(
        DIDerivedType,
        SET_BASE,
        tag=_ITSELF,
        file=_CLASS,
        scope=_CLASS,
        base_type=_CLASS,
        size=_CLASS,
        flags=_ITSELF,
        extra_data=_ITSELF,
        dwarf_address_space=_CLASS,
    ),
    DISubprogram: _shape(
        DISubprogram,
        RETAINED_NODES,
        DISTINCT_DEFINITION,
        scope=_CLASS,
        file=_CLASS,
        line=_TRUTH,
        type=_CLASS,
        containing_type=_CLASS,
        sp_flags=_ITSELF,
        flags=_ITSELF,
        unit=_CLASS,
        template_params=_ITSELF,
        declaration=_SCOPE,
        retained_nodes=_CLASS,
        thrown_types=_ITSELF,
    ),
}
"""By class."""
