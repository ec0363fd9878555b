# cython: language_level=3, annotation_typing=False
"""Numbers of what text numbers: metadata nodes, attribute groups, and globals, locals and structs without a name.

Rules: assembly text reference, section 3.
"""

from __future__ import annotations

from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from bitcodec.asm.metadata import References
from bitcodec.asm.names import local_name
from bitcodec.asm.type_finder import TypeFinder
from bitcodec.ir import debug_info
from bitcodec.ir.debug_info import DIAssignID, DILocation
from bitcodec.ir.debug_records import DbgLabelRecord
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions import CallBase
from bitcodec.ir.metadata import MDNode, MDTuple
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.types import VoidType
from bitcodec.tables.debug_info import NODES
from bitcodec.tables.debug_info_rows import Kind
from bitcodec.tables.metadata_kinds import METADATA_KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bitcodec.ir.attributes import AttributeSet
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import StructType
    from bitcodec.ir.values import Value
    from bitcodec.tables.debug_info_rows import Node

__all__ = ["Numbering", "Numbers", "kind_numbers", "local_names", "unnamed_globals"]

T = TypeVar("T")


class Numbers(dict[T, int]):
    """Numbers from 0: what has none yet gets the next when it is asked for."""

    def __missing__(self, key: T) -> int:
        number = self[key] = len(self)
        return number

    def copy(self) -> Numbers[T]:
        """Return the same numbers, to give out more of them."""
        return Numbers(self)


class Numbering:
    """The numbers that text of a module has.

    Without more they are given out as text asks for them, which numbers a part of a module from 0; `of_module` gives
    them all as text of the whole module has them.

    Attributes:
        kinds: kinds of attachments, in the order of text.
        groups: sets of attributes.
        nodes: what stands for metadata nodes.
        unnamed_structs: identified structs without a name.
        structs: all identified structs, in the order of text.
    """

    def __init__(self, module: Module | None, kinds: Numbers[str] | None = None) -> None:
        self.kinds = kind_numbers(() if module is None else module.metadata_kinds) if kinds is None else kinds
        self.groups: Numbers[AttributeSet] = Numbers()
        self.nodes = References()
        self.unnamed_structs: Numbers[StructType] = Numbers()
        self.structs: list[StructType] = []

    @classmethod
    def of_module(cls, module: Module) -> Numbering:
        """Give numbers to all that a module has; it is read to the end.

        Raises:
            BitcodecError: it is malformed.
        """
        module.materialize()
        numbering = cls(module)
        for variable in module.global_variables:
            numbering.add_group(variable.attributes)
            numbering.add_attachments(variable.metadata)
        for ifunc in module.ifuncs:
            numbering.add_attachments(ifunc.metadata)
        for named in module.named_metadata.values():
            for node in named.operands:
                numbering.add_node(node)
        for function in module.functions:
            numbering.add_group(function.attributes.for_function)
        finder = TypeFinder()
        finder.find_in_globals(module)
        # One function after the other: what has been looked at is faster to look at again.
        for function in module.functions:
            numbering.add_function(function)
            finder.find_in_function(function)
        finder.find_in_named_metadata(module)
        numbering.structs = finder.structs
        for struct in finder.structs:
            if not struct.name:
                _ = numbering.unnamed_structs[struct]
        return numbering

    def ordered(self, attachments: Iterable[tuple[str, MDNode]]) -> list[tuple[str, MDNode]]:
        """Return kinds and attached nodes in the order of text."""
        kinds = self.kinds
        return sorted(attachments, key=lambda attachment: kinds[attachment[0]])

    def add_group(self, attributes: AttributeSet) -> None:
        """Give a number to a group of attributes, if it has any."""
        if attributes:
            _ = self.groups[attributes]

    def add_attachments(self, attachments: Iterable[tuple[str, MDNode]]) -> None:
        """Give numbers to attached nodes."""
        for _, node in self.ordered(attachments):
            self.add_node(node)

    def add_function(self, function: Function) -> None:
        """Give numbers to the attributes of the calls of a function that is read, and to its metadata."""
        if function.metadata:
            self.add_attachments(function.metadata)
        nodes = self.nodes
        for block in function._blocks:
            for instruction in block._instructions:
                # Nothing is deferred any more.
                records: Any = instruction._records
                if records:
                    self._add_records(records)
                if isinstance(instruction, CallBase):
                    self._add_call(instruction)
                location: Any = instruction._location
                if location is not None and location not in nodes:
                    self._add_location(location)
                attached: Any = instruction._attachments
                if attached:
                    # Most have one.
                    for _, node in attached.items() if len(attached) == 1 else self.ordered(attached.items()):
                        if node not in nodes:
                            self.add_node(node)

    def _add_location(self, location: DILocation) -> None:
        """Do what `add_node` does, for the node that there are most of."""
        nodes = self.nodes
        nodes[location] = f"!{len(nodes)}"
        if location.scope not in nodes:
            self.add_node(location.scope)
        if location.inlined_at is not None and location.inlined_at not in nodes:
            self.add_node(location.inlined_at)

    def add_node(self, node: object) -> None:
        """Give a number to a node, if text numbers it, and then to what it refers to."""
        nodes, references = self.nodes, _REFERENCES
        pending = [node]
        while pending:
            current = pending.pop()
            if current in nodes or type(current) not in references:
                continue
            nodes[current] = f"!{len(nodes)}"
            pending += [
                reference
                for reference in reversed(references[type(current)](current))
                if reference not in nodes and type(reference) in references
            ]

    def _add_call(self, call: CallBase) -> None:
        self.add_group(call.attributes.for_function)
        callee = call.callee
        if isinstance(callee, Function) and callee.name.startswith("llvm."):
            for argument in call.arguments:
                if isinstance(argument, MetadataAsValue):
                    self.add_node(argument.metadata)

    def _add_records(self, records: Iterable[Any]) -> None:
        nodes, add = self.nodes, self.add_node
        for record in records:
            if isinstance(record, DbgLabelRecord):
                add(record.label)
            else:
                # A node has a number wherever a value should be, whatever node it is.
                if isinstance(record.value, MDNode):
                    add(record.value)
                if record.variable not in nodes:
                    add(record.variable)
                if record.assign_id is not None:
                    add(record.assign_id)
                    add(record.address)
            location = record.location
            if location not in nodes:
                # What else may be there is a verifier's matter.
                add_location = self._add_location if isinstance(location, DILocation) else add
                add_location(location)


