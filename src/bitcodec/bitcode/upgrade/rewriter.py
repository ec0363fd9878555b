"""Makes the instructions that take the place of a call.

Like LLVM's builder of instructions it folds what is constant, and gives all of them the debug location of the call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from bitcodec.bitcode.upgrade.declarations import declared
from bitcodec.bitcode.upgrade.edits import Edits
from bitcodec.ir import folding
from bitcodec.ir.constants import Constant
from bitcodec.ir.instructions import (
    AtomicRMW,
    BinaryOperator,
    Call,
    Cast,
    ExtractElement,
    ExtractValue,
    FCmp,
    Fence,
    GetElementPtr,
    ICmp,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Select,
    ShuffleVector,
    Store,
    UnaryOperator,
)
from bitcodec.ir.instructions.memory import SYSTEM
from bitcodec.ir.mangling import intrinsic_name
from bitcodec.ir.types import ArrayType, VectorType, VoidType
from bitcodec.tables.opcodes import GEPFlags

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.debug_records import DebugRecord
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.instructions import CallBase
    from bitcodec.ir.module import Module
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.ir.types import FunctionType, IntegerType, Type
    from bitcodec.ir.values import Value
    from bitcodec.tables.opcodes import AtomicOrdering, AtomicRMWOperation, FCmpPredicate, ICmpPredicate

__all__ = ["Rewriter"]

_NO_FLAGS = GEPFlags(0)

Made = TypeVar("Made", bound=Instruction)

_DESIRABLE_BINARY = {"add", "sub", "xor"}
"""Binary operations that constant expressions can be."""
_DESIRABLE_CASTS = {"trunc", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast"}
"""Casts that constant expressions can be."""


class Rewriter:
    """Replaces one call: first make instructions, then `replace` the call with the last one's value.

    Args:
        call: a call that stands in a module.
        edits: takes the instructions made for the call, so that whoever has many calls to replace can put all into
            place at once; None to have them put there by `replace`.
        declaration: the intrinsic that was declared in the place of the old one, None if none was.

    Attributes:
        call: the call.
        arguments: what it passes.
        made: the instructions made so far, in order.
        record: a debug record that takes the place of the call, behind them; None if there is none.
    """

    __slots__ = (
        "_block",
        "_declaration",
        "_edits",
        "arguments",
        "call",
        "constants",
        "made",
        "module",
        "record",
        "types",
    )

    def __init__(self, call: CallBase, edits: Edits | None = None, declaration: Function | None = None) -> None:
        block, module = call.parent, call.module
        if block is None or module is None:
            raise ValueError(f"{call!r} stands in no module")
        self._block: BasicBlock = block
        self._edits = edits
        self._declaration = declaration
        self.call = call
        self.module: Module = module
        self.types: TypeTable = module.context.types
        self.constants: ConstantTable = module.context.constants
        self.arguments: list[Value] = list(call.arguments)
        self.made: list[Instruction] = []
        self.record: DebugRecord | None = None

    # Constants

    def integer(self, bits: int, value: int) -> Constant:
        """Return an integer that is `bits` wide."""
        return self.constants.integer(self.types.integer(bits), value)

    def zero(self, type: Type) -> Constant:
        """Return zero, `null` or `zeroinitializer`."""
        return self.constants.null(type)

    def poison(self, type: Type) -> Constant:
        """Return `poison`."""
        return self.constants.poison(type)

    def all_ones(self, type: Type) -> Constant:
        """Return the integer, or the vector of integers, of which all bits are set."""
        ones = self.constants.integer(cast("IntegerType", type.scalar_type), -1)
        return self.constants.splat(type, ones) if isinstance(type, VectorType) else ones

    def splat(self, count: int, value: Value, name: str = "") -> Value:
        """Return a vector that has a value in all places."""
        type_ = self.types.vector(count, value.type)
        if isinstance(value, Constant):
            return self.constants.splat(type_, value)
        first = self.insert_element(self.poison(type_), value, 0, name + ".splatinsert")
        return self.shuffle(first, self.poison(type_), (0,) * count, name + ".splat")

    # Arithmetic

    def binary(self, opcode: str, lhs: Value, rhs: Value, name: str = "") -> Value:
        """Return the result of an operation: `add`, `fmul`, `xor`..."""
        if isinstance(lhs, Constant) and isinstance(rhs, Constant):
            if opcode in _DESIRABLE_BINARY:
                return self.constants.binary(opcode, lhs, rhs)
            folded = folding.fold_binary(self.constants, opcode, lhs, rhs)
            if folded is not None:
                return folded
        return self._insert(BinaryOperator(opcode, lhs, rhs), name)

    def negate(self, value: Value, name: str = "") -> Value:
        """Return zero minus a value."""
        return self.binary("sub", self.zero(value.type), value, name)

    def invert(self, value: Value, name: str = "") -> Value:
        """Return a value with all bits inverted."""
        return self.binary("xor", value, self.all_ones(value.type), name)

    def fneg(self, value: Value, name: str = "") -> Value:
        """Return a floating-point value with the other sign."""
        if isinstance(value, Constant):
            folded = folding.fold_unary(self.constants, "fneg", value)
            if folded is not None:
                return folded
        return self._insert(UnaryOperator("fneg", value), name)

    def cast(self, opcode: str, value: Value, type: Type, name: str = "") -> Value:
        """Return a value converted: `trunc`, `bitcast`, `sitofp`...; itself if it is of the type."""
        if value.type is type:
            return value
        if isinstance(value, Constant):
            if opcode in _DESIRABLE_CASTS:
                return self.constants.cast(opcode, value, type)
            folded = folding.fold_cast(self.constants, opcode, value, type)
            if folded is not None:
                return folded
        return self._insert(Cast(opcode, value, type), name)

    def icmp(self, predicate: ICmpPredicate, lhs: Value, rhs: Value, name: str = "") -> Value:
        """Return whether integers or pointers compare so."""
        folded = self._compared(predicate, lhs, rhs)
        return folded or self._insert(ICmp(self._truth(lhs), predicate, lhs, rhs), name)

    def fcmp(self, predicate: FCmpPredicate, lhs: Value, rhs: Value, name: str = "") -> Value:
        """Return whether floating-point values compare so."""
        folded = self._compared(predicate, lhs, rhs)
        return folded or self._insert(FCmp(self._truth(lhs), predicate, lhs, rhs), name)

    def select(self, condition: Value, true_value: Value, false_value: Value, name: str = "") -> Value:
        """Return one of two values."""
        if isinstance(condition, Constant) and isinstance(true_value, Constant) and isinstance(false_value, Constant):
            folded = folding.fold_select(self.constants, condition, true_value, false_value)
            if folded is not None:
                return folded
        return self._insert(Select(condition, true_value, false_value), name)

    # Vectors and aggregates

    def shuffle(self, lhs: Value, rhs: Value, mask: Sequence[int], name: str = "") -> Value:
        """Return elements of two vectors; -1 in the mask is poison."""
        if isinstance(lhs, Constant) and isinstance(rhs, Constant):
            return self.constants.shuffle_vector(lhs, rhs, tuple(mask))
        source = cast("VectorType", lhs.type)
        type_ = self.types.vector(len(mask), source.element_type, is_scalable=source.is_scalable)
        return self._insert(ShuffleVector(type_, lhs, rhs, tuple(mask)), name)

    def extract_element(self, vector: Value, index: int, name: str = "", *, index_bits: int = 64) -> Value:
        """Return an element of a vector."""
        place = self.integer(index_bits, index)
        if isinstance(vector, Constant):
            return self.constants.extract_element(vector, place)
        return self._insert(ExtractElement(vector, place), name)

    def insert_element(self, vector: Value, value: Value, index: int, name: str = "", *, index_bits: int = 64) -> Value:
        """Return a vector with one element replaced."""
        place = self.integer(index_bits, index)
        if isinstance(vector, Constant) and isinstance(value, Constant):
            return self.constants.insert_element(vector, value, place)
        return self._insert(InsertElement(vector, value, place), name)

    def extract_value(self, aggregate: Value, index: int, name: str = "") -> Value:
        """Return an element of a struct or array."""
        if isinstance(aggregate, Constant):
            folded = folding.fold_extract_value(self.constants, aggregate, (index,))
            if folded is not None:
                return folded
        type_ = _element_type(aggregate.type, index)
        return self._insert(ExtractValue(type_, aggregate, (index,)), name)

    def insert_value(self, aggregate: Value, value: Value, index: int, name: str = "") -> Value:
        """Return a struct or array with one element replaced."""
        if isinstance(aggregate, Constant) and isinstance(value, Constant):
            folded = folding.fold_insert_value(self.constants, aggregate, value, (index,))
            if folded is not None:
                return folded
        return self._insert(InsertValue(aggregate, value, (index,)), name)

    # Memory; alignments are in bytes, None for that of the type

    def load(self, type: Type, pointer: Value, alignment: int | None = None, name: str = "") -> Value:
        """Return what lies at an address."""
        return self._insert(Load(type, pointer, self._alignment(alignment, type)), name)

    def store(self, value: Value, pointer: Value, alignment: int | None = None) -> Store:
        """Write a value to an address."""
        return self._insert(Store(self.types.void, value, pointer, self._alignment(alignment, value.type)))

    def gep(
        self,
        type: Type,
        pointer: Value,
        indices: Sequence[Value],
        name: str = "",
        flags: GEPFlags = _NO_FLAGS,
    ) -> Value:
        """Return an address inside of what lies at another; the indices are scalars."""
        if isinstance(pointer, Constant) and all(isinstance(index, Constant) for index in indices):
            return self.constants.get_element_ptr(type, pointer, cast("Sequence[Constant]", indices), flags)
        return self._insert(GetElementPtr(pointer.type, type, pointer, indices, flags), name)

    def fence(self, ordering: AtomicOrdering, sync_scope: str = SYSTEM) -> Fence:
        """Order accesses before and after."""
        return self._insert(Fence(self.types.void, ordering, sync_scope))

    def atomic_rmw(
        self,
        operation: AtomicRMWOperation,
        pointer: Value,
        value: Value,
        alignment: int | None = None,
        *,
        ordering: AtomicOrdering,
        sync_scope: str = SYSTEM,
        is_volatile: bool = False,
        name: str = "",
    ) -> AtomicRMW:
        """Change what lies at an address; without an alignment it is the value's size."""
        rmw = AtomicRMW(
            operation,
            pointer,
            value,
            alignment or self.module.data_layout.store_size(value.type),
            ordering=ordering,
            sync_scope=sync_scope,
            is_volatile=is_volatile,
        )
        return self._insert(rmw, name)

    # Calls

    def intrinsic(
        self, base: str, overloads: Sequence[Type], return_type: Type, arguments: Sequence[Value], name: str = ""
    ) -> Call:
        """Call an intrinsic, which is declared if it is not yet; `base` is its name without `llvm.` and types."""
        function_type = self.types.function(return_type, [argument.type for argument in arguments])
        return self.intrinsic_of(intrinsic_name(base, overloads), function_type, arguments, name)

    def intrinsic_of(
        self, whole_name: str, function_type: FunctionType, arguments: Sequence[Value], name: str = ""
    ) -> Call:
        """Call an intrinsic by its whole name; it is declared if it is not yet."""
        return self.called(declared(self.module, whole_name, function_type), arguments, name)

    def called(self, function: Function, arguments: Sequence[Value], name: str = "") -> Call:
        """Call a function."""
        return self._insert(Call(function.value_type, function, arguments), name)

    def new_call(self, arguments: Sequence[Value]) -> Call:
        """Call the intrinsic that was declared in the place of the old one."""
        assert self._declaration is not None, "rows that call it name it"  # noqa: S101
        return self.called(self._declaration, arguments)

    # The call itself

    def take_name(self, value: Value) -> None:
        """Give a value the name of the call."""
        name, self.call.name = self.call.name, ""
        if name:
            value.name = name

    def replace(self, value: Value | None) -> None:
        """Let a value take the place of the call, which goes away; None, or one of another type, leaves `poison`."""
        call = self.call
        if not isinstance(call.type, VoidType):
            fits = value is not None and value.type is call.type
            call.replace_all_uses_with(value if fits and value is not None else self.poison(call.type))
            call.name = ""  # what is made from here on may have it
        self._commit()

    def _commit(self) -> None:
        edits = Edits() if self._edits is None else self._edits
        edits.replace(self.call, self.made, self.record)
        if self._edits is None:
            edits.apply()

    def _insert(self, instruction: Made, name: str = "") -> Made:
        instruction.parent = self._block
        instruction._location = self.call._location
        if name and not isinstance(instruction.type, VoidType):
            instruction.name = name
        self.made.append(instruction)
        return instruction

    def _alignment(self, alignment: int | None, type_: Type) -> int:
        return alignment or self.module.data_layout.abi_alignment(type_)

    def _truth(self, compared: Value) -> Type:
        return self.types.like(compared.type, self.types.integer(1))

    def _compared(self, predicate: ICmpPredicate | FCmpPredicate, lhs: Value, rhs: Value) -> Constant | None:
        if isinstance(lhs, Constant) and isinstance(rhs, Constant):
            return folding.fold_compare(self.constants, predicate, lhs, rhs)
        return None


def _element_type(aggregate: Type, index: int) -> Type:
    if isinstance(aggregate, ArrayType):
        return aggregate.element_type
    return aggregate.element_types[index]
