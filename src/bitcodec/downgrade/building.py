"""Makes instructions that are in no block and in no list of uses: they are written in the place of a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from bitcodec.ir import instructions as ir
from bitcodec.ir.construction.replacing import copy_location
from bitcodec.ir.construction.unlisted import rebuilt_call, unlist, unlisted_copy
from bitcodec.ir.floating_point import format_of
from bitcodec.ir.mangling import mangled
from bitcodec.ir.types import FloatingPointType, VectorType
from bitcodec.tables.opcodes import FCmpPredicate, ICmpPredicate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.ir.constants import Constant
    from bitcodec.ir.functions import Function
    from bitcodec.ir.instructions import Instruction
    from bitcodec.ir.module import Module
    from bitcodec.ir.types import FunctionType, Type
    from bitcodec.ir.values import Value

    Declare = Callable[[str, FunctionType], Function | None]

__all__ = ["UnlistedBuilder"]

_Made = TypeVar("_Made", bound="Instruction")


class UnlistedBuilder:
    """Creates the instructions for one call, in order.

    Operations on vectors are done element by element, as LLVM does them; numbers become constants of the other
    operand's type.

    Args:
        call: the call.
        module: its module, which is not changed.
        declare: returns a function by name and type, None if the module has another one of that name.

    Attributes:
        made: the instructions so far.
        types, constants: the tables of the module.
    """

    def __init__(self, call: ir.Call, module: Module, declare: Declare) -> None:
        self.call = call
        self.made: list[Instruction] = []
        self.types = module.context.types
        self.constants = module.context.constants
        self.declare = declare
        self._module = module

    # Constants

    def integer(self, type_: Type, value: int) -> Constant:
        """Return an integer, or a vector of it."""
        scalar = type_.scalar_type
        bits = value & (1 << scalar.bit_width) - 1  # type: ignore[attr-defined]
        number = self.constants.integer(scalar, bits)  # type: ignore[arg-type]
        return self.constants.splat(type_, number) if isinstance(type_, VectorType) else number

    def floating(self, type_: Type, bits: int) -> Constant:
        """Return a floating-point number by its bit pattern, or a vector of it."""
        scalar = type_.scalar_type
        assert isinstance(scalar, FloatingPointType)  # noqa: S101 - callers have looked
        number = self.constants.floating(scalar, bits)
        return self.constants.splat(type_, number) if isinstance(type_, VectorType) else number

    def zero(self, type_: Type) -> Constant:
        """Return the floating-point number +0, or a vector of it."""
        return self.floating(type_, 0)

    def bits_type(self, type_: Type) -> Type:
        """Return the integers, or vectors of them, that are as wide as floating-point numbers."""
        scalar = type_.scalar_type
        assert isinstance(scalar, FloatingPointType)  # noqa: S101 - callers have looked
        return self.types.like(type_, self.types.integer(format_of(scalar).sign_bit + 1))

    def pointer_width(self, address_space: int) -> int:
        """Return the size of pointers in bits."""
        return self._module.data_layout.pointer_size(address_space) * 8

    def suffix(self, type_: Type) -> str:
        """Return how names of intrinsics spell a type."""
        return mangled(type_)

    # Instructions

    def resized(self, value: Value, type_: Type) -> Value:
        """Return an integer without a sign in another width."""
        before, after = (int(each.scalar_type.bit_width) for each in (value.type, type_))  # type: ignore[attr-defined]
        if before == after:
            return value
        return self.cast("zext" if before < after else "trunc", value, type_)

    def binary(self, opcode: str, lhs: Value, rhs: Value | int) -> Value:
        """Return an operation on two values; the second may be a number."""
        return self._add(ir.BinaryOperator(opcode, lhs, self._beside(lhs, rhs)))

    def icmp(self, predicate: str, lhs: Value, rhs: Value | int) -> Value:
        """Return a comparison of integers; the second may be a number."""
        made = ir.ICmp(self._truth(lhs), ICmpPredicate[predicate.upper()], lhs, self._beside(lhs, rhs))
        return self._add(made)

    def fcmp(self, predicate: str, lhs: Value, rhs: Value) -> Value:
        """Return a comparison of floating-point numbers."""
        return self._add(ir.FCmp(self._truth(lhs), FCmpPredicate[predicate.upper()], lhs, rhs))

    def select(self, condition: Value, true_value: Value, false_value: Value) -> Value:
        """Return one of two values."""
        return self._add(ir.Select(condition, true_value, false_value))

    def cast(self, opcode: str, value: Value, type_: Type) -> Value:
        """Return a conversion."""
        return self._add(ir.Cast(opcode, value, type_))

    def recast(self, value: Value, type_: Type) -> Value:
        """Return a value as one of another type of the same size."""
        return value if value.type is type_ else self.cast("bitcast", value, type_)

    def extract(self, vector: Value, index: int) -> Value:
        """Return an element of a vector."""
        return self._add(ir.ExtractElement(vector, self.integer(self.types.integer(32), index)))

    def insert(self, vector: Value, element: Value, index: int) -> Value:
        """Return a vector with another element."""
        return self._add(ir.InsertElement(vector, element, self.integer(self.types.integer(32), index)))

    def shuffle(self, vector: Value, mask: Sequence[int], other: Value | None = None) -> Value:
        """Return elements of one or two vectors."""
        type_ = vector.type
        assert isinstance(type_, VectorType)  # noqa: S101 - callers have looked
        second = self.constants.undef(type_) if other is None else other
        result = self.types.vector(len(mask), type_.element_type)
        return self._add(ir.ShuffleVector(result, vector, second, tuple(mask)))

    def struct(self, type_: Type, *elements: Value) -> Value:
        """Return a struct of values."""
        found: Value = self.constants.undef(type_)
        for index, element in enumerate(elements):
            found = self._add(ir.InsertValue(found, element, (index,)))
        return found

    def call_of(self, name: str, arguments: Sequence[Value], result: Type | None = None) -> Value | None:
        """Return a call of a function with the type of the first argument, None if it cannot be declared."""
        types = [argument.type for argument in arguments]
        type_ = self.types.function(types[0] if result is None else result, types)
        function = self.declare(name, type_)
        return None if function is None else self._add(ir.Call(type_, function, arguments))

    def renamed(self, name: str, arguments: Sequence[Value]) -> Value | None:
        """Return a call of another function with the same result, None if it cannot be declared."""
        type_ = self.types.function(self.call.type, [argument.type for argument in arguments])
        function = self.declare(name, type_)
        if function is None:
            return None
        made = rebuilt_call(self.call, type_, arguments)
        operands = (*made.operands[:-1], function)
        self.made.append(unlisted_copy(made, operands=operands, name="", metadata=None, debug_records=None))
        return self.made[-1]

    def renamed_intrinsic(self, name: str, call: ir.Call) -> Value | None:
        """Return a call of another intrinsic of the same type, with the name for LLVM 22's name."""
        return self.renamed(name, call.arguments)

    def _truth(self, compared: Value) -> Type:
        return self.types.like(compared.type, self.types.integer(1))

    def _beside(self, value: Value, other: Value | int) -> Value:
        return self.integer(value.type, other) if isinstance(other, int) else other

    def _add(self, made: _Made) -> _Made:
        unlist(made)
        copy_location(self.call, made)
        self.made.append(made)
        return made
