"""Metadata that wraps constants with operands, found by the numbers in its records.

LLVM's reader makes such constants before the bodies whose debug records refer to them. So they decide the order of
uses, but few modules have any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import MetadataCode
from bitcodec.ir.constants import ConstantWithOperands

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from bitcodec.bitcode.reader.metadata_index import MetadataIndex
    from bitcodec.ir.values import Value

__all__ = ["find_wrappers", "may_have_operands"]

_VALUE, _ARGUMENTS = int(MetadataCode.VALUE), int(MetadataCode.ARG_LIST)
_VALUE_ID = 1
"""The position of the value id in a VALUE record."""


def may_have_operands(values: Sequence[Value | None]) -> Callable[[int], bool]:
    """Return a function that returns whether the constant of a value id has operands, or is not created yet.

    Args:
        values: by value id; None for constants that have not been created.
    """

    def is_wanted(value_id: int) -> bool:
        if value_id >= len(values):
            return False
        value = values[value_id]
        return value is None or isinstance(value, ConstantWithOperands)

    return is_wanted


def find_wrappers(
    index: MetadataIndex, is_wanted: Callable[[int], bool], known: Collection[int] = frozenset()
) -> set[int]:
    """Return the metadata ids that wrap certain values: of values and of argument lists.

    Args:
        index: the metadata, of a module or of a function.
        is_wanted: returns whether a value id belongs to such a value.
        known: ids of other metadata that wraps such values.
    """
    found = index.by_code((_VALUE, _ARGUMENTS))
    ids = found.get(_VALUE, [])
    value_ids = index.operands_at(ids, _VALUE_ID)
    wrappers = {metadata_id for metadata_id, value_id in zip(ids, value_ids, strict=True) if is_wanted(value_id)}
    wrappers.update(known)
    lists = found.get(_ARGUMENTS, []) if wrappers else []
    wrappers.update([each for each in lists if not wrappers.isdisjoint(index.record(each)[1])])
    return wrappers
