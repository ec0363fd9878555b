# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False
# ruff: noqa: ANN001, ANN201, ANN202, PLR0911, SLF001
"""Finds loads, stores and addresses with operands of the types that they need: most, which are written unchanged.

The nodes of their operands are read in the order in which `Evidence` visited them, so that none is looked up.
"""

from __future__ import annotations

from bitcodec.downgrade.pointers import pointees as pointee_nodes
from bitcodec.downgrade.pointers.pointees import NO_NODE
from bitcodec.ir.basic_blocks import BasicBlock
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.construction import present
from bitcodec.ir.functions import Argument
from bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, ICmp
from bitcodec.ir.instructions.control_flow import Branch
from bitcodec.ir.instructions.instruction import Instruction
from bitcodec.ir.instructions.memory import Alloca, GetElementPtr, Load, Store
from bitcodec.ir.types import PointerType

_NONE = NO_NODE
_ARGUMENT, _NUMBER, _POINTER = Argument, ConstantInt, PointerType


class Agreement:
    """Reads the nodes of bodies, instruction by instruction.

    Args:
        types: the types of values, by their nodes.
        order: the nodes, as `Evidence` has them.
        starts: by function, the place in the order where the nodes of its instructions begin.
    """

    def __init__(self, types, order, starts) -> None:
        self._types = types
        self._pointees = self._types._pointees
        self._order = order
        self._starts = starts
        self._place = 0
        self._is_settled = False

    def enter(self, function):
        """Begin with the first instruction of a function."""
        self._place = self._starts[function]
        # Nodes have the types of their classes, unless some were set.
        self._is_settled = not self._types.has_set_pointees()

    def holds(self, instruction):
        """Return whether an instruction is known to be written itself; the others need a closer look.

        Called once for each instruction that nothing else is written in the place of, in their order.
        """
        kind = type(instruction)
        if kind is Load:
            return self._is_load_of(instruction)
        if kind is GetElementPtr:
            return self._is_address_in(instruction)
        if kind is Store:
            return self._is_store_of(instruction)
        if kind is Alloca:
            return True
        if kind is Branch or kind is BinaryOperator:
            return _takes_no_pointers(instruction)
        if kind is ICmp or kind is Cast:
            return not pointee_nodes.is_pointers(instruction.type) and _takes_no_pointers(instruction)
        return False

    def _next(self):
        place = self._place
        self._place = place + 1
        return self._order.numbers[place]

    def _points_to(self, node, shape):
        """Return whether a pointer is known to point to a type without typed pointers."""
        return self._is_settled and self._pointees.settled_shape(node) is shape

    def _contains(self, pointer, other, type_):
        """Return whether a pointer points to a pointer like another one."""
        if self._points_to(pointer, type_) and self._pointees.contains(pointer, other):
            return True
        return self._types.pointee(pointer) is self._types.pointer_to(type_, self._types.pointee(other))

    def _is_load_of(self, load):
        pointer = self._next()
        result = self._next()
        type_ = load.type
        if pointer == _NONE:
            return False
        if result != _NONE:
            return self._contains(pointer, result, type_)
        if pointee_nodes.is_pointers(type_):
            return False
        return self._points_to(pointer, type_) or self._types.pointee(pointer) is self._types.typed(type_)

    def _is_store_of(self, store):
        pointer = self._next()
        stored = self._next()
        value = present.operands_of(store)[0]
        type_ = value.type
        if pointer == _NONE:
            return False
        if type(type_) is _POINTER:
            return stored != _NONE and self._contains(pointer, stored, type_)
        return _is_simple(value) and not pointee_nodes.is_pointers(type_) and self._types.pointee(pointer) is type_

    def _is_address_in(self, address):
        base = self._next()
        result = self._next()
        source = address.source_element_type
        operands = present.operands_of(address)
        if base == _NONE or pointee_nodes.is_pointers(source):
            return False
        if not self._points_to(base, source) and self._types.pointee(base) is not self._types.typed(source):
            return False
        for index in range(1, len(operands)):
            if not _is_simple(operands[index]):
                return False
        if len(operands) != 2 or self._points_to(result, source):
            return True
        return self._types.pointee(result) is self._types.typed(source)


def _takes_no_pointers(instruction):
    """Return whether all operands are blocks, or simple values that are not pointers."""
    for operand in present.operands_of(instruction):
        value = operand
        if type(value) is BasicBlock:
            continue
        if not _is_simple(value) or pointee_nodes.is_pointers(value.type):
            return False
    return True


def _is_simple(value):
    """Return whether a value has no parts with pointers that are written otherwise."""
    return type(value) is _NUMBER or isinstance(value, Instruction) or type(value) is _ARGUMENT
