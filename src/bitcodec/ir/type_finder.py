# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
"""The identified structs that a module uses, in the order in which text lists them.

Rules: docs/reference/text.md, 3.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bitcodec.ir.attributes import TypeAttribute
from bitcodec.ir.constant_expressions import ConstantGetElementPtr
from bitcodec.ir.constants import ConstantAggregateZero, ConstantInt, ConstantWithOperands, PoisonValue, UndefValue
from bitcodec.ir.debug_records import DbgVariableRecord
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.memory import Alloca, GetElementPtr
from bitcodec.ir.metadata import ConstantAsMetadata, DIArgList, LocalAsMetadata, MDNode, MDTuple
from bitcodec.ir.metadata_values import MetadataAsValue
from bitcodec.ir.node_operands import OPERAND_LISTS, OPERAND_PLACES
from bitcodec.ir.types import StructType
from bitcodec.object_numbers import ObjectNumbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.ir.attributes import AttributeList
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import Function
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["TypeFinder"]


class TypeFinder:
    """Finds structs.

    Args:
        with_literals: whether to find literal structs, too. Default: identified ones only.

    Attributes:
        structs: the structs found, in order.
    """

    __slots__ = ("_attribute_lists", "_nodes", "_types", "_values", "_with_literals", "structs")

    def __init__(self, *, with_literals: bool = False) -> None:
        self.structs: list[StructType] = []
        self._with_literals = with_literals
        self._types = ObjectNumbers()
        self._values = ObjectNumbers()
        self._nodes = ObjectNumbers()
        self._attribute_lists = ObjectNumbers()

    def find_in(self, module: Module) -> None:
        """Find the types that a module uses."""
        self.find_in_globals(module)
        for function in module.functions:
            self.find_in_function(function)
        self.find_in_named_metadata(module)

    def find_in_globals(self, module: Module) -> None:
        """Find the types that variables, aliases and ifuncs use: the first in the order."""
        for variable in module.global_variables:
            self._type(variable.value_type)
            if variable.initializer is not None:
                self._constant(variable.initializer)
        for alias in module.aliases:
            self._type(alias.value_type)
            self._constant(alias.aliasee)
        for ifunc in module.ifuncs:
            self._type(ifunc.value_type)

    def find_in_named_metadata(self, module: Module) -> None:
        """Find the types that named metadata leads to: the last in the order."""
        for named in module.named_metadata.values():
            for node in named.operands:
                self._metadata(node)

    def find_in_function(self, function: Function) -> None:
        """Find the types that a function uses."""
        self._head(function)
        types, values = self._types, self._values
        for block in function.blocks:
            for instruction in block._instructions:
                if not types.has(instruction.type):
                    self._type(instruction.type)
                for operand in instruction._operands:
                    kind = type(operand)
                    # Most are instructions or numbers.
                    if isinstance(operand, Instruction) or kind is ConstantInt:
                        continue
                    if kind in _LEAD_TO_TYPES and not values.has(operand):
                        self._operand(operand)
                self._further_types(instruction)
                if instruction._attachments is not None or instruction._records is not None:
                    self._beside(instruction)

    def _further_types(self, instruction: Instruction) -> None:
        """Find types that an instruction contains besides its value types."""
        if isinstance(instruction, CallBase):
            self._attributes(instruction.attributes)
        elif type(instruction) is GetElementPtr:
            gep: Any = instruction
            self._type(gep.source_element_type)
        elif type(instruction) is Alloca:
            alloca: Any = instruction
            self._type(alloca.allocated_type)

    def _head(self, function: Function) -> None:
        self._type(function.value_type)
        self._attributes(function.attributes)
        for constant in (function.personality, function.prefix_data, function.prologue_data):
            if constant is not None:
                self._constant(constant)

    def _beside(self, instruction: Instruction) -> None:
        """Find the types used by attachments and debug records of an instruction."""
        attached: Any = instruction._attachments
        if attached is not None:
            nodes = self._nodes
            for node in (attached if type(attached) is dict else instruction.metadata).values():
                if not nodes.has(node):
                    self._metadata(node)
        if instruction._records is not None:
            self._records(instruction.debug_records)

    def _attributes(self, attributes: AttributeList) -> None:
        # Many share one list, whose content takes longer to compare than its place.
        if self._attribute_lists.has(attributes):
            return
        self._attribute_lists.put(attributes, 0)
        for each in (attributes.for_function, attributes.for_return, *attributes.parameters.values()):
            for attribute in each:
                if isinstance(attribute, TypeAttribute) and attribute.type is not None:
                    self._type(attribute.type)

    def _records(self, records: Iterable[DebugRecord]) -> None:
        for record in records:
            if type(record) is not DbgVariableRecord:
                continue
            found: Any = record
            if not _is_local(found._value):
                self._wrapped(found.value)
            if found._address is not None and not _is_local(found._address):
                self._wrapped(found.address)

    def _wrapped(self, metadata: Any) -> None:
        """Find the types used by constants that metadata wraps."""
        wrapped = metadata.arguments if isinstance(metadata, DIArgList) else (metadata,)
        for each in wrapped:
            if isinstance(each, ConstantAsMetadata) and type(each.value) in _LEAD_TO_TYPES:
                self._operand(each.value)

    def _operand(self, value: Value | None) -> None:
        if isinstance(value, MetadataAsValue):
            if isinstance(value.metadata, MDNode):
                self._metadata(value.metadata)
            else:
                self._wrapped(value.metadata)
        elif value is not None:
            self._constant(value)

    def _constant(self, constant: Value) -> None:
        pending = [constant]
        seen = self._values
        while pending:
            value = pending.pop()
            if seen.has(value):
                continue
            seen.put(value, 0)
            if type(value) not in _LEAD_TO_TYPES:
                continue
            self._type(value.type)
            if isinstance(value, ConstantGetElementPtr):
                self._type(value.source_element_type)
            if isinstance(value, ConstantWithOperands):
                pending += reversed(value._operands)

    def _metadata(self, metadata: Any) -> None:
        """Find the types used by constants that metadata leads to."""
        pending = [metadata]
        seen = self._nodes
        while pending:
            found = pending.pop()
            if isinstance(found, ConstantAsMetadata):
                if found.value is not None:
                    self._constant(found.value)
            elif isinstance(found, MDNode) and not seen.has(found):
                seen.put(found, 0)
                self._put_operands_aside(found, pending)

    def _put_operands_aside(self, node: Any, pending: list[Any]) -> None:
        """Put aside the operands of a node that may lead to constants, the first one last."""
        seen, places_of = self._nodes, OPERAND_PLACES
        kind = type(node)
        if kind is MDTuple or kind in OPERAND_LISTS:
            pending += reversed(node.operands)
        elif kind in places_of:
            content = node.key()
            for place in places_of[kind]:
                operand = content[place]
                if operand is not None and type(operand) is not int and not seen.has(operand):
                    pending.append(operand)

    def _type(self, type_: Type) -> None:
        seen = self._types
        if seen.has(type_):
            return
        seen.put(type_, 0)
        pending = [type_]
        while pending:
            current = pending.pop()
            if isinstance(current, StructType) and (current.name is not None or self._with_literals):
                self.structs.append(current)
            # Types are seen when they are put aside, not when they are looked at: their order depends on it.
            for part in reversed(current.element_types):
                if not seen.has(part):
                    seen.put(part, 0)
                    pending.append(part)


def _is_local(wrapped: Any) -> bool:
    """Return whether a debug record refers to a local, which leads to no types."""
    if type(wrapped) is not LocalAsMetadata:
        return False
    found: Any = wrapped
    return found.value is not None


def _all_subclasses(of: type) -> Iterator[type]:
    pending = [of]
    while pending:
        found = pending.pop()
        yield found
        pending += found.__subclasses__()


_LEAD_TO_TYPES = {
    ConstantAggregateZero,
    UndefValue,
    PoisonValue,
    MetadataAsValue,
    *_all_subclasses(ConstantWithOperands),
}
"""Classes of operands that lead to structs; others are numbers, globals, or values whose types are looked at there."""
