"""Calls of the library, for accesses that the target has no instructions for.

Rules: "Atomic Instructions and Concurrency Guide", "Libcalls: __atomic_*"; calls have no metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.builder import attribute_list
from bitcodec.ir.attributes import AttributeList
from bitcodec.ir.constants import Constant
from bitcodec.ir.construction.present import first_instruction
from bitcodec.ir.mangling import overloaded
from bitcodec.ir.types import PointerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation
from bitcodec.tables.triple_components import Triple
from bitcodec.transforms.atomic_expand.reuse import PlainBuilder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bitcodec.ir.instructions import Alloca, Call, Cast
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import Type
    from bitcodec.ir.values import Value

__all__ = ["COMPARE_EXCHANGE", "LOAD", "OPERATIONS", "STORE", "CallRequest", "Routine", "call_routine", "is_callable"]


class Routine(NamedTuple):
    """A family of functions of the library: `name`, for any size, and `name_1` to `name_16`.

    Attributes:
        name: their name.
        is_generic: whether there is one for any size.
    """

    name: str
    is_generic: bool = True


_Op = AtomicRMWOperation

LOAD = Routine("__atomic_load")
STORE = Routine("__atomic_store")
COMPARE_EXCHANGE = Routine("__atomic_compare_exchange")
OPERATIONS: Mapping[AtomicRMWOperation, Routine] = {
    _Op.XCHG: Routine("__atomic_exchange"),
    **{
        operation: Routine(f"__atomic_fetch_{operation.spelling}", is_generic=False)
        for operation in (_Op.ADD, _Op.SUB, _Op.AND, _Op.OR, _Op.XOR, _Op.NAND)
    },
}

_SIZES = frozenset({1, 2, 4, 8, 16})
_C_ORDERINGS: Mapping[AtomicOrdering, int] = {
    AtomicOrdering.UNORDERED: 0,
    AtomicOrdering.MONOTONIC: 0,
    AtomicOrdering.ACQUIRE: 2,
    AtomicOrdering.RELEASE: 3,
    AtomicOrdering.ACQUIRE_RELEASE: 4,
    AtomicOrdering.SEQUENTIALLY_CONSISTENT: 5,
}
"""The numbers of `memory_order` in C."""
_INT_BITS = 32
_WIDE = 16
"""Bytes: the widest access that the library has functions for."""


class CallRequest(NamedTuple):
    """Request to the library.

    Attributes:
        type: type of the value at the address.
        result: of the instruction, None if absent.
        pointer: the address.
        alignment: of the address, in bytes.
        ordering: with other threads' accesses.
        value: the value to write, or the operand; None for a load.
        expected: the expected value, of `cmpxchg`.
        failure: the ordering if it differs.
    """

    type: Type
    result: Type | None
    pointer: Value
    alignment: int
    ordering: AtomicOrdering
    value: Value | None = None
    expected: Value | None = None
    failure: AtomicOrdering | None = None


def is_callable(module: Module, routine: Routine, type: Type, alignment: int) -> bool:
    """Return whether the library has a function of a family for a type."""
    return routine.is_generic or _is_sized(module, type, alignment)


def call_routine(builder: PlainBuilder, routine: Routine, request: CallRequest) -> Value | None:
    """Call the library at the builder's place; return the replacement of the instruction, None without a result."""
    return _Calling(builder, request).call(routine)


def _is_sized(module: Module, type: Type, alignment: int) -> bool:
    """Return whether there is a function for the size: C has integers of it, and the address is aligned."""
    layout = module.data_layout
    size = layout.store_size(type)
    largest = 16 if max(layout.native_integers, default=0) >= 64 else 8
    return size in _SIZES and size <= largest and alignment >= size


