"""Makes types, each once.

Methods raise TypeError for arguments of wrong kinds, and ValueError for numbers that no type has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from bitcodec.ir.arguments import require, require_all, require_count, require_number
from bitcodec.ir.assignments import convert_boolean
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    FunctionType,
    IntegerType,
    LabelType,
    MetadataType,
    PointerType,
    StructType,
    TargetExtensionType,
    TokenType,
    Type,
    VectorType,
    VoidType,
    X86AMXType,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Protocol

    class Typed(Protocol):
        """A value, as far as it matters here."""

        @property
        def type(self) -> Type:
            """Its type."""


__all__ = ["TypeTable", "address_type", "array_type", "function_type", "name_struct"]


class TypeTable:
    """The types of a context.  Several threads may make types: each type is published in one step."""

    __slots__ = (
        "_arrays",
        "_extensions",
        "_functions",
        "_integers",
        "_names",
        "_next_number",
        "_packed_structs",
        "_pointers",
        "_rare",
        "_structs",
        "_vectors",
        "double",
        "float",
        "fp128",
        "half",
        "label",
        "metadata",
        "ppc_fp128",
        "ptr",
        "token",
        "void",
        "x86_fp80",
    )

    def __init__(self) -> None:
        self.void = VoidType()
        self.label = LabelType()
        self.metadata = MetadataType()
        self.token = TokenType()
        self.half = FloatingPointType("half", 16)
        self.float = FloatingPointType("float", 32)
        self.double = FloatingPointType("double", 64)
        self.x86_fp80 = FloatingPointType("x86_fp80", 80)
        self.fp128 = FloatingPointType("fp128", 128)
        self.ppc_fp128 = FloatingPointType("ppc_fp128", 128)
        self._rare: dict[str, Type] = {}
        self._integers: dict[int, IntegerType] = {}
        self._names: dict[str, StructType | None] = {}
        self._next_number = 0
        self._pointers: dict[int, PointerType] = {}
        self._arrays: dict[tuple[int, Type], ArrayType] = {}
        self._vectors: dict[tuple[int, Type, bool], VectorType] = {}
        self._structs: dict[tuple[Type, ...], StructType] = {}
        self._packed_structs: dict[tuple[Type, ...], StructType] = {}
        self._functions: dict[tuple[Type, tuple[Type, ...], bool], FunctionType] = {}
        self._extensions: dict[tuple[str, tuple[Type, ...], tuple[int, ...]], TargetExtensionType] = {}
        self.ptr = self.pointer()

    @property
    def bfloat(self) -> FloatingPointType:
        """`bfloat`."""
        return cast("FloatingPointType", self._rare_type("bfloat", lambda: FloatingPointType("bfloat", 16)))

    @property
    def x86_amx(self) -> X86AMXType:
        """`x86_amx`."""
        return cast("X86AMXType", self._rare_type("x86_amx", X86AMXType))

    def _rare_type(self, name: str, make: Callable[[], Type]) -> Type:
        return self._rare.get(name) or self._rare.setdefault(name, make())

    def newer_types(self) -> Iterator[Type]:
        """Yield the types that there are of the kinds that LLVM 4 lacks; other vectors are among them."""
        yield from (*self._rare.values(), *self._extensions.values(), *self._vectors.values())

    def integer(self, bit_width: int) -> IntegerType:
        """Return `iN`, 1 to 2**23 bits wide."""
        require_number("bit_width", bit_width)
        found = self._integers.get(bit_width)
        if found is None:
            if not 1 <= bit_width <= IntegerType.MAX_WIDTH:
                raise ValueError(f"an integer type of {bit_width} bits: 1 to {IntegerType.MAX_WIDTH} are possible")
            found = self._integers.setdefault(bit_width, IntegerType(bit_width))
        return found

    def pointer(self, address_space: int = 0) -> PointerType:
        """Return the pointer into an address space."""
        require_count("address_space", address_space)
        found = self._pointers.get(address_space)
        if found is None:
            found = self._pointers.setdefault(address_space, PointerType(address_space))
        return found

    def array(self, count: int, element_type: Type) -> ArrayType:
        """Return `[count x element_type]`."""
        require_count("count", count)
        require("element_type", element_type, Type)
        return self._array_of((count, element_type))

    def _array_of(self, key: tuple[int, Type]) -> ArrayType:
        """Return the array of a count and an element type, which are known to be such."""
        found = self._arrays.get(key)
        if found is None:
            found = self._arrays.setdefault(key, ArrayType(*key))
        return found

    def vector(self, count: int, element_type: Type, *, is_scalable: bool = False) -> VectorType:
        """Return `<count x element_type>`, or with `vscale x`."""
        require_count("count", count)
        require("element_type", element_type, Type)
        convert_boolean("is_scalable", is_scalable)
        key = (count, element_type, is_scalable)
        found = self._vectors.get(key)
        if found is None:
            found = self._vectors.setdefault(key, VectorType(count, element_type, is_scalable=is_scalable))
        return found

    def struct(self, elements: Sequence[Type], *, is_packed: bool = False) -> StructType:
        """Return the literal struct of these elements."""
        convert_boolean("is_packed", is_packed)
        known = self._packed_structs if is_packed else self._structs
        key = require_all("elements", elements, Type)
        found = known.get(key)
        if found is None:
            found = known.setdefault(key, StructType(key, is_packed=is_packed))
        return found

    def function(
        self, return_type: Type, parameter_types: Sequence[Type] = (), *, is_vararg: bool = False
    ) -> FunctionType:
        """Return the type of a function."""
        require("return_type", return_type, Type)
        convert_boolean("is_vararg", is_vararg)
        return self._function_of((return_type, require_all("parameter_types", parameter_types, Type), is_vararg))

    def _function_of(self, key: tuple[Type, tuple[Type, ...], bool]) -> FunctionType:
        """Return the type of a function of a return type, parameters and variadicity, which are known to be such."""
        found = self._functions.get(key)
        if found is None:
            found = self._functions.setdefault(key, FunctionType(key[0], key[1], is_vararg=key[2]))
        return found

    def target_extensions(self) -> Iterator[TargetExtensionType]:
        """Yield the types of targets that there are."""
        yield from list(self._extensions.values())

    def target_extension(
        self, name: str, type_parameters: Sequence[Type] = (), integer_parameters: Sequence[int] = ()
    ) -> TargetExtensionType:
        """Return a type of one target alone."""
        require("name", name, str)
        inner = require_all("type_parameters", type_parameters, Type)
        numbers = require_all("integer_parameters", integer_parameters, int)
        key = (name, inner, numbers)
        found = self._extensions.get(key)
        if found is None:
            found = self._extensions.setdefault(key, TargetExtensionType(*key))
        return found

    def unique_name(self, name: str) -> str:
        """Return a name for an identified struct that no other of this table has: with a number added if need be."""
        require("name", name, str)
        return self._unique_name(name)

    def _unique_name(self, name: str) -> str:
        unique = name
        while unique in self._names:
            unique = f"{name}.{self._next_number}"
            self._next_number += 1
        if unique:
            self._names[unique] = None
        return unique

    def name_struct(self, struct: StructType, name: str) -> None:
        """Give an identified struct without a name this one, with a number added if another struct has it."""
        require("struct", struct, StructType)
        require("name", name, str)
        self._name_struct(struct, name)

    def _name_struct(self, struct: StructType, name: str) -> None:
        unique = struct.name = self._unique_name(name)
        if unique:
            self._names[unique] = struct

    def find_struct(self, name: str) -> StructType | None:
        """Return the identified struct of a name, None if there is none."""
        require("name", name, str)
        return self._names.get(name)

    def release_name(self, struct: StructType) -> str:
        """Take the name of an identified struct away, so that another can have it; return it."""
        require("struct", struct, StructType)
        name, struct.name = struct.name or "", ""
        self._names.pop(name, None)
        return name

    def like(self, shape: Type, scalar: Type) -> Type:
        """Return `scalar`, or a vector of it if `shape` is a vector."""
        require("shape", shape, Type)
        require("scalar", scalar, Type)
        if isinstance(shape, VectorType):
            return self.vector(shape.count, scalar, is_scalable=shape.is_scalable)
        return scalar


def address_type(table: TypeTable, pointer: Typed, indices: Iterable[Typed]) -> Type:
    """Return the type of address arithmetic: a vector if the pointer or an index is one."""
    type_ = pointer.type
    if not isinstance(type_, VectorType):
        for index in indices:
            if isinstance(index.type, VectorType):
                return table.like(index.type, type_)
    return type_


def array_type(table: TypeTable, key: tuple[int, Type]) -> ArrayType:
    """Return the array of a count and an element type, without checks."""
    return table._array_of(key)


def name_struct(table: TypeTable, struct: StructType, name: str) -> None:
    """Give an identified struct without a name this one, or that with a number added, without checks."""
    table._name_struct(struct, name)


def function_type(table: TypeTable, key: tuple[Type, tuple[Type, ...], bool]) -> FunctionType:
    """Return the type of a function of a result, parameters and whether more may follow, without checks."""
    return table._function_of(key)
