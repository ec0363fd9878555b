"""Types: each is one object in its `Context`, made by a `TypeTable`, so equal types are the same object.

Identified structs are the exception: each is a distinct type, identified by its name.
Rules: LLVM Language Reference, "Type System".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from bitcodec.ir.spelling import escaped
from bitcodec.ir.type_spelling import Spelling, abbreviate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    "VectorType",
    "VoidType",
    "X86AMXType",
    "quoted_name",
    "scalable_types",
    "unsized_types",
]


class Type:
    """A type; `str(type)` is its spelling in assembly text."""

    __slots__ = ()

    is_first_class: ClassVar[bool] = True
    """Whether an instruction can have a value of it."""

    @property
    def element_types(self) -> tuple[Type, ...]:
        """Its contained types, in order: elements, or a function's return type and parameters."""
        return ()

    @property
    def scalar_type(self) -> Type:
        """The element type of a vector, the type itself otherwise."""
        return self

    @property
    def is_sized(self) -> bool:
        """Whether a value of it can lie in memory."""
        return True

    @property
    def is_numbered(self) -> bool:
        """Whether text refers to it by a number: whether it is an identified struct without a name."""
        return False

    @property
    def brief(self) -> str:
        """Its spelling, cut off if it is very long: for messages."""
        return abbreviate(self)

    def _pieces(self) -> Sequence[str | Type]:
        """Return the parts of its spelling."""
        raise NotImplementedError

    def __str__(self) -> str:
        return Spelling().spell(self)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.brief}>"


class PrimitiveType(Type):
    """A type that has one form only."""

    __slots__ = ()

    spelling: str

    def _pieces(self) -> Sequence[str | Type]:
        return (self.spelling,)


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
    """`metadata`: the type of metadata used as a value."""

    __slots__ = ()
    spelling = "metadata"


class TokenType(_Unsized):
    """`token`: ties instructions together."""

    __slots__ = ()
    spelling = "token"


class X86AMXType(PrimitiveType):
    """`x86_amx`: a tile register.

    Attributes:
        bit_width: its size.
    """

    __slots__ = ()
    spelling = "x86_amx"
    bit_width: ClassVar[int] = 8192


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

    def _pieces(self) -> Sequence[str | Type]:
        return (f"i{self.bit_width}",)


class PointerType(Type):
    """`ptr`: a pointer into an address space."""

    __match_args__ = ("address_space",)
    __slots__ = ("address_space",)

    def __init__(self, address_space: int = 0) -> None:
        self.address_space = address_space

    def _pieces(self) -> Sequence[str | Type]:
        return (f"ptr addrspace({self.address_space})" if self.address_space else "ptr",)


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

    def _pieces(self) -> Sequence[str | Type]:
        parameters: list[str | Type] = [*self.parameter_types]
        if self.is_vararg:
            parameters.append("...")
        return (self.return_type, " (", *_listed(parameters), ")")


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
        return not unsized_types()[self]


class ArrayType(SequentialType):
    """`[count x element_type]`."""

    __slots__ = ()

    def _pieces(self) -> Sequence[str | Type]:
        return (f"[{self.count} x ", self.element_type, "]")


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

    def _pieces(self) -> Sequence[str | Type]:
        return (f"<{'vscale x ' if self.is_scalable else ''}{self.count} x ", self.element_type, ">")


