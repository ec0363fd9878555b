# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""Metadata nodes: each is looked at once, however it is reached; they may refer to each other in circles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.debug_info import (
    DICompileUnit,
    DIExpression,
    DIGlobalVariable,
    DIGlobalVariableExpression,
    DILocation,
    DISubprogram,
)
from bitcodec.ir.debug_info_base import DINode
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.metadata import (
    DIArgList,
    LocalAsMetadata,
    MDNode,
    MDString,
    MDTuple,
    Metadata,
    ValueAsMetadata,
    content_of,
)
from bitcodec.ir.types import MetadataType
from bitcodec.verifier.debug_info import NODE_RULES
from bitcodec.verifier.node_rules import TRIP_COUNT, TRIP_COUNT_RULES, is_definition
from bitcodec.verifier.node_shapes import NODE_SHAPES, ShapePart
from bitcodec.verifier.rules import all_broken, first_broken

if TYPE_CHECKING:
    from bitcodec.ir.values import Value
    from bitcodec.verifier.reporter import Reporter

__all__ = ["MetadataWalk"]

_IN_WRONG_FUNCTION = "function-local metadata used in wrong function"
_CLASS, _TRUTH, _SCOPE = ShapePart.CLASS, ShapePart.TRUTH, ShapePart.SCOPE
_SHAPES: dict[type[MDNode], tuple[Any, ...]] = {kind: tuple(shape) for kind, shape in NODE_SHAPES.items()}
"""As plain tuples, which are taken apart faster."""
_PLACES: dict[type[MDNode], tuple[int, ...]] = {
    kind: kind.operand_places for kind in NODE_RULES if issubclass(kind, DINode) and kind.operand_list_place is None
}
"""By class: the places in the content of a node that contain references."""


class MetadataWalk:
    """Visits nodes and the nodes that they refer to.

    Attributes:
        units: the compile units that were visited, in order.
        seen: the nodes that have been looked at.
    """

    __slots__ = ("_sound_shapes", "_verifier", "seen", "units")

    def __init__(self, verifier: Reporter) -> None:
        self._verifier = verifier
        self.seen: set[Metadata] = set()
        self.units: dict[DICompileUnit, None] = {}
        self._sound_shapes: set[tuple[object, ...]] = set()

    def visit(self, node: MDNode, with_locations: bool) -> None:  # noqa: FBT001 - C has no others
        """Check a node and everything that it refers to, unless that was done before.

        Args:
            node: the node.
            with_locations: whether there may be debug locations among them.
        """
        seen = self.seen
        if node in seen:
            return
        pending = [node]
        while pending:
            current = pending.pop()
            if current not in seen:
                seen.add(current)
                content = content_of(current)
                self._check(current, content)
                self._add_nodes(current, content, pending, with_locations)

    def check(self, node: MDNode) -> None:
        """Check one node by itself, also if that was done before."""
        self._check(node, content_of(node))

    def _check(self, node: Any, content: tuple[Any, ...]) -> None:
        """Check one node by itself."""
        kind = type(node)
        rules = NODE_RULES.get(kind)
        if rules is None:
            self._check_tuple(node, content)
            return
        parts, remaining_rules = _SHAPES.get(kind, (None, None))
        shape = None if parts is None else _shape_of(kind, content, parts)
        if shape is not None and shape in self._sound_shapes:
            if not remaining_rules:
                return
            rules = remaining_rules
        problems = all_broken(rules, node)
        if kind is DIGlobalVariableExpression:
            # LLVM checks these two with it, and again on their own account.
            self._check_part(node.variable)
            self._check_part(node.expression)
        for problem in problems:
            self._verifier.report(problem, node, is_debug_info=True)
        if problems:
            return
        if shape is not None:
            self._sound_shapes.add(shape)
        elif kind is DICompileUnit:
            self.units[cast("DICompileUnit", node)] = None

    def _check_tuple(self, node: Any, content: tuple[Any, ...]) -> None:
        if content and type(content[0]) is MDString and content[0].text == TRIP_COUNT:
            problem = first_broken(TRIP_COUNT_RULES, node)
            if problem is not None:
                self._verifier.report(problem, node)

    def _check_part(self, node: object) -> None:
        if type(node) is DIGlobalVariable or type(node) is DIExpression:
            self.check(node)

    def _add_nodes(self, node: MDNode, content: tuple[Any, ...], pending: list[MDNode], with_locations: bool) -> None:  # noqa: FBT001 - the same
        """Check the operands of a node; add the nodes among them that have not been visited, the last one first."""
        places = _PLACES.get(type(node))
        operands: Any = content if places is None else [content[place] for place in places]
        if places is None and type(node) is not MDTuple:
            operands = node.operands
        nodes: list[MDNode] = []
        for operand in operands:
            if operand is None or type(operand) is MDString:
                continue
            if isinstance(operand, MDNode):
                if not with_locations and isinstance(operand, DILocation):
                    message = "DILocation not allowed within this metadata node"
                    self._verifier.report(message, node, operand, is_debug_info=True)
                    break
                if operand not in self.seen:
                    nodes.append(operand)
            elif isinstance(operand, LocalAsMetadata):
                self._verifier.report("Invalid operand for global metadata!", node, operand)
                break
            elif isinstance(operand, ValueAsMetadata):
                self.visit_value(operand, None)
        if nodes:
            nodes.reverse()
            pending += nodes

    def visit_argument(self, metadata: Metadata, function: Function | None) -> None:
        """Visit metadata that a call in a function passes."""
        if isinstance(metadata, MDNode):
            self.visit(metadata, with_locations=False)
        elif metadata not in self.seen:
            self.seen.add(metadata)
            self.visit_values(metadata, function)

    def visit_values(self, metadata: Metadata | None, function: Function | None) -> None:
        """Visit a value, or a list of them, that code of a function refers to."""
        for wrapped in metadata.arguments if isinstance(metadata, DIArgList) else (metadata,):
            if isinstance(wrapped, ValueAsMetadata):
                self.visit_value(wrapped, function)

    def visit_value(self, metadata: ValueAsMetadata, function: Function | None) -> None:
        """Visit a value wrapped as metadata, in a function or, if that is None, outside of all functions."""
        value = metadata.value
        if value is None:
            return  # it has gone: text has `null`
        if isinstance(value.type, MetadataType):
            self._verifier.report("Unexpected metadata round-trip through values", metadata, value)
        elif isinstance(metadata, LocalAsMetadata):
            self._check_local(metadata, value, function)

    def _check_local(self, metadata: ValueAsMetadata, value: Value, function: Function | None) -> None:
        if function is None:
            self._verifier.report("function-local metadata used outside a function", metadata)
        elif isinstance(value, Instruction):
            block = value.parent
            if block is None:
                self._verifier.report("function-local metadata not in basic block", metadata, value)
            elif block.parent is not function:
                self._verifier.report(_IN_WRONG_FUNCTION, metadata)
        elif (value.parent if isinstance(value, (Argument, BasicBlock)) else None) is not function:
            self._verifier.report(_IN_WRONG_FUNCTION, metadata)


def _shape_of(kind: type, content: tuple[Any, ...], parts: tuple[tuple[int, ShapePart], ...]) -> tuple[object, ...]:
    """Return the facts that the rules of a node depend on."""
    shape: list[object] = [kind]
    for place, part in parts:
        value = content[place]
        if part is _CLASS:
            shape.append(type(value))
        elif part is _TRUTH:
            shape.append(bool(value))
        elif part is _SCOPE:
            shape.append(type(value))
            if type(value) is DISubprogram:
                shape.append(is_definition(value))
        else:
            shape.append(value)
    return tuple(shape)
