"""Attributes by name: `"nounwind"`, `("align", 8)`, `("sret", type)`, `("frame-pointer", "all")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from bitcodec.ir.attribute_types import may_carry
from bitcodec.ir.attribute_values import AttributeInteger
from bitcodec.ir.attributes import (
    Attribute,
    AttributeList,
    AttributeSet,
    EnumAttribute,
    IntegerAttribute,
    RangeAttribute,
    RangeListAttribute,
    StringAttribute,
    TypeAttribute,
)
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.types import Type
from bitcodec.tables.attributes import ATTRIBUTE_KINDS, AttributePosition

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.ir.types import FunctionType

__all__ = [
    "AttributeLike",
    "AttributeValueLike",
    "attribute",
    "attribute_list",
    "attribute_set",
    "with_function_attribute",
]

AttributeValueLike: TypeAlias = "int | str | Type | AttributeInteger | ConstantRange | tuple[ConstantRange, ...]"
"""The value of an attribute after its name."""

AttributeLike: TypeAlias = "Attribute | str | tuple[str, AttributeValueLike]"
"""An attribute, the name of one without a value, or a name and a value; a string attribute is two strings."""


def attribute(given: AttributeLike) -> Attribute:
    """Return an attribute.

    Raises:
        ValueError: the name is unknown, or the value is of another kind.
    """
    if isinstance(given, Attribute):
        return given
    if isinstance(given, str):
        return _named(given)
    name, value = given
    if name not in ATTRIBUTE_KINDS and isinstance(value, str):
        return StringAttribute(name, value)
    return _valued(name, value)


def _named(name: str) -> Attribute:
    if name not in ATTRIBUTE_KINDS:
        raise ValueError(f"unknown attribute {name!r}; a string attribute is a pair: ({name!r}, '')")
    return EnumAttribute(name)


def _valued(name: str, value: AttributeValueLike) -> Attribute:
    match value:
        case int():
            return IntegerAttribute(name, value)
        case AttributeInteger(raw):
            return IntegerAttribute(name, raw)
        case Type():
            return TypeAttribute(name, value)
        case ConstantRange():
            return RangeAttribute(name, value)
        case tuple():
            return RangeListAttribute(name, value)
    raise ValueError(f"attribute {name} cannot have {value!r}")


def attribute_set(given: Iterable[AttributeLike]) -> AttributeSet:
    """Return a set of attributes.

    Raises:
        ValueError: a name is unknown, or a value is of another kind.
    """
    return AttributeSet(map(attribute, given))


def attribute_list(
    function: Iterable[AttributeLike] = (),
    returned: Iterable[AttributeLike] = (),
    parameters: Mapping[int, Iterable[AttributeLike]] | None = None,
    *,
    type: FunctionType | None = None,
) -> AttributeList:
    """Return the attributes of a function or call.

    Args:
        function: of itself.
        returned: of its return value.
        parameters: of its parameters, by index from 0.
        type: the type of the function, None to leave out the check.

    Raises:
        ValueError: an attribute is unknown, or invalid in its position.
        TypeError: an attribute is invalid for the type of a parameter or of the return value.
    """
    types = type.parameter_types if type else ()
    return AttributeList(
        _placed(function, AttributePosition.FUNCTION, None),
        _placed(returned, AttributePosition.RETURN, type.return_type if type else None),
        {
            index: _placed(given, AttributePosition.PARAMETER, types[index] if index < len(types) else None)
            for index, given in (parameters or {}).items()
        },
    )


def with_function_attribute(
    attributes: AttributeList, name: AttributeLike, value: AttributeValueLike | None = None
) -> AttributeList:
    """Return attributes with one more of the function or call itself.

    Raises:
        ValueError: no attribute of functions has this name, or it has another kind of value.
    """
    added = _placed([name if value is None else (str(name), value)], AttributePosition.FUNCTION, None)
    return attributes.with_function(attributes.for_function.with_(*added))


def _placed(given: Iterable[AttributeLike], position: AttributePosition, type: Type | None) -> AttributeSet:
    found = attribute_set(given)
    for each in found:
        if each.kind is not None and not each.kind.positions & position:
            raise ValueError(f"attribute {each} is not for a {str(position.name).lower()}")
        if type is not None and not may_carry(type, each):
            raise TypeError(f"attribute {each} is not for a {str(position.name).lower()} of type {type.brief}")
    return found
