"""Types that attributes apply to. Rules: LLVM Language Reference, "Parameter Attributes"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.attributes import RangeAttribute
from bitcodec.ir.type_properties import holds_floating_point, is_integers, is_pointer, is_pointers
from bitcodec.ir.types import IntegerType, VoidType
from bitcodec.tables.attributes import AttributeTypes

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitcodec.ir.attributes import Attribute
    from bitcodec.ir.types import Type

__all__ = ["may_carry"]


def may_carry(type_: Type, attribute: Attribute) -> bool:
    """Return whether a parameter or return value of a type may have an attribute."""
    kind = attribute.kind
    if kind is None or kind.types is AttributeTypes.ANY:
        return True
    if not _TESTS[kind.types](type_):
        return False
    if isinstance(attribute, RangeAttribute):
        scalar = type_.scalar_type
        return isinstance(scalar, IntegerType) and scalar.bit_width == attribute.range.width
    return True


_TESTS: dict[AttributeTypes, Callable[[Type], bool]] = {
    AttributeTypes.NOT_VOID: lambda type_: not isinstance(type_, VoidType),
    AttributeTypes.INTEGER: lambda type_: isinstance(type_, IntegerType),
    AttributeTypes.INTEGERS: is_integers,
    AttributeTypes.POINTER: is_pointer,
    AttributeTypes.POINTERS: is_pointers,
    AttributeTypes.FLOATS: holds_floating_point,
}
