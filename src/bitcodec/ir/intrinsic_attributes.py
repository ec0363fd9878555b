"""The attributes of intrinsics: LLVM 22's own, whatever a file says.

Rules: auto-upgrade reference, section 10.4.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from bitcodec.ir.attribute_types import all_may_carry
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
from bitcodec.ir.types import IntegerType
from bitcodec.tables.attributes import MemoryAccess
from bitcodec.tables.intrinsic_attributes import PREFIX, intrinsic_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.attributes import Attribute
    from bitcodec.ir.types import FunctionType, Type

__all__ = ["declared_attributes", "intrinsic_name"]


def intrinsic_name(name: str) -> str | None:
    """Return the name of the intrinsic that a function is, without the suffixes for its types; None if it is none."""
    if not name.startswith(PREFIX):
        return None
    rows = intrinsic_rows()
    found = whole = name.removeprefix(PREFIX)
    while found not in rows:
        found, dot, _ = found.rpartition(".")
        if not dot:
            return None
    return PREFIX + found if found == whole or rows[found].is_overloaded else None


def declared_attributes(name: str, function_type: FunctionType) -> AttributeList | None:
    """Return the attributes of the declaration of an intrinsic.

    Returns:
        the attributes; None if the name is of no intrinsic, or if the types are not those of the intrinsic and may not
        have its attributes.
    """
    base = intrinsic_name(name)
    if base is None:
        return None
    function, *others = intrinsic_rows()[base.removeprefix(PREFIX)].attributes
    returned, parameters = NO_ATTRIBUTES, {}
    for place, text in (other.split(": ", 1) for other in others):
        if place == "return":
            returned = _value_attributes(text, function_type.return_type)
        elif int(place) <= len(function_type.parameter_types):
            index = int(place) - 1
            parameters[index] = _value_attributes(text, function_type.parameter_types[index])
    declared = AttributeList(_function_attributes(function), returned, parameters)
    return declared if all_may_carry(function_type, declared) else None


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
    """Return the names of attributes, each with what is in parentheses or behind it."""
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
"""Attributes with an integer, and what makes it of what the table says."""


def _range(text: str, width: int) -> ConstantRange:
    lower, upper = text.partition(" ")[2].split(", ")
    return ConstantRange.of(width, int(lower), int(upper))
