"""The attributes of intrinsics: LLVM 22's own, whatever a file contains.

Rules: docs/reference/upgrades.md, 10.4.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bitcodec.ir.attribute_values import MemoryEffects
from bitcodec.ir.attributes import (
    NO_ATTRIBUTES,
    AttributeList,
    AttributeSet,
    EnumAttribute,
    IntegerAttribute,
    RangeAttribute,
)
from bitcodec.ir.constant_range import ConstantRange
from bitcodec.ir.intrinsic_signatures import intrinsic_base, overloaded_types
from bitcodec.ir.types import IntegerType
from bitcodec.tables.attributes import MemoryAccess
from bitcodec.tables.intrinsics import PREFIX, intrinsic_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.attributes import Attribute
    from bitcodec.ir.types import FunctionType, Type

__all__ = ["attributes_of_intrinsic", "declared_attributes", "intrinsic_name"]


def intrinsic_name(name: str) -> str | None:
    """Return the name of the intrinsic that a function is, without the suffixes for its types; None if it is none."""
    base = intrinsic_base(name)
    return None if base is None else PREFIX + base


def declared_attributes(name: str, function_type: FunctionType) -> AttributeList | None:
    """Return the attributes of the declaration of an intrinsic.

    Returns:
        the attributes; None if the name is not an intrinsic's, or the type is invalid for the intrinsic.
    """
    base = intrinsic_base(name)
    if base is None or overloaded_types(base, function_type) is None:
        return None
    return attributes_of_intrinsic(base, function_type)


def attributes_of_intrinsic(base: str, function_type: FunctionType) -> AttributeList:
    """Return the attributes of an intrinsic, whatever its type.

    Args:
        base: its name between `llvm.` and the suffixes for its types.
        function_type: its type.
    """
    function, *others = intrinsic_rows()[base].attributes
    returned, parameters = NO_ATTRIBUTES, {}
    for place, text in (other.split(": ", 1) for other in others):
        if place == "return":
            returned = _value_attributes(text, function_type.return_type)
        elif int(place) <= len(function_type.parameter_types):
            index = int(place) - 1
            parameters[index] = _value_attributes(text, function_type.parameter_types[index])
    return AttributeList(_function_attributes(function), returned, parameters)


@cache
def _function_attributes(text: str) -> AttributeSet:
    return AttributeSet(_attribute(name, argument) for name, argument in _parts(text))


def _value_attributes(text: str, type_: Type) -> AttributeSet:
    scalar = type_.scalar_type
    attributes: list[Attribute] = []
    for name, argument in _parts(text):
        if name != "range":
            attributes.append(_attribute(name, argument))
        elif isinstance(scalar, IntegerType):
            attributes.append(RangeAttribute(name, _range(argument, scalar.bit_width)))
    return AttributeSet(attributes)


def _parts(text: str) -> list[tuple[str, str]]:
    """Return the names of attributes, each with its argument in parentheses, or the text after it."""
    return [(name, inner or number) for name, inner, number in re.findall(_ATTRIBUTE, text)]


_ATTRIBUTE = r"([a-z_]+)(?:\(([^)]*)\)| ([0-9]+))?"


def _attribute(name: str, argument: str) -> Attribute:
    return IntegerAttribute(name, _INTEGERS[name](argument)) if name in _INTEGERS else EnumAttribute(name)


def _memory(text: str) -> int:
    effects = MemoryEffects(0)
    for part in text.split(", "):
        location, _, access = part.rpartition(": ")
        allowed = MemoryAccess[access.upper()]
        effects |= MemoryEffects.of(**{location: allowed}) if location else MemoryEffects.everywhere(allowed)
    return effects.raw


_INTEGERS: dict[str, Callable[[str], int]] = {"align": int, "captures": {"none": 0}.__getitem__, "memory": _memory}
"""Attributes with an integer, and functions that convert it from the table's text."""


def _range(text: str, width: int) -> ConstantRange:
    lower, upper = text.partition(" ")[2].split(", ")
    return ConstantRange.of(width, int(lower), int(upper))
