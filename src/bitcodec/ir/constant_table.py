"""Makes constants, each once, in the form that LLVM gives it.

Methods raise TypeError for arguments of wrong kinds, and ValueError for opcodes that LLVM does not have.
"""

from __future__ import annotations

from functools import partial
from struct import pack
from typing import TYPE_CHECKING, TypeVar, cast

from bitcodec.features import feature
from bitcodec.ir.arguments import require, require_all, require_one_of
from bitcodec.ir.assignments import FlagAccess, convert_boolean
from bitcodec.ir.constant_expressions import (
    BlockAddress,
    ConstantBinary,
    ConstantCast,
    ConstantExtractElement,
    ConstantGetElementPtr,
    ConstantInsertElement,
    ConstantPtrAuth,
    ConstantShuffleVector,
    DSOLocalEquivalent,
    NoCFIValue,
)
from bitcodec.ir.constants import (
    Constant,
    ConstantAggregateZero,
    ConstantArray,
    ConstantDataArray,
    ConstantDataVector,
    ConstantFP,
    ConstantInt,
    ConstantPointerNull,
    ConstantStruct,
    ConstantTargetNone,
    ConstantTokenNone,
    ConstantVector,
    ConstantWithOperands,
    InlineAsm,
    PoisonValue,
    UndefValue,
)
from bitcodec.ir.lazy import MaterializationLock
from bitcodec.ir.type_table import address_type
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    FunctionType,
    IntegerType,
    PointerType,
    SequentialType,
    StructType,
    TargetExtensionType,
    TokenType,
    Type,
    VectorType,
)
from bitcodec.tables.instruction_flags import NO_ASM_FLAGS, NO_GEP_FLAGS, NO_INTEGER_FLAGS, AsmFlags
from bitcodec.tables.opcodes import BINARY_OPCODES, CAST_OPCODES

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from bitcodec.ir.attributes import ConstantRange
    from bitcodec.ir.functions import BasicBlock, Function
    from bitcodec.ir.globals import GlobalValue
    from bitcodec.ir.type_table import TypeTable
    from bitcodec.tables.instruction_flags import GEPFlags, IntegerFlags

__all__ = ["ConstantTable"]

C = TypeVar("C", bound=Constant)

_DATA_WIDTHS = (8, 16, 32, 64)
"""Widths in bits of elements that are stored as plain numbers."""
_BINARY = tuple(spelling for row in BINARY_OPCODES for spelling in row if spelling)
_ASM_FLAGS = [name for name, part in vars(InlineAsm).items() if isinstance(part, FlagAccess)]