class _Calling:
    """One call, and the values that are written to the stack for it."""

    def __init__(self, builder: PlainBuilder, request: CallRequest) -> None:
        self.builder = builder
        self.request = request
        self.layout = builder.module.data_layout
        self.size = self.layout.store_size(request.type)
        self.is_sized = _is_sized(builder.module, request.type, request.alignment)
        self.triple = Triple.parse(builder.module.target_triple)
        self.integer = self._integer()
        self.alignment = self.layout.preferred_alignment(self.integer)
        block = builder.function.blocks[0]
        entry = first_instruction(block)
        self.top = PlainBuilder(block)
        self.top.before(entry)
        self.top.debug_location = entry.debug_location

    def _integer(self) -> Type:
        """Return the type that the library takes for the value at the address.

        On Windows x86-64 passes 16 bytes by their address and returns them in a vector register.
        """
        types = self.builder.types
        if self.size == _WIDE and self.triple.is_x86_64 and self.triple.is_windows:
            return types.vector(2, types.integer(64))
        return types.integer(self.size * 8)

    def call(self, routine: Routine) -> Value | None:
        builder, request = self.builder, self.request
        arguments = [] if self.is_sized else [self._number(self.layout.pointer_size() * 8, self.size)]
        arguments.append(self._pointer())
        expected = value = result = None
        if request.expected is not None:
            expected = self._passed(request.expected)
            arguments.append(expected)
        if request.value is not None and self.is_sized:
            arguments.append(self._bits(request.value))
        elif request.value is not None:
            value = self._passed(request.value)
            arguments.append(value)
        if request.expected is None and request.result is not None and not self.is_sized:
            result = self._room(request.result)
            arguments.append(result)
        orderings = (request.ordering, request.failure)
        arguments += (self._number(_INT_BITS, _C_ORDERINGS[found]) for found in orderings if found is not None)
        called = self._call(routine, arguments)
        if value is not None:
            self._end(value)
        if expected is not None and request.result is not None:
            return self._pair(expected, called, request.result)
        if request.result is None:
            return None
        if result is None:
            return self._unpacked(called, request.result)
        loaded = builder.load(request.result, result, alignment=self.alignment)
        self._end(result)
        return loaded

    def _call(self, routine: Routine, arguments: list[Value]) -> Call:
        types, attributes = self.builder.types, AttributeList()
        type_: Type = types.void
        if self.request.expected is not None:
            type_ = types.integer(1)
            attributes = attribute_list(returned=["zeroext"])
        elif self.request.result is not None and self.is_sized:
            type_ = self.integer
        name = self.triple.function_prefix + (f"{routine.name}_{self.size}" if self.is_sized else routine.name)
        function_type = types.function(type_, [argument.type for argument in arguments])
        module = self.builder.module
        callee = module.get(name)
        if callee is None:
            callee = module.get_or_insert_function(name, function_type)
            callee.attributes = attributes
        return self.builder.call(
            callee, arguments, function_type=function_type, calling_convention=0, attributes=attributes
        )

    def _pointer(self) -> Value:
        """Return the address in the space that the library knows."""
        pointer, plain = self.request.pointer, self.builder.types.pointer()
        return self._cast("addrspacecast", pointer, plain)

    def _number(self, bits: int, value: int) -> Value:
        return self.builder.constants.integer(self.builder.types.integer(bits), value)

    def _room(self, type: Type) -> Alloca:
        room = self.top.alloca(type, alignment=self.alignment)
        self.builder.intrinsic(overloaded("llvm.lifetime.start", room.type), self.builder.types.void, [room])
        return room

    def _passed(self, value: Value) -> Alloca:
        """Return the address of a value on the stack."""
        room = self._room(value.type)
        self.builder.store(value, room, alignment=self.alignment)
        return room

    def _end(self, room: Alloca) -> None:
        self.builder.intrinsic(overloaded("llvm.lifetime.end", room.type), self.builder.types.void, [room])

    def _pair(self, expected: Alloca, success: Value, type: Type) -> Value:
        builder = self.builder
        found = builder.load(expected.allocated_type, expected, alignment=self.alignment)
        self._end(expected)
        pair = builder.insertvalue(builder.constants.poison(type), found, 0)
        return builder.insertvalue(pair, success, 1)

    def _unpacked(self, bits: Value, type: Type) -> Value:
        """Return the value whose bits the library returns as an integer."""
        numbers = self._numbers(type)
        return self._cast("inttoptr", self._cast("bitcast", bits, numbers), type)

    def _bits(self, value: Value) -> Value:
        """Return a value as the integer that the library takes for it."""
        numbers = self._cast("ptrtoint", value, self._numbers(value.type))
        return self._cast("bitcast", numbers, self.integer)

    def _cast(self, opcode: str, value: Value, type: Type) -> Value:
        if value.type is type:
            return value
        if isinstance(value, Constant):
            return self.builder.constants.cast(opcode, value, type)
        made: Cast = getattr(self.builder, opcode)(value, type)
        return made

    def _numbers(self, type: Type) -> Type:
        """Return a type with integers in the place of pointers."""
        pointer, types = type.scalar_type, self.builder.types
        if not isinstance(pointer, PointerType):
            return type
        return types.like(type, types.integer(self.layout.size_in_bits(pointer)))
