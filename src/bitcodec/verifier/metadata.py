# cython: language_level=3, annotation_typing=False
"""Metadata nodes: each is looked at once, however it is reached; they may refer to each other in circles."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.debug_info import DICompileUnit, DILocation
from bitcodec.ir.functions import Argument, Function
from bitcodec.ir.instructions import Instruction
from bitcodec.ir.metadata import DIArgList, LocalAsMetadata, MDNode, Metadata, ValueAsMetadata
from bitcodec.ir.types import MetadataType
from bitcodec.verifier.debug_info import NODE_RULES, NODE_SHAPES
from bitcodec.verifier.rules import first_broken

if TYPE_CHECKING:
    from bitcodec.ir.values import Value
    from bitcodec.verifier.reporter import Reporter

__all__ = ["MetadataWalk"]


class MetadataWalk:
    """Goes through nodes and all that they refer to.

    Attributes:
        units: the compile units that were met, in order.
        seen: the nodes that have been looked at.
    """

    def __init__(self, verifier: Reporter) -> None:
        self._verifier = verifier
        self.seen: set[Metadata] = set()
        self.units: dict[DICompileUnit, None] = {}
        self._sound_shapes: set[tuple[type, tuple[object, ...]]] = set()

    def visit(self, node: MDNode, *, with_locations: bool) -> None:
        """Look at a node and all that it refers to, if that was not done before.

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
                self._check(current)
                nodes = self._nodes_of(current, with_locations=with_locations)
                nodes.reverse()
                pending += nodes

    def _check(self, node: MDNode) -> None:
        """Check one node by itself."""
        kind = type(node)
        rules = NODE_RULES.get(kind)
        if rules is None:
            return
        shape_of = NODE_SHAPES.get(kind)
        shape = None if shape_of is None else (kind, shape_of(node))
        if shape is not None and shape in self._sound_shapes:
            return
        problem = first_broken(rules, node)
        if problem is not None:
            self._verifier.report(problem, node)
        elif shape is not None:
            self._sound_shapes.add(shape)
        elif kind is DICompileUnit:
            self.units[cast("DICompileUnit", node)] = None

    def _nodes_of(self, node: MDNode, *, with_locations: bool) -> list[MDNode]:
        """Check what a node refers to; return the nodes among it that have not been looked at."""
        nodes: list[MDNode] = []
        for operand in node.operands:
            if isinstance(operand, MDNode):
                if not with_locations and isinstance(operand, DILocation):
                    self._verifier.report("DILocation not allowed within this metadata node", node)
                    break
                if operand not in self.seen:
                    nodes.append(operand)
            elif isinstance(operand, LocalAsMetadata):
                self._verifier.report("Invalid operand for global metadata!", node)
                break
            elif isinstance(operand, ValueAsMetadata):
                self.visit_value(operand, None)
        return nodes

    def visit_argument(self, metadata: Metadata, function: Function | None) -> None:
        """Look at metadata that a call in a function passes."""
        if isinstance(metadata, MDNode):
            self.visit(metadata, with_locations=False)
        elif metadata not in self.seen:
            self.seen.add(metadata)
            self.visit_values(metadata, function)

    def visit_values(self, metadata: Metadata | None, function: Function | None) -> None:
        """Look at a value, or a list of them, that code of a function refers to."""
        for wrapped in metadata.arguments if isinstance(metadata, DIArgList) else (metadata,):
            if isinstance(wrapped, ValueAsMetadata):
                self.visit_value(wrapped, function)

    def visit_value(self, metadata: ValueAsMetadata, function: Function | None) -> None:
        """Look at a value where metadata stands, in a function or, if that is None, outside of all."""
        value = metadata.value
        if value is None:
            return  # it has gone: text has `null`
        if isinstance(value.type, MetadataType):
            self._verifier.report("Unexpected metadata round-trip through values", metadata)
        elif isinstance(metadata, LocalAsMetadata):
            self._check_local(metadata, value, function)

    def _check_local(self, metadata: LocalAsMetadata, value: Value, function: Function | None) -> None:
        if function is None:
            self._verifier.report("function-local metadata used outside a function", metadata)
        elif isinstance(value, Instruction) and value.parent is None:
            self._verifier.report("function-local metadata not in basic block", metadata)
        elif _owner(value) is not function:
            self._verifier.report("function-local metadata used in wrong function", metadata)


def _owner(value: Value) -> Function | None:
    if isinstance(value, Instruction):
        return value.function
    return value.parent if isinstance(value, (Argument, BasicBlock)) else None
