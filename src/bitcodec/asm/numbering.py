# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# compiled: with loops
"""Numbers in text: of metadata nodes, attribute groups, and globals, locals and structs without a name.

Rules: docs/reference/text.md, 3.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from bitcodec.asm.metadata import ReferenceTexts
from bitcodec.asm.names import local_name
from bitcodec.ir.construction import present
from bitcodec.ir.debug_records import DbgLabelRecord
from bitcodec.ir.functions import Function
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.metadata import MDNode, MDTuple, content_of
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.node_operands import OPERAND_LISTS, OPERAND_PLACES
from bitcodec.ir.type_finder import TypeFinder
from bitcodec.ir.types import VoidType
from bitcodec.object_numbers import ObjectNumbers, ObjectTexts
from bitcodec.tables.metadata_kinds import METADATA_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bitcodec.ir.attributes import AttributeSet
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import StructType
    from bitcodec.ir.values import Value

__all__ = ["FirstUseNumbers", "Numbering", "add_local_names", "kind_numbers", "local_names", "unnamed_globals"]

T = TypeVar("T")

_FIRST_NUMBERS_COUNT = 1 << 11
_FIRST_NUMBERS = [f"%{number}" for number in range(_FIRST_NUMBERS_COUNT)]
"""Names of locals by number: all functions have the first ones."""


class FirstUseNumbers(dict[T, int]):
    """Numbers from 0; a key without a number gets the next one at its first lookup."""

    def __missing__(self, key: T) -> int:
        number = self[key] = len(self)
        return number

    def copy(self) -> FirstUseNumbers[T]:
        """Return the same numbers, to give out more of them."""
        return FirstUseNumbers(self)


class Numbering:
    """The numbers that text of a module has.

    By default, numbers are assigned at first mention, which numbers a part of a module from 0; `of_module` assigns all
    numbers as the text of the whole module has them.

    Attributes:
        kinds: kinds of attachments, in the order of text.
        groups: sets of attributes.
        nodes: references to metadata nodes.
        unnamed_structs: identified structs without a name.
        structs: all identified structs, in the order of text.
    """

    def __init__(self, module: Module | None, kinds: FirstUseNumbers[str] | None = None) -> None:
        self.kinds = kind_numbers(() if module is None else module.metadata_kinds) if kinds is None else kinds
        self.groups: FirstUseNumbers[AttributeSet] = FirstUseNumbers()
        self.nodes = ReferenceTexts()
        self.unnamed_structs: FirstUseNumbers[StructType] = FirstUseNumbers()
        self.structs: list[StructType] = []
        self._attribute_lists = ObjectNumbers()

    @classmethod
    def of_module(cls, module: Module, nodes: Iterable[MDNode] = ()) -> Numbering:
        """Give numbers to everything in a module, which is materialized.

        Args:
            module: the module.
            nodes: nodes to number although nothing in the module refers to them, and before all others.

        Raises:
            BitcodecError: it is malformed.
        """
        module.materialize()
        numbering = cls(module)
        for node in nodes:
            numbering.add_node(node)
        numbering.add_globals(module)
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

    @classmethod
    def of_function(cls, function: Function, others: Numbering) -> Numbering:
        """Give numbers as for a value of a function that is printed alone: to nothing in other functions.

        Args:
            function: the function, which is materialized, as its module is.
            others: the numbering of the module, which has the numbers of structs.
        """
        numbering = cls(None, others.kinds)
        numbering.unnamed_structs, numbering.structs = others.unnamed_structs, others.structs
        if function.parent is not None:
            numbering.add_globals(function.parent)
        numbering.add_function(function)
        return numbering

    def add_globals(self, module: Module) -> None:
        """Give numbers to attribute groups of globals and functions, and to metadata that is not in functions."""
        for variable in module.global_variables:
            self.add_group(variable.attributes)
            self.add_attachments(variable.metadata.items())
        for ifunc in module.ifuncs:
            self.add_attachments(ifunc.metadata.items())
        for named in module.named_metadata.values():
            for node in named.operands:
                self.add_node(node)
        for function in module.functions:
            self.add_group(function.attributes.for_function)

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
            self.add_attachments(function.metadata.items())
        nodes = self.nodes
        last: Any = None
        for block in present.present_blocks(function):
            for instruction in present.present_instructions(block):
                if present.has_debug_records(instruction):
                    self._add_records(present.records_of(instruction))
                if isinstance(instruction, CallBase):
                    self._add_call(instruction)
                location: Any = present.present_location(instruction)
                if location is not last and location is not None:
                    last = location
                    self.add_node(location)
                if present.has_attachments(instruction):
                    attached = present.attached_to(instruction)
                    # Most have one.
                    for _, node in attached.items() if len(attached) == 1 else self.ordered(attached.items()):
                        if not nodes.has(node):
                            self.add_node(node)

    def add_node(self, node: object) -> None:
        """Give a number to a node, if text numbers it, and then to its operands."""
        if not self.nodes.has(node) and type(node) in OPERAND_PLACES:
            self._number_all(node, [])

    def _number_all(self, node: Any, pending: list[Any]) -> None:
        """Give a number to a node without one, and then to its operands; `pending` is empty before and after."""
        nodes = self.nodes
        self._number(node, pending)
        while pending:
            current = pending.pop()
            if not nodes.has(current):
                self._number(current, pending)

    def _number(self, node: Any, pending: list[Any]) -> None:
        """Give the next number to a node, and push its operands without a number, the first one last."""
        nodes, places_of = self.nodes, OPERAND_PLACES
        nodes.put_label(node)
        kind = type(node)
        content = content_of(node)
        for place in places_of[kind]:
            operand = content[place]
            if operand is not None and type(operand) in places_of and not nodes.has(operand):
                pending.append(operand)
        if kind is MDTuple:
            _put_aside(content, nodes, pending)
        elif kind in OPERAND_LISTS:
            _put_aside(content[OPERAND_LISTS[kind]], nodes, pending)

    def _add_call(self, call: CallBase) -> None:
        attributes = call.attributes
        # Many share one list, whose content takes longer to look up than its identity.
        if not self._attribute_lists.has(attributes):
            self._attribute_lists.put(attributes, 0)
            self.add_group(attributes.for_function)
        callee: Any = present.operands_of(call)[-1]
        if present.name_of(callee).startswith("llvm.") and isinstance(callee, Function):
            for argument in call.arguments:
                if isinstance(argument, MetadataAsValue):
                    self.add_node(argument.metadata)

    def _add_records(self, records: Iterable[Any]) -> None:
        nodes = self.nodes
        for record in records:
            if isinstance(record, DbgLabelRecord):
                self.add_node(record.label)
            else:
                found: Any = record
                # A node has a number wherever a value should be, whatever node it is.
                if isinstance(present.present_value(found), MDNode):
                    self.add_node(present.present_value(found))
                if not nodes.has(found.variable):
                    self.add_node(found.variable)
                if found.assign_id is not None:
                    self.add_node(found.assign_id)
                    self.add_node(present.present_address(found))
            if not nodes.has(record.location):
                self.add_node(record.location)


def _put_aside(operands: tuple[Any, ...], nodes: ReferenceTexts, pending: list[Any]) -> None:
    """Put aside the nodes without a number, the first one last."""
    pending += [
        operand
        for operand in reversed(operands)
        if operand is not None and type(operand) in OPERAND_PLACES and not nodes.has(operand)
    ]


def kind_numbers(registered: Iterable[str]) -> FirstUseNumbers[str]:
    """Return the numbers of the kinds of attached metadata that LLVM has, and of those that a module registers."""
    kinds: FirstUseNumbers[str] = FirstUseNumbers()
    for kind in chain(METADATA_KINDS, registered):
        _ = kinds[kind]
    return kinds


def local_names(function: Function) -> ObjectTexts:
    """Return the names of arguments, blocks and instructions of a function as operands."""
    names = ObjectTexts()
    add_local_names(function, names)
    return names


def add_local_names(function: Function, names: ObjectTexts) -> None:
    """Add the names of arguments, blocks and instructions of a function as operands."""
    arguments, blocks = function.arguments, function.blocks
    names.reserve(len(arguments) + sum([len(present.present_instructions(block)) + 1 for block in blocks]))
    unnamed = _add_names(arguments, names, 0)
    for block in blocks:
        unnamed = _add_names((block,), names, unnamed)
        unnamed = _add_names(present.present_instructions(block), names, unnamed)


def _add_names(values: Iterable[Value], names: ObjectTexts, unnamed: int) -> int:
    """Add the names of values, and return how many have no name, with those before."""
    for value in values:
        name = present.name_of(value)
        if name:
            names.put(value, local_name(name))
        elif type(value.type) is not VoidType:
            names.put(value, _FIRST_NUMBERS[unnamed] if unnamed < _FIRST_NUMBERS_COUNT else f"%{unnamed}")
            unnamed += 1
    return unnamed


def unnamed_globals(module: Module) -> dict[GlobalValue, int]:
    """Return the numbers of globals without a name."""
    values = (module.global_variables, module.aliases, module.ifuncs, module.functions)
    unnamed = (value for listed in values for value in listed if not value.name)
    return {value: number for number, value in enumerate(unnamed)}