def kind_numbers(registered: Iterable[str]) -> Numbers[str]:
    """Return the numbers of the kinds of attached metadata that LLVM has, and of those that a module registers."""
    kinds: Numbers[str] = Numbers()
    for kind in chain(METADATA_KINDS, registered):
        _ = kinds[kind]
    return kinds


def local_names(function: Function) -> dict[Value, str]:
    """Return what stands for arguments, blocks and instructions of a function where they are operands."""
    names: dict[Value, str] = {}
    unnamed = 0
    values: list[Value] = [*function.arguments]
    for block in function.blocks:
        values.append(block)
        values += block._instructions
    for value in values:
        name = value._name
        if name:
            names[value] = local_name(name)
        elif type(value.type) is not VoidType:
            names[value] = f"%{unnamed}"
            unnamed += 1
    return names


def unnamed_globals(module: Module) -> dict[GlobalValue, int]:
    """Return the numbers of globals without a name."""
    values = (module.global_variables, module.aliases, module.ifuncs, module.functions)
    unnamed = (value for listed in values for value in listed if not value.name)
    return {value: number for number, value in enumerate(unnamed)}


_NODE_KINDS = {Kind.NODE, Kind.NODE_ID, Kind.TYPE, Kind.INTEGER, Kind.SIGNED_INTEGER}


def _references_of(row: Node) -> Callable[[Any], tuple[Any, ...]]:
    """Return what fetches the metadata that a kind of node may refer to, in the order of its operands."""
    fields = (field for field in row.fields if field.operand is not None)
    operands = sorted(fields, key=lambda field: field.operand or 0)
    single = [field.attribute for field in operands if field.kind in _NODE_KINDS]
    rest = next((field.attribute for field in operands if field.kind is Kind.NODES), None)
    if rest is not None:
        return attrgetter(rest)
    if len(single) != 1:
        return attrgetter(*single) if single else lambda _: ()
    get = attrgetter(*single)
    return lambda node: (get(node),)


_REFERENCES: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    MDTuple: attrgetter("operands"),
    DIAssignID: lambda _: (),
    **{getattr(debug_info, row.name): _references_of(row) for row in NODES},
}
"""By class of a node that text numbers: the metadata it refers to."""
