# cython: language_level=3, annotation_typing=False, nonecheck=True, auto_pickle=False
# ruff: noqa: ANN001, ANN201, ANN202
"""The loop over operands that gives types and attribute lists their numbers in LLVM's order.

Rules: docs/reference/writer.md, 11.6.
"""

from __future__ import annotations

from bitcodec.bitcode.writer.collected import mask_type
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constant_expressions import ConstantGetElementPtr, ConstantShuffleVector
from bitcodec.ir.constants import Constant, ConstantData
from bitcodec.ir.globals import GlobalValue
from bitcodec.ir.instructions.calls import CallBase
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.memory import Alloca, GetElementPtr
from bitcodec.ir.instructions.vectors import ShuffleVector
from bitcodec.object_numbers import ObjectNumbers


class TypeWalk:
    """Gives numbers to the types that instructions need, before any instruction is written.

    Args:
        types: the numbers of types.
        attributes: the numbers of attribute lists.
        constants: constants that have a number, or will get one, with everything that they consist of.
        table: the types of the module.
    """

    def __init__(self, types, attributes, constants, table) -> None:
        self._types = types
        self._attributes = attributes
        self._constants = constants
        self._found_attributes = attributes.found
        self._known = ObjectNumbers()
        self._table = table
        self._last = self._before = None
        self._kinds: dict = {}  # whether values of a class consist of others

    def add_type(self, type_):
        """Add a type."""
        self._add(type_)

    def add_arguments(self, function):
        """Add the types of the arguments of a function."""
        for type_ in function.value_type.parameter_types:
            self._add(type_)

    def add_operand(self, operand):
        """Add the type of an operand, and the types inside a constant that has no number yet."""
        value = operand
        self._add(value.type)
        if not isinstance(operand, Instruction):
            kind = type(operand)
            has_parts = self._kinds.get(kind)
            if has_parts is None:
                is_simple = issubclass(kind, ConstantData | GlobalValue) or not issubclass(kind, Constant)
                has_parts = self._kinds[kind] = not is_simple
            if has_parts:
                self._add_parts(operand)
        return 0

    def add_result(self, instruction):
        """Add the types in the record of an instruction other than its operands' types."""
        if isinstance(instruction, CallBase):
            call = instruction
            self._add(instruction.type)
            if self._found_attributes.find(call.attributes) < 0:
                self._found_attributes.put(call.attributes, self._attributes[call.attributes])
            self._add(call.function_type)
            return 0
        if isinstance(instruction, GetElementPtr):
            address = instruction
            self._add(address.source_element_type)
        elif isinstance(instruction, Alloca):
            alloca = instruction
            self._add(alloca.allocated_type)
        elif isinstance(instruction, ShuffleVector):
            self._add(mask_type(instruction, self._table))
        self._add(instruction.type)
        return 0

    def _add(self, type_):
        # Most types are one of the last two: pointers and numbers take turns.
        if type_ is self._last or type_ is self._before:
            return 0
        self._before, self._last = self._last, type_
        if self._known.find(type_) < 0:
            self._known.put(type_, 0)
            _ = self._types[type_]
        return 0

    def _add_parts(self, constant):
        """Add the types inside a constant, each after the type of its user."""
        pending = [constant]
        seen = set()
        while pending:
            current = pending.pop()
            if isinstance(current, BasicBlock):
                continue
            if isinstance(current, tuple):
                self._add(current[0])
                continue
            self._add(current.type)
            if current in seen or current in self._constants or isinstance(current, ConstantData | GlobalValue):
                continue
            seen.add(current)
            # Behind its operands.
            if isinstance(current, ConstantGetElementPtr):
                pending.append((current.source_element_type,))
            elif isinstance(current, ConstantShuffleVector):
                pending.append((mask_type(current, self._table),))
            pending += reversed(getattr(current, "operands", ()))
        return 0
