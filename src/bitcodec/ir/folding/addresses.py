"""Folding of address arithmetic, as far as no data layout is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.ir.constants import PoisonValue, UndefValue
from bitcodec.ir.folding.elements import is_huge
from bitcodec.ir.type_table import address_type
from bitcodec.ir.types import VectorType

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.ir.constant_range import ConstantRange
    from bitcodec.ir.constant_table import ConstantTable
    from bitcodec.ir.constants import Constant
    from bitcodec.ir.types import Type

__all__ = ["fold_gep"]


def fold_gep(
    table: ConstantTable,
    _source_element_type: Type,
    pointer: Constant,
    indices: Sequence[Constant],
    in_range: ConstantRange | None = None,
) -> Constant | None:
    """Return the pointer itself if nothing is added to it and nothing is promised of it."""
    if not indices:
        return pointer
    type_ = address_type(table.types, pointer, indices)
    if isinstance(pointer, PoisonValue):
        return table.poison(type_)
    if isinstance(pointer, UndefValue):
        return table.undef(type_)
    if in_range is not None or not all(index.is_null or isinstance(index, UndefValue) for index in indices):
        return None
    if isinstance(type_, VectorType) and not isinstance(pointer.type, VectorType):
        return None if is_huge(type_) else table.splat(type_, pointer)
    return pointer
