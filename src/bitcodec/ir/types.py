"""Types: each is one object in its `Context`, so equal types are the same object.

Identified structs are the exception: each is a type of its own, known by its name.
Rules: LLVM Language Reference, "Type System".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from bitcodec.ir.spelling import escaped

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ArrayType",
    "FloatingPointType",
    "FunctionType",
    "IntegerType",
    "LabelType",
    "MetadataType",
    "PointerType",
    "PrimitiveType",
    "SequentialType",
    "StructType",
    "TargetExtensionType",
    "TokenType",
    "Type",
    "TypeTable",
    "VectorType",
    "VoidType",
    "X86AMXType",
]


class Type:
    """A type; `str(type)` is its spelling in assembly text."""

    __slots__ = ()

    is_first_class: ClassVar[bool] = True
    """Whether an instruction can have a value of it."""

    @property
    def element_types(self) -> tuple[Type, ...]:
        """The types it is made of, in order: elements, or a function's return type and parameters."""
        return ()

    @property
    def scalar_type(self) -> Type:
        """The element type of a vector, the type itself otherwise."""
        return self

    @property
    def is_sized(self) -> bool:
        """Whether a value of it can lie in memory."""
        return True

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


class PrimitiveType(Type):
    """A type that has one form only."""

    __slots__ = ()

    spelling: str

    def __str__(self) -> str:
        return self.spelling


class VoidType(PrimitiveType):
    """`void`: no value."""

    __slots__ = ()
    spelling = "void"
    is_first_class = False

    @property
    def is_sized(self) -> bool:
        """Never."""
        return False


class _Unsized(PrimitiveType):
    __slots__ = ()

    @property
    def is_sized(self) -> bool:
        """Never."""
        return False


class LabelType(_Unsized):
    """`label`: a basic block."""

    __slots__ = ()
    spelling = "label"


class MetadataType(_Unsized):
    """`metadata`: metadata where a value stands."""

    __slots__ = ()
    spelling = "metadata"


class TokenType(_Unsized):
    """`token`: ties instructions together."""

    __slots__ = ()
    spelling = "token"


class X86AMXType(PrimitiveType):
    """`x86_amx`: a tile register."""

    __slots__ = ()
    spelling = "x86_amx"


class FloatingPointType(PrimitiveType):
    """A floating-point type.

    Attributes:
        bit_width: size of its bit pattern.
    """

    __match_args__ = ("spelling",)
    __slots__ = ("bit_width", "spelling")

    def __init__(self, spelling: str, bit_width: int) -> None:
        self.spelling = spelling
        self.bit_width = bit_width


class IntegerType(Type):
    """`iN`: an integer of `bit_width` bits."""

    __match_args__ = ("bit_width",)
    __slots__ = ("bit_width",)

    MAX_WIDTH: ClassVar[int] = 1 << 23

    def __init__(self, bit_width: int) -> None:
        self.bit_width = bit_width

    def __str__(self) -> str:
        return f"i{self.bit_width}"


class PointerType(Type):
    """`ptr`: a pointer into an address space."""

    __match_args__ = ("address_space",)
    __slots__ = ("address_space",)

    def __init__(self, address_space: int = 0) -> None:
        self.address_space = address_space

    def __str__(self) -> str:
        return f"ptr addrspace({self.address_space})" if self.address_space else "ptr"


class FunctionType(Type):
    """A function's return type and parameters."""

    __match_args__ = ("return_type", "parameter_types", "is_vararg")
    __slots__ = ("is_vararg", "parameter_types", "return_type")

    is_first_class = False

    def __init__(self, return_type: Type, parameter_types: tuple[Type, ...], *, is_vararg: bool = False) -> None:
        self.return_type = return_type
        self.parameter_types = parameter_types
        self.is_vararg = is_vararg

    @property
    def element_types(self) -> tuple[Type, ...]:
        """The return type, then the parameters."""
        return (self.return_type, *self.parameter_types)

    @property
    def is_sized(self) -> bool:
        """Never."""
        return False

    def __str__(self) -> str:
        parameters = [str(parameter) for parameter in self.parameter_types]
        if self.is_vararg:
            parameters.append("...")
        return f"{self.return_type} ({', '.join(parameters)})"