class ConstantTable:
    """The constants of a context.

    Several threads may make constants.  Plain ones are published in one step; the others are made with the lock held,
    because making one enters it as a user of its operands.

    Args:
        types: makes types.
        lock: the lock of the context.

    Attributes:
        types: makes types.
    """

    __slots__ = ("_asm", "_floats", "_integers", "_lock", "_others", "types")

    def __init__(self, types: TypeTable, lock: MaterializationLock | None = None) -> None:
        self.types = types
        self._lock = lock or MaterializationLock()
        self._integers: dict[tuple[Type, int], ConstantInt] = {}
        self._floats: dict[tuple[Type, int], ConstantFP] = {}
        self._others: dict[Hashable, Constant] = {}
        self._asm: dict[Hashable, InlineAsm] = {}

    # Plain ones

    def integer(self, type: IntegerType, value: int) -> ConstantInt:
        """Return an integer; bits beyond the type's width are dropped."""
        require("type", type, IntegerType)
        require("value", value, int)
        width = type.bit_width
        half = 1 << (width - 1)
        value = value & 1 if width == 1 else ((value + half) & ((half << 1) - 1)) - half
        key = (type, value)
        found = self._integers.get(key)
        if found is None:
            found = self._integers.setdefault(key, ConstantInt(type, value))
        return found

    def boolean(self, *, value: bool) -> ConstantInt:
        """Return `true` or `false`."""
        return self.integer(self.types.integer(1), int(bool(convert_boolean("value", value))))

    def floating(self, type: FloatingPointType, bits: int) -> ConstantFP:
        """Return the number of a bit pattern; bits beyond the type's width are dropped."""
        require("type", type, FloatingPointType)
        require("bits", bits, int)
        bits &= (1 << type.bit_width) - 1
        key = (type, bits)
        found = self._floats.get(key)
        if found is None:
            found = self._floats.setdefault(key, ConstantFP(type, bits))
        return found

    def real(self, type: FloatingPointType, value: float) -> ConstantFP:
        """Return the number of a type that is nearest to a Python number."""
        from bitcodec.ir.floating_point import FORMATS, format_of  # noqa: PLC0415 - few ask, and fractions take long

        require("type", type, FloatingPointType)
        if not isinstance(value, int):
            require("value", value, float)
        double = int.from_bytes(pack("<d", value), "little")
        return self.floating(type, format_of(type).converted(double, FORMATS["double"]))

    def null(self, type: Type) -> Constant:
        """Return zero, `null`, `none` or `zeroinitializer` of a type.

        Raises:
            TypeError: the type has no null value.
        """
        if isinstance(type, IntegerType):
            return self.integer(type, 0)
        if isinstance(type, FloatingPointType):
            return self.floating(type, 0)
        if isinstance(type, PointerType):
            return self._plain(ConstantPointerNull, type)
        if isinstance(type, (SequentialType, StructType)):
            return self._plain(ConstantAggregateZero, type)
        if isinstance(type, TokenType):
            return self._plain(ConstantTokenNone, type)
        if isinstance(type, TargetExtensionType):
            return self._plain(ConstantTargetNone, type)
        require("type", type, Type)
        raise TypeError(f"type {type.brief} has no zero")

    def undef(self, type: Type) -> UndefValue:
        """Return `undef`."""
        require("type", type, Type)
        return self._plain(UndefValue, type)

    def poison(self, type: Type) -> PoisonValue:
        """Return `poison`."""
        require("type", type, Type)
        return self._plain(PoisonValue, type)

    def data(self, type: SequentialType, elements: Sequence[int] | bytes) -> Constant:
        """Return an array or vector of plain numbers, given as unsigned bit patterns."""
        require("type", type, SequentialType)
        if not isinstance(elements, bytes):
            elements = require_all("elements", elements, int)
        if not any(elements):
            return self.null(type)
        is_bytes = type.element_type is self.types.integer(8)
        plain: bytes | tuple[int, ...] = bytes(elements) if is_bytes else tuple(elements)
        made = ConstantDataArray if isinstance(type, ArrayType) else ConstantDataVector
        return self._unique((type, plain), lambda: made(type, plain))

    # Aggregates

    def aggregate(self, type: Type, elements: Sequence[Constant]) -> Constant:
        """Return an array, struct or vector in its one form: zero, poison and undef as such, numbers as data.

        Raises:
            TypeError: the type is not an aggregate of these elements.
        """
        require("type", type, Type)
        elements = require_all("elements", elements, Constant)
        if not _are_elements(type, elements):
            raise TypeError(f"a {type.brief} is not made of these {len(elements)} elements")
        if all(element.is_null for element in elements):
            return self.null(type)
        if type_of_all(elements, PoisonValue):
            return self.poison(type)
        if type_of_all(elements, UndefValue) and not any(isinstance(element, PoisonValue) for element in elements):
            return self.undef(type)
        if isinstance(type, StructType):
            return self._of_elements(ConstantStruct, type, elements)
        assert isinstance(type, SequentialType)  # noqa: S101 - _are_elements accepts no other
        numbers = self._plain_numbers(type, elements)
        if numbers is not None:
            return self.data(type, numbers)
        return self._of_elements(ConstantArray if isinstance(type, ArrayType) else ConstantVector, type, elements)

    def splat(self, type: VectorType, element: Constant) -> Constant:
        """Return a vector of one element throughout."""
        require("type", type, VectorType)
        require("element", element, Constant)
        if not type.is_scalable:
            return self.aggregate(type, [element] * type.count)
        if element.is_null:
            return self.null(type)
        if isinstance(element, UndefValue):
            return self.poison(type) if isinstance(element, PoisonValue) else self.undef(type)
        first = self.insert_element(self.poison(type), element, self.integer(self.types.integer(64), 0))
        return self.shuffle_vector(first, self.poison(type), (0,) * type.count)

    # Expressions

    def cast(self, opcode: str, operand: Constant, type: Type) -> Constant:
        """Return a cast, or its folded value."""
        require_one_of("opcode", opcode, CAST_OPCODES)
        require("operand", operand, Constant)
        require("type", type, Type)
        return self._folded("fold_cast", (opcode, operand, type), partial(ConstantCast, opcode, type, (operand,), self))

    def binary(self, opcode: str, lhs: Constant, rhs: Constant, flags: IntegerFlags = NO_INTEGER_FLAGS) -> Constant:
        """Return `add`, `sub` or `xor`, or its folded value."""
        require_one_of("opcode", opcode, _BINARY)
        require_all("operands", (lhs, rhs), Constant)
        make = partial(ConstantBinary, opcode, lhs, rhs, flags, self)
        return self._folded("fold_binary", (opcode, lhs, rhs), make, int(flags))

    def get_element_ptr(
        self,
        source_element_type: Type,
        pointer: Constant,
        indices: Sequence[Constant],
        flags: GEPFlags = NO_GEP_FLAGS,
        in_range: ConstantRange | None = None,
    ) -> Constant:
        """Return address arithmetic, or its folded value."""
        require("source_element_type", source_element_type, Type)
        require("pointer", pointer, Constant)
        indices = require_all("indices", indices, Constant)
        folded: Constant | None = feature("fold_gep")(self, source_element_type, pointer, indices, in_range)
        if folded is not None:
            return folded
        type = address_type(self.types, pointer, indices)
        if isinstance(type, VectorType):
            indices = self._vector_indices(type, source_element_type, indices)
        operands = (pointer, *indices)
        key = ("getelementptr", source_element_type, operands, int(flags), in_range)
        return self._unique(
            key, lambda: ConstantGetElementPtr(type, source_element_type, operands, flags, in_range, self)
        )

    def extract_element(self, vector: Constant, index: Constant) -> Constant:
        """Return an element of a vector."""
        require_all("operands", (vector, index), Constant)
        require("type of vector", vector.type, VectorType)
        operands = (vector, index)
        make = partial(ConstantExtractElement, "extractelement", vector.type.scalar_type, operands, self)
        return self._folded("fold_extract_element", operands, make)

    def insert_element(self, vector: Constant, element: Constant, index: Constant) -> Constant:
        """Return a vector with one element replaced."""
        require_all("operands", (vector, element, index), Constant)
        require("type of vector", vector.type, VectorType)
        operands = (vector, element, index)
        make = partial(ConstantInsertElement, "insertelement", vector.type, operands, self)
        return self._folded("fold_insert_element", operands, make)

    def shuffle_vector(self, lhs: Constant, rhs: Constant, mask: tuple[int, ...]) -> Constant:
        """Return elements of two vectors; -1 in the mask is poison."""
        require_all("operands", (lhs, rhs), Constant)
        require("type of lhs", lhs.type, VectorType)
        mask = require_all("mask", mask, int)
        source = cast("VectorType", lhs.type)

        def make() -> Constant:
            type = self.types.vector(len(mask), source.element_type, is_scalable=source.is_scalable)
            return ConstantShuffleVector(type, lhs, rhs, mask, self)

        return self._folded("fold_shuffle_vector", (lhs, rhs, mask), make)

    # Constants that name a global

    def block_address(self, function: Function, block: BasicBlock) -> BlockAddress:
        """Return the address of a block."""
        from bitcodec.ir.basic_blocks import BasicBlock  # noqa: PLC0415 - which refers to constants
        from bitcodec.ir.functions import Function  # noqa: PLC0415

        require("function", function, Function)
        require("block", block, BasicBlock)
        return self._unique(("blockaddress", block), lambda: BlockAddress(function, block, self))

    def dso_local_equivalent(self, value: GlobalValue) -> DSOLocalEquivalent:
        """Return the `dso_local` equivalent of a function: a function of this shared object that does the same."""
        _require_global(value)
        key = ("dso_local_equivalent", value)
        return self._unique(key, lambda: DSOLocalEquivalent(value.type, (value,), self))

    def no_cfi(self, value: GlobalValue) -> NoCFIValue:
        """Return a function itself, not its jump table entry."""
        _require_global(value)
        return self._no_cfi(value)

    def _no_cfi(self, value: Constant) -> NoCFIValue:
        return self._unique(("no_cfi", value), lambda: NoCFIValue(value.type, (value,), self))

    def ptr_auth(
        self,
        pointer: Constant,
        key: Constant,
        discriminator: Constant,
        address_discriminator: Constant,
        deactivation_symbol: Constant,
    ) -> ConstantPtrAuth:
        """Return a signed pointer."""
        operands = (pointer, key, discriminator, address_discriminator, deactivation_symbol)
        require_all("operands", operands, Constant)
        return self._unique(("ptrauth", *operands), lambda: ConstantPtrAuth(pointer.type, operands, self))

    def inline_asm(
        self,
        function_type: FunctionType,
        assembly: str,
        constraints: str,
        flags: AsmFlags = NO_ASM_FLAGS,
        **named: bool,
    ) -> InlineAsm:
        """Return assembly text to call; keywords are flags, under the names that `InlineAsm` has for them."""
        require("function_type", function_type, FunctionType)
        require("assembly", assembly, str)
        require("constraints", constraints, str)
        require("flags", flags, AsmFlags)
        made = InlineAsm(self.types.ptr, function_type, assembly, constraints, flags)
        for name, is_set in named.items():
            if name not in _ASM_FLAGS:
                raise TypeError(f"unknown flag {name} of inline assembly: expected {', '.join(_ASM_FLAGS)}")
            setattr(made, name, is_set)
        return self._asm.setdefault((function_type, assembly, constraints, int(made.flags)), made)

    def with_operands(self) -> Iterator[ConstantWithOperands]:
        """Yield the present constants with operands."""
        return (constant for constant in self._others.copy().values() if isinstance(constant, ConstantWithOperands))

    def assembly(self) -> Iterator[InlineAsm]:
        """Yield the assembly texts that there are."""
        return iter(self._asm.copy().values())

    def forget(self, key: Hashable) -> None:
        """Take a constant out, because it is going away."""
        self._others.pop(key, None)

    def _plain(self, made: type[C], type: Type) -> C:
        return self._unique((made, type), lambda: made(type))  # type: ignore[call-arg]

    def _of_elements(self, made: type[C], type: Type, elements: Sequence[Constant]) -> C:
        operands = tuple(elements)
        return self._unique((type, operands), lambda: made(type, operands, self))  # type: ignore[call-arg]

    def _folded(self, fold: str, arguments: tuple[object, ...], make: Callable[[], Constant], *others: int) -> Constant:
        """Return the result of a function that folds; if there is none, the expression of arguments and others."""
        folded: Constant | None = feature(fold)(self, *arguments)
        return self._unique((fold, *arguments, *others), make) if folded is None else folded

    def _unique(self, key: Hashable, make: Callable[[], C]) -> C:
        found = self._others.get(key)
        return cast("C", self._lock.run_exclusively(self._made, key, make) if found is None else found)

    def _made(self, key: Hashable, make: Callable[[], Constant]) -> Constant:
        found = self._others.get(key)
        if found is None:  # else another thread was first
            found = make()
            if isinstance(found, ConstantWithOperands):
                found._key = key
            self._others[key] = found
        return found

    def _vector_indices(self, type: VectorType, source: Type, indices: Sequence[Constant]) -> list[Constant]:
        """Return the indices into vectors of addresses: each a vector too, but those into structs are numbers."""
        shaped: list[Constant] = []
        current: Type | None = None
        for index in indices:
            if isinstance(current, StructType):
                number = self._splat_value(index)
                shaped.append(number)
                position = number.unsigned if isinstance(number, ConstantInt) else 0
                current = current.element_types[position]
                continue
            is_vector = isinstance(index.type, VectorType)
            shaped.append(
                index if is_vector else self.splat(cast("VectorType", self.types.like(type, index.type)), index)
            )
            current = source if current is None else current.element_types[0]
        return shaped

    def _splat_value(self, constant: Constant) -> Constant:
        """Return the common element of a splat vector, the constant itself if it is not one."""
        return cast("Constant", feature("splat_value")(self, constant) or constant)

    def _plain_numbers(self, type: SequentialType, elements: Sequence[Constant]) -> list[int] | None:
        """Return the elements as bit patterns if all are plain numbers of a kind that is kept so."""
        element = type.element_type
        if isinstance(element, IntegerType) and element.bit_width in _DATA_WIDTHS:
            numbers = [constant.unsigned for constant in elements if isinstance(constant, ConstantInt)]
        elif isinstance(element, FloatingPointType) and element.bit_width in _DATA_WIDTHS:
            numbers = [constant.bits for constant in elements if isinstance(constant, ConstantFP)]
        else:
            return None
        return numbers if len(numbers) == len(elements) else None


def type_of_all(constants: Sequence[Constant], kind: type[Constant]) -> bool:
    """Return whether all constants are of one class."""
    return all(isinstance(constant, kind) for constant in constants)


def _require_global(value: object) -> None:
    from bitcodec.ir.globals import GlobalValue  # noqa: PLC0415 - globals are constants

    require("value", value, GlobalValue)


def _are_elements(type: Type, elements: Sequence[Constant]) -> bool:
    """Return whether a constant of a type can consist of these elements."""
    if isinstance(type, SequentialType):
        kind = type.element_type
        return (
            len(elements) == type.count
            and not (isinstance(type, VectorType) and type.is_scalable)
            and all(element.type is kind for element in elements)
        )
    kinds = type.elements if isinstance(type, StructType) else None
    return (
        kinds is not None
        and len(elements) == len(kinds)
        and all(element.type is kind for element, kind in zip(elements, kinds, strict=True))
    )
