"""Valid operand types of casts. Rules: LLVM Language Reference, "Conversion Operations"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.type_properties import element_count, is_same_shape, primitive_size, scalar_width
from bitcodec.ir.types import FloatingPointType, IntegerType, PointerType
from bitcodec.named_tuple import NamedTuple
from bitcodec.tables.opcodes import CASTS, WidthChange

if TYPE_CHECKING:
    from bitcodec.ir.types import Type

__all__ = ["CAST_RULES", "CastRule", "is_bitcast"]


class CastRule(NamedTuple):
    """A row: the types of a cast, alone or as the elements of vectors of one shape.

    Attributes:
        source, target: the types before and after the cast.
        change: how the width changes.
    """

    source: type[Type]
    target: type[Type]
    change: WidthChange = WidthChange.ANY

    def allows(self, source: Type, target: Type) -> bool:
        """Return whether a cast from one type to another is possible."""
        if not isinstance(source.scalar_type, self.source) or not isinstance(target.scalar_type, self.target):
            return False
        if not is_same_shape(source, target):
            return False
        growth = scalar_width(target) - scalar_width(source)
        return self.change is WidthChange.ANY or (growth > 0 if self.change is WidthChange.WIDER else growth < 0)


_TYPES: dict[str, type[Type]] = {"integer": IntegerType, "floating-point": FloatingPointType, "pointer": PointerType}

CAST_RULES = {row.opcode: CastRule(_TYPES[row.source], _TYPES[row.target], row.change) for row in CASTS if row.source}
"""All except `bitcast`, which has a separate rule."""


def is_bitcast(source: Type, target: Type) -> bool:
    """Return whether the bits of one type can be taken for another: as many bits, pointers for pointers alone.

    Pointers stay in their address space; a vector of one element counts as the element.
    """
    if isinstance(source.scalar_type, PointerType):
        one = (1, False)
        is_same_count = (element_count(source) or one) == (element_count(target) or one)
        return source.scalar_type is target.scalar_type and is_same_count
    size = primitive_size(source)
    return size != (0, False) and size == primitive_size(target)
