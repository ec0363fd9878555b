"""Required types of the operands of instructions, and the errors that name wrong types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.type_properties import is_floats, is_integers, is_pointer, is_pointers, is_scalable, is_vector
from bitcodec.ir.types import (
    ArrayType,
    FloatingPointType,
    IntegerType,
    LabelType,
    MetadataType,
    PointerType,
    StructType,
    TokenType,
    Type,
    VectorType,
)
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable


__all__ = [
    "ACCESSED",
    "AGGREGATE",
    "COMPARED",
    "EXCHANGED",
    "FIXED_FLOATS",
    "FLOATS",
    "INTEGER",
    "INTEGERS",
    "PASSED",
    "POINTER",
    "POINTERS",
    "SCALAR",
    "SIZED",
    "TOKEN",
    "VALUE",
    "VECTOR",
    "TypeKind",
    "different",
    "require",
    "wrong",
]


class TypeKind(NamedTuple):
    """A row: types that an operand may have.

    Attributes:
        words: their name in messages.
        holds: whether a type is one of them.
    """

    words: str
    holds: Callable[[Type], bool]


_NOT_COMPUTED = (LabelType, MetadataType, TokenType)
"""Types that instructions can refer to, but not compute with."""

INTEGER = TypeKind("an integer", lambda type: isinstance(type, IntegerType))
POINTER = TypeKind("a pointer", is_pointer)
VECTOR = TypeKind("a vector", is_vector)
AGGREGATE = TypeKind("a struct or array", lambda type: isinstance(type, (StructType, ArrayType)))
TOKEN = TypeKind("a token", lambda type: isinstance(type, TokenType))
SCALAR = TypeKind(
    "an integer, floating-point number or pointer",
    lambda type: isinstance(type, (IntegerType, FloatingPointType, PointerType)),
)
ACCESSED = TypeKind(
    "an integer, floating-point number, pointer or vector",
    lambda type: isinstance(type, (IntegerType, FloatingPointType, PointerType, VectorType)),
)
EXCHANGED = TypeKind("an integer or pointer", lambda type: isinstance(type, (IntegerType, PointerType)))
SIZED = TypeKind("something that has a size", lambda type: type.is_first_class and type.is_sized)
PASSED = TypeKind("a value", lambda type: type.is_first_class and not isinstance(type, LabelType))
VALUE = TypeKind("a value", lambda type: type.is_first_class and not isinstance(type, _NOT_COMPUTED))

# One of them, or a vector of them.
INTEGERS = TypeKind("integers", is_integers)
FLOATS = TypeKind("floating-point numbers", is_floats)
FIXED_FLOATS = TypeKind("floating-point numbers", lambda type: is_floats(type) and not is_scalable(type))
POINTERS = TypeKind("pointers", is_pointers)
COMPARED = TypeKind("integers or pointers", lambda type: isinstance(type.scalar_type, (IntegerType, PointerType)))


def require(kind: TypeKind, type: Type, what: str, role: str) -> None:
    """Check the type of an operand.

    Args:
        kind: the required kind.
        type: the type found.
        what: the instruction, in words.
        role: the operand, in words.

    Raises:
        TypeError: it is something else.
    """
    if not isinstance(type, Type):
        raise TypeError(f"{role} of {what} must be a type of the module's context; got {type!r}")
    if not kind.holds(type):
        raise wrong(kind.words, type, what, role)


def wrong(wanted: str | Type, found: object, what: str, role: str) -> TypeError:
    """Return the error about an operand that an instruction does not take."""
    expected = wanted if isinstance(wanted, str) else wanted.brief
    return TypeError(f"{what} takes {expected} as its {role}, not {_describe(found, expected)}")


def different(what: str, one: Type, other: Type) -> TypeError:
    """Return the error of two operands that should be of one type."""
    return TypeError(f"{what} takes two operands of one type: {one.brief} and {_describe(other, one.brief)}")


def _describe(found: object, expected: str) -> str:
    """Return the description of a found type or object, for a message with the expected one."""
    text = getattr(found, "brief", None) or repr(found)
    return f"{text} of another context" if text == expected else text
