"""Finds the identified structs of a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attributes import TypeAttribute
from bitcodec.ir.constant_expressions import ConstantGetElementPtr
from bitcodec.ir.constants import ConstantWithOperands
from bitcodec.ir.instructions import Alloca, CallBase, GetElementPtr
from bitcodec.ir.metadata import ValueAsMetadata, wrapped_values
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.metadata_walk import nodes_of, wrappers_in_records
from bitcodec.ir.types import StructType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["identified_structs"]


def identified_structs(module: Module) -> Iterator[StructType]:
    """Yield the structs that are no literals, each once."""
    finder = _Finder()
    finder.find_in(module)
    return (type_ for type_ in _with_parts(finder.types) if isinstance(type_, StructType) and not type_.is_literal)


class _Finder:
    """Finds types.

    Attributes:
        types: those found, without what they are made of.
    """

    def __init__(self) -> None:
        self.types: dict[Type, None] = {}
        self._attribute_lists: dict[int, AttributeList] = {}
        self._constants: set[Value] = set()

    def find_in(self, module: Module) -> None:
        """Find the types of a module."""
        for value in module.globals:
            self.types[value.value_type] = None
            self._values(value.operands)
        for function in module.functions:
            self._function(function)
        for node in nodes_of(module):
            for operand in node.operands:
                if isinstance(operand, ValueAsMetadata):
                    self._values(wrapped_values(operand))

    def _function(self, function: Function) -> None:
        self._attributes(function.attributes)
        for instruction in function.instructions:
            self.types[instruction.type] = None
            self._values(instruction.operands)
            self._own(instruction)
            for wrapper in wrappers_in_records(instruction):
                self._values(wrapped_values(wrapper))

    def _own(self, instruction: Instruction) -> None:
        """Find what instructions of some classes give beside their operands."""
        match instruction:
            case Alloca():
                self.types[instruction.allocated_type] = None
            case GetElementPtr():
                self.types[instruction.source_element_type] = None
            case CallBase():
                self.types[instruction.function_type] = None
                self._attributes(instruction.attributes)

    def _attributes(self, attributes: AttributeList) -> None:
        if id(attributes) not in self._attribute_lists:  # many share one, whose content takes longer to compare
            self._attribute_lists[id(attributes)] = attributes
            for each in (attributes.for_function, attributes.for_return, *attributes.parameters.values()):
                found = (attribute.type for attribute in each if isinstance(attribute, TypeAttribute))
                self.types.update((type_, None) for type_ in found if type_ is not None)

    def _values(self, values: Iterable[Value]) -> None:
        pending = [*values]
        while pending:
            value = pending.pop()
            self.types[value.type] = None
            if isinstance(value, ConstantGetElementPtr):
                self.types[value.source_element_type] = None
            if isinstance(value, MetadataAsValue):
                pending += wrapped_values(value.metadata)
            elif isinstance(value, ConstantWithOperands) and value not in self._constants:
                self._constants.add(value)
                pending += value.operands


def _with_parts(types: dict[Type, None]) -> Iterator[Type]:
    """Yield types and what they are made of, each once."""
    seen = dict(types)
    pending = list(types)
    while pending:
        current = pending.pop()
        yield current
        for part in current.element_types:
            if part not in seen:
                seen[part] = None
                pending.append(part)
