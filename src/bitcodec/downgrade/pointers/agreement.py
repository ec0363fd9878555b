# cython: language_level=3, boundscheck=False, wraparound=False, nonecheck=True, auto_pickle=False
# ruff: noqa: ANN001, ANN201, PLR0911, SLF001
"""Which loads, stores and addresses have operands of the types that they need: most, which are written themselves.

The nodes of their operands are read in the order in which `Evidence` met them, so that none is looked up.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.downgrade.pointers.pointees import NO_NODE
from bitcodec.ir.constants import ConstantInt
from bitcodec.ir.functions import Argument
from bitcodec.ir.types import PointerType

if cython.compiled:
    from cython.cimports.bitcodec.downgrade.pointers.pointees import Integers, PointerTypes, is_pointers
    from cython.cimports.bitcodec.ir.basic_blocks import BasicBlock
    from cython.cimports.bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, ICmp
    from cython.cimports.bitcodec.ir.instructions.control_flow import Branch
    from cython.cimports.bitcodec.ir.instructions.instruction import Instruction
    from cython.cimports.bitcodec.ir.instructions.memory import Alloca, GetElementPtr, Load, Store
    from cython.cimports.bitcodec.ir.values import Value
else:
    from bitcodec.downgrade.pointers.pointees import Integers, PointerTypes, is_pointers
    from bitcodec.ir.basic_blocks import BasicBlock
    from bitcodec.ir.instructions.arithmetic import BinaryOperator, Cast, ICmp
    from bitcodec.ir.instructions.control_flow import Branch
    from bitcodec.ir.instructions.instruction import Instruction
    from bitcodec.ir.instructions.memory import Alloca, GetElementPtr, Load, Store
    from bitcodec.ir.values import Value

COMPILED = cython.compiled

_NONE = cython.declare(cython.Py_ssize_t, NO_NODE)
_ARGUMENT, _NUMBER, _POINTER = Argument, ConstantInt, PointerType


@cython.final
@cython.cclass
class Agreement:
    """Reads the nodes of bodies, instruction by instruction.

    Args:
        types: the types of values, by their nodes.
        order: the nodes, as `Evidence` has them.
        starts: by function, where those of its instructions begin in the order.
    """

    def __init__(self, types: PointerTypes, order: Integers, starts: dict) -> None:
        self._types = types
        self._pointees = types._pointees
        self._order = order
        self._starts = starts
        self._place = 0
        self._is_settled = False

    def enter(self, function):
        """Begin with the first instruction of a function."""
        self._place = self._starts[function]
        # Nodes have the types of their classes, unless some were set.
        self._is_settled = not self._types._set

    @cython.cfunc
    @cython.exceptval(-1, check=False)
    def holds(self, instruction: Instruction) -> cython.bint:
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
            return not is_pointers(instruction.type) and _takes_no_pointers(instruction)
        return False

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _next(self) -> cython.Py_ssize_t:
        place: cython.Py_ssize_t = self._place
        self._place = place + 1
        return self._order.numbers[place]

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def _points_to(self, node: cython.Py_ssize_t, shape) -> cython.bint:
        """Return whether a pointer is known to point to a type without typed pointers."""
        shapes: list = self._pointees._shapes
        root: cython.Py_ssize_t = self._pointees._parents.numbers[node]
        return self._is_settled and shapes[root] is shape

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def _contains(self, pointer: cython.Py_ssize_t, other: cython.Py_ssize_t, type_) -> cython.bint:
        """Return whether a pointer points to a pointer like another one."""
        parents: cython.pointer(cython.int) = self._pointees._parents.numbers
        if self._points_to(pointer, type_):
            content: cython.Py_ssize_t = self._pointees._contents.numbers[parents[pointer]]
            if parents[content] == parents[other]:
                return True
        return self._types.pointee(pointer) is self._types.pointer_to(type_, self._types.pointee(other))

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def _is_load_of(self, load: Instruction) -> cython.bint:
        pointer: cython.Py_ssize_t = self._next()
        result: cython.Py_ssize_t = self._next()
        type_ = load.type
        if pointer == _NONE:
            return False
        if result != _NONE:
            return self._contains(pointer, result, type_)
        if is_pointers(type_):
            return False
        return self._points_to(pointer, type_) or self._types.pointee(pointer) is self._types.typed(type_)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def _is_store_of(self, store: Instruction) -> cython.bint:
        pointer: cython.Py_ssize_t = self._next()
        stored: cython.Py_ssize_t = self._next()
        value: Value = store._operands[0]
        type_ = value.type
        if pointer == _NONE:
            return False
        if type(type_) is _POINTER:
            return stored != _NONE and self._contains(pointer, stored, type_)
        return _is_simple(value) and not is_pointers(type_) and self._types.pointee(pointer) is type_

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=False)
    def _is_address_in(self, address: GetElementPtr) -> cython.bint:
        base: cython.Py_ssize_t = self._next()
        result: cython.Py_ssize_t = self._next()
        index: cython.Py_ssize_t
        source = address.source_element_type
        operands = address._operands
        if base == _NONE or is_pointers(source):
            return False
        if not self._points_to(base, source) and self._types.pointee(base) is not self._types.typed(source):
            return False
        for index in range(1, len(operands)):
            if not _is_simple(operands[index]):
                return False
        if len(operands) != 2 or self._points_to(result, source):
            return True
        return self._types.pointee(result) is self._types.typed(source)


@cython.cfunc
@cython.inline
@cython.exceptval(-1, check=False)
def _takes_no_pointers(instruction: Instruction) -> cython.bint:
    """Return whether all operands are blocks, or simple values that are no pointers."""
    value: Value
    for operand in instruction._operands:
        value = operand
        if type(value) is BasicBlock:
            continue
        if not _is_simple(value) or is_pointers(value.type):
            return False
    return True


@cython.cfunc
@cython.inline
@cython.exceptval(-1, check=False)
def _is_simple(value) -> cython.bint:
    """Return whether a value has no parts with pointers that are written otherwise."""
    return type(value) is _NUMBER or isinstance(value, Instruction) or type(value) is _ARGUMENT
