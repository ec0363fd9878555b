"""Imports metadata of one context into another, so that equal metadata becomes the same object.

Worklists go through nodes, constants and types: they may be nested to any depth, and nodes may refer to each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.constants import (
    Constant,
    ConstantAggregate,
    ConstantDataSequential,
    ConstantFP,
    ConstantInt,
    PoisonValue,
    UndefValue,
)
from bitcodec.ir.construction.deferring import read_content
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.metadata import ConstantAsMetadata, MDNode, MDString, Metadata
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    IntegerType,
    PointerType,
    SequentialType,
    StructType,
    Type,
    VectorType,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bitcodec.ir.context import Context
    from bitcodec.ir.metadata import Content
    from bitcodec.ir.values import Value

__all__ = ["Importer", "is_of"]


class Importer:
    """Copies metadata of one module into a context.  A distinct node has one copy, and another importer makes another.

    Args:
        context: the context of the copies.
        counterpart: returns the global that replaces a foreign one, None if there is none.

    Attributes:
        foreign: the values met so far that cannot be copied: constant expressions, identified structs, globals without
            a counterpart.  They are kept unchanged.
    """

    __slots__ = ("_constants", "_context", "_counterpart", "_nodes", "_types", "foreign")

    def __init__(self, context: Context, counterpart: Callable[[GlobalValue], GlobalValue | None]) -> None:
        self.foreign: list[Value] = []
        self._context = context
        self._counterpart = counterpart
        self._nodes: dict[MDNode, MDNode] = {}
        self._constants: dict[Constant, Constant] = {}
        self._types: dict[Type, Type | None] = {}

    def metadata(self, given: Metadata | None) -> Metadata | None:
        """Return the copy of metadata.

        Raises:
            BitcodecError: it has not been read yet, and is malformed.
        """
        if isinstance(given, MDNode):
            return self.node(given)
        if isinstance(given, MDString):
            return self._context.metadata.string(given.text)
        if isinstance(given, ConstantAsMetadata) and isinstance(given.value, Constant):
            return self._context.metadata.value(self.constant(given.value))
        return given

    def node(self, root: MDNode) -> MDNode:
        """Return the copy of a node.

        Raises:
            BitcodecError: it has not been read yet, and is malformed.
        """
        made = self._nodes
        pending, unfilled = [root], []
        entered: set[MDNode] = set()
        while pending:
            node = pending[-1]
            if node in made:
                pending.pop()
                continue
            read_content(node)
            inner = [child for child in _children(node) if child not in made]
            # Content makes a node known, but for one that is distinct, or that leads back to itself.
            if node.is_distinct or any(child in entered for child in inner):
                made[node] = _blank(node)
                unfilled.append(node)
                pending += inner
            elif inner:
                entered.add(node)
                pending += inner
            else:
                made[node] = self._context.metadata.node(type(node), self._content(node))
        for node in unfilled:
            made[node]._fill(self._content(node))
        return made[root]

    def _content(self, node: MDNode) -> Content:
        """Return the content of a node as its copy has it; the nodes that it refers to have been copied."""
        return tuple([self._part(part) for part in node.key()])

    def _part(self, part: Any) -> Any:
        if isinstance(part, MDNode):
            return self._nodes[part]
        if isinstance(part, tuple):
            return tuple([self._part(inner) for inner in part])
        return self.metadata(part) if isinstance(part, Metadata) else part

    def constant(self, root: Constant) -> Constant:
        """Return the copy of a constant."""
        made = self._constants
        if root in made:
            return made[root]
        pending = [root]
        while pending:
            constant = pending[-1]
            inner: list[Any] = []
            if isinstance(constant, ConstantAggregate):
                inner = [element for element in constant.operands if element not in made]
            if inner and constant not in made:
                pending += inner
                continue
            pending.pop()
            if constant not in made:
                made[constant] = self._copied(constant)
        return made[root]

    def _copied(self, constant: Constant) -> Constant:
        if isinstance(constant, GlobalValue):
            copy: Constant | None = self._counterpart(constant)
        else:
            kind = self._type(constant.type)
            copy = None if kind is None else self._of_type(constant, kind)
        if copy is None:
            self.foreign.append(constant)
        return constant if copy is None else copy

    def _of_type(self, constant: Constant, kind: Type) -> Constant | None:
        table = self._context.constants
        match constant:
            case ConstantInt() if isinstance(kind, IntegerType):
                return table.integer(kind, constant.value)
            case ConstantFP() if isinstance(kind, FloatingPointType):
                return table.floating(kind, constant.bits)
            case ConstantDataSequential() if isinstance(kind, (ArrayType, VectorType)):
                return table.data(kind, constant.elements)
            case ConstantAggregate():
                elements = [self._constants[element] for element in constant.operands if isinstance(element, Constant)]
                return table.aggregate(kind, elements) if _are_of(elements, kind) else None
            case UndefValue():
                return (table.poison if isinstance(constant, PoisonValue) else table.undef)(kind)
        return table.null(kind) if constant.is_null else None

    def _type(self, root: Type) -> Type | None:
        """Return the copy of a type, None if it exists in the other context only."""
        made = self._types
        pending = [root]
        while pending:
            type_ = pending[-1]
            inner = [element for element in type_.element_types if element not in made]
            if inner and _is_structural(type_):
                pending += inner
                continue
            pending.pop()
            made[type_] = self._type_of_parts(type_) if _is_structural(type_) else None
        return made[root]

    def _type_of_parts(self, type_: Type) -> Type | None:
        table = self._context.types
        parts = [part for part in map(self._types.__getitem__, type_.element_types) if part is not None]
        if len(parts) < len(type_.element_types):
            return None
        match type_:
            case IntegerType():
                return table.integer(type_.bit_width)
            case FloatingPointType():
                found: Type = getattr(table, type_.spelling)
                return found
            case PointerType():
                return table.pointer(type_.address_space)
            case SequentialType():
                is_vector = isinstance(type_, VectorType)
                return table.like(type_, parts[0]) if is_vector else table.array(type_.count, parts[0])
        return table.struct(parts, is_packed=getattr(type_, "is_packed", False))


def is_of(context: Context, type: Type) -> bool:
    """Return whether a type may belong to a context; for an identified struct that is unknown."""
    found = Importer(context, lambda _: None)._type(type)
    return found is None or found is type


def _is_structural(type_: Type) -> bool:
    """Return whether a type is identified by its structure."""
    if isinstance(type_, StructType):
        return type_.is_literal
    return isinstance(type_, (IntegerType, FloatingPointType, PointerType, ArrayType, VectorType))


def _are_of(elements: list[Constant], kind: Type) -> bool:
    """Return whether elements have the element types of an aggregate; one that could not be copied has not."""
    if isinstance(kind, StructType):
        return [element.type for element in elements] == list(kind.element_types)
    return all(element.type is kind.element_types[0] for element in elements)


def _blank(node: MDNode) -> MDNode:
    """Return a node of the same class without content."""
    kind = type(node)
    copy = kind.__new__(kind)
    copy.is_distinct = node.is_distinct
    return copy


def _children(node: MDNode) -> Iterator[MDNode]:
    """Yield the nodes that a node refers to."""
    for part in node.key():
        if isinstance(part, MDNode):
            yield part
        elif isinstance(part, tuple):
            yield from (inner for inner in part if isinstance(inner, MDNode))