class SequentialType(Type):
    """An array or a vector."""

    __match_args__ = ("count", "element_type")
    __slots__ = ("count", "element_type")

    def __init__(self, count: int, element_type: Type) -> None:
        self.count = count
        self.element_type = element_type

    @property
    def element_types(self) -> tuple[Type, ...]:
        """The one type of its elements."""
        return (self.element_type,)

    @property
    def is_sized(self) -> bool:
        """If its elements are."""
        return self.element_type.is_sized


class ArrayType(SequentialType):
    """`[count x element_type]`."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"[{self.count} x {self.element_type}]"


class VectorType(SequentialType):
    """`<count x element_type>`; of a scalable one `count` is the least number of elements."""

    __match_args__ = ("count", "element_type", "is_scalable")
    __slots__ = ("is_scalable",)

    def __init__(self, count: int, element_type: Type, *, is_scalable: bool = False) -> None:
        super().__init__(count, element_type)
        self.is_scalable = is_scalable

    @property
    def scalar_type(self) -> Type:
        """The type of its elements."""
        return self.element_type

    def __str__(self) -> str:
        return f"<{'vscale x ' if self.is_scalable else ''}{self.count} x {self.element_type}>"


class StructType(Type):
    """A struct: literal (its elements are its identity) or identified (its name is).

    Attributes:
        name: the name of an identified struct, "" if it has none; None for a literal one.
        elements: types of the elements; None if the struct is opaque.
    """

    __match_args__ = ("name", "elements", "is_packed")
    __slots__ = ("elements", "is_packed", "name")

    def __init__(self, elements: tuple[Type, ...] | None, *, is_packed: bool = False, name: str | None = None) -> None:
        self.elements = elements
        self.is_packed = is_packed
        self.name = name

    @property
    def is_literal(self) -> bool:
        """Whether its elements are its identity."""
        return self.name is None

    @property
    def is_opaque(self) -> bool:
        """Whether its elements are not known."""
        return self.elements is None

    @property
    def element_types(self) -> tuple[Type, ...]:
        """Types of the elements, none if it is opaque."""
        return self.elements or ()

    @property
    def is_sized(self) -> bool:
        """Whether it and all that it holds by value is known."""
        return _is_sized_struct(self)

    @property
    def body(self) -> str:
        """The spelling of its elements, as its definition has them."""
        if self.elements is None:
            return "opaque"
        inner = f"{{ {', '.join(map(str, self.elements))} }}" if self.elements else "{}"
        return f"<{inner}>" if self.is_packed else inner

    def __str__(self) -> str:
        if self.name is None:
            return self.body
        return f"%{quoted_name(self.name)}"


class TargetExtensionType(Type):
    """`target("name", types..., integers...)`: a type of one target alone."""

    __match_args__ = ("name", "type_parameters", "integer_parameters")
    __slots__ = ("integer_parameters", "name", "type_parameters")

    def __init__(
        self, name: str, type_parameters: tuple[Type, ...] = (), integer_parameters: tuple[int, ...] = ()
    ) -> None:
        self.name = name
        self.type_parameters = type_parameters
        self.integer_parameters = integer_parameters

    @property
    def element_types(self) -> tuple[Type, ...]:
        """Its type parameters."""
        return self.type_parameters

    def __str__(self) -> str:
        parts = [f'"{self.name}"', *map(str, self.type_parameters), *map(str, self.integer_parameters)]
        return f"target({', '.join(parts)})"


class TypeTable:
    """Makes types, each once."""

    __slots__ = (
        "_arrays",
        "_extensions",
        "_functions",
        "_integers",
        "_names",
        "_pointers",
        "_structs",
        "_vectors",
        "bfloat",
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
        "x86_amx",
        "x86_fp80",
    )

    def __init__(self) -> None:
        self.void = VoidType()
        self.label = LabelType()
        self.metadata = MetadataType()
        self.token = TokenType()
        self.x86_amx = X86AMXType()
        self.half = FloatingPointType("half", 16)
        self.bfloat = FloatingPointType("bfloat", 16)
        self.float = FloatingPointType("float", 32)
        self.double = FloatingPointType("double", 64)
        self.x86_fp80 = FloatingPointType("x86_fp80", 80)
        self.fp128 = FloatingPointType("fp128", 128)
        self.ppc_fp128 = FloatingPointType("ppc_fp128", 128)
        self._integers: dict[int, IntegerType] = {}
        self._names: dict[str, int] = {}
        self._pointers: dict[int, PointerType] = {}
        self._arrays: dict[tuple[int, Type], ArrayType] = {}
        self._vectors: dict[tuple[int, Type, bool], VectorType] = {}
        self._structs: dict[tuple[bool, tuple[Type, ...]], StructType] = {}
        self._functions: dict[tuple[Type, tuple[Type, ...], bool], FunctionType] = {}
        self._extensions: dict[tuple[str, tuple[Type, ...], tuple[int, ...]], TargetExtensionType] = {}
        self.ptr = self.pointer()

    def integer(self, bit_width: int) -> IntegerType:
        """Return `iN`, 1 to 2**23 bits wide."""
        found = self._integers.get(bit_width)
        if found is None:
            if not 1 <= bit_width <= IntegerType.MAX_WIDTH:
                raise ValueError(f"an integer type of {bit_width} bits: 1 to {IntegerType.MAX_WIDTH} are possible")
            found = self._integers[bit_width] = IntegerType(bit_width)
        return found

    def pointer(self, address_space: int = 0) -> PointerType:
        """Return the pointer into an address space."""
        found = self._pointers.get(address_space)
        if found is None:
            found = self._pointers[address_space] = PointerType(address_space)
        return found

    def array(self, count: int, element_type: Type) -> ArrayType:
        """Return `[count x element_type]`."""
        key = (count, element_type)
        found = self._arrays.get(key)
        if found is None:
            found = self._arrays[key] = ArrayType(count, element_type)
        return found

    def vector(self, count: int, element_type: Type, *, is_scalable: bool = False) -> VectorType:
        """Return `<count x element_type>`, or with `vscale x`."""
        key = (count, element_type, is_scalable)
        found = self._vectors.get(key)
        if found is None:
            found = self._vectors[key] = VectorType(count, element_type, is_scalable=is_scalable)
        return found

    def struct(self, elements: Sequence[Type], *, is_packed: bool = False) -> StructType:
        """Return the literal struct of these elements."""
        key = (is_packed, tuple(elements))
        found = self._structs.get(key)
        if found is None:
            found = self._structs[key] = StructType(key[1], is_packed=is_packed)
        return found

    def function(
        self, return_type: Type, parameter_types: Sequence[Type] = (), *, is_vararg: bool = False
    ) -> FunctionType:
        """Return the type of a function."""
        key = (return_type, tuple(parameter_types), is_vararg)
        found = self._functions.get(key)
        if found is None:
            found = self._functions[key] = FunctionType(return_type, key[1], is_vararg=is_vararg)
        return found

    def target_extension(
        self, name: str, type_parameters: Sequence[Type] = (), integer_parameters: Sequence[int] = ()
    ) -> TargetExtensionType:
        """Return a type of one target alone."""
        key = (name, tuple(type_parameters), tuple(integer_parameters))
        found = self._extensions.get(key)
        if found is None:
            found = self._extensions[key] = TargetExtensionType(*key)
        return found

    def unique_name(self, name: str) -> str:
        """Return a name for an identified struct that no other of this table has: with a number added if need be."""
        if not name:
            return name
        count = self._names.setdefault(name, 0)
        unique = name
        if count:
            while unique in self._names:
                unique = f"{name}.{count - 1}"
                count += 1
            self._names[unique] = 1
        self._names[name] = max(count, 1)
        return unique

    def like(self, shape: Type, scalar: Type) -> Type:
        """Return `scalar`, or a vector of it if `shape` is a vector."""
        if isinstance(shape, VectorType):
            return self.vector(shape.count, scalar, is_scalable=shape.is_scalable)
        return scalar


_PLAIN_NAME = re.compile(r"[-a-zA-Z._][-a-zA-Z._0-9]*\Z")


def quoted_name(name: str) -> str:
    """Return a name as text spells it: bare where it can be, else in quotes with what is not printable escaped."""
    return name if _PLAIN_NAME.match(name) else f'"{escaped(name)}"'


def _is_sized_struct(struct: StructType) -> bool:
    seen: set[Type] = set()
    pending: list[Type] = [struct]
    while pending:
        current = pending.pop()
        if isinstance(current, StructType):
            if current.elements is None:
                return False
            if current not in seen:
                seen.add(current)
                pending += current.elements
        elif isinstance(current, SequentialType):
            pending.append(current.element_type)
        elif not current.is_sized:
            return False
    return True