class StructType(Type):
    """A struct: literal (its elements are its identity) or identified (its name is).

    Attributes:
        name: the name of an identified struct, "" if absent; None for a literal one.
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
    def is_numbered(self) -> bool:
        """Whether it is identified and has no name."""
        return self.name == ""

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
        """Whether all its elements are sized; scalable vectors cannot be mixed with other types."""
        return not unsized_types()[self]

    @property
    def body(self) -> str:
        """The spelling of its elements, as its definition has them."""
        return Spelling().spell_body(self)

    def _body_pieces(self) -> Sequence[str | Type]:
        if self.elements is None:
            return ("opaque",)
        if not self.elements:
            return ("<{}>" if self.is_packed else "{}",)
        left, right = ("<{ ", " }>") if self.is_packed else ("{ ", " }")
        return (left, *_listed(self.elements), right)

    def _pieces(self) -> Sequence[str | Type]:
        return self._body_pieces() if self.name is None else (f"%{quoted_name(self.name)}",)


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

    @property
    def is_sized(self) -> bool:
        """Whether its target defines its layout in memory."""
        from bitcodec.ir.target_types import layout_type  # noqa: PLC0415 - which is made of types itself

        found = layout_type(self)
        return found is not None and found.is_sized

    def _pieces(self) -> Sequence[str | Type]:
        name = f'"{escaped(self.name)}"'
        parameters: list[str | Type] = [name, *self.type_parameters, *map(str, self.integer_parameters)]
        return ("target(", *_listed(parameters), ")")


_PLAIN_NAME = re.compile(r"[-a-zA-Z._][-a-zA-Z._0-9]*\Z")


def quoted_name(name: str) -> str:
    """Return a name as text spells it: bare where it can be, else in quotes with unprintable characters escaped."""
    return name if _PLAIN_NAME.match(name) else f'"{escaped(name)}"'


def _listed(parts: Sequence[str | Type]) -> list[str | Type]:
    """Return parts with commas between them."""
    listed: list[str | Type] = []
    for part in parts:
        listed += (part, ", ")
    return listed[:-1]


def unsized_types() -> InnerTypes:
    """Return a mapping from types to whether they, or types that they hold by value, have no size."""
    is_scalable = scalable_types()

    def is_unsized(type: Type) -> bool:
        if isinstance(type, StructType):
            return type.elements is None or (is_scalable[type] and not _is_of_one_scalable_vector(type.elements))
        return not isinstance(type, SequentialType) and not type.is_sized

    return InnerTypes(is_unsized, (StructType, SequentialType))


def scalable_types() -> InnerTypes:
    """Return a mapping from types to whether they are laid out like scalable vectors, or hold a type that is."""
    return InnerTypes(_is_scalable, (StructType, ArrayType))


def _is_scalable(type: Type) -> bool:
    if isinstance(type, TargetExtensionType):
        from bitcodec.ir.target_types import layout_type  # noqa: PLC0415 - which is made of types itself

        found = layout_type(type)
        return isinstance(found, VectorType) and found.is_scalable
    return isinstance(type, VectorType) and type.is_scalable


def _is_of_one_scalable_vector(elements: tuple[Type, ...]) -> bool:
    """Return whether a struct that holds scalable types has a size: its elements are vectors of one type."""
    return isinstance(elements[0], VectorType) and all(element is elements[0] for element in elements)


class InnerTypes(dict[Type, bool]):
    """Whether a type, or any type inside it, has a property.

    Answers are kept for the types inside too, so that all questions about a module together take time in proportion to
    its types, however they are nested.

    Args:
        has_property: whether a type itself has the property.
        aggregates: classes of types whose elements are checked.
    """

    __slots__ = ("_aggregates", "_has_property")

    def __init__(self, has_property: Callable[[Type], bool], aggregates: tuple[type[Type], ...]) -> None:
        super().__init__()
        self._has_property = has_property
        self._aggregates = aggregates

    def __missing__(self, type_: Type) -> bool:
        visited: set[Type] = set()
        pending = [type_]
        while pending:
            current = pending[-1]
            if current in self:
                pending.pop()
            elif current not in visited:
                visited.add(current)
                if self._has_property(current):
                    self[current] = True
                elif isinstance(current, self._aggregates):
                    # A type that holds itself has been visited; it adds nothing.
                    pending += [part for part in set(current.element_types) if part not in visited]
                else:
                    self[current] = False
            else:
                is_aggregate = isinstance(current, self._aggregates)
                self[current] = is_aggregate and any(self.get(part, False) for part in current.element_types)
        return self[type_]
