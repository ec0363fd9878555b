"""Lists of attributes, from the blocks PARAMATTR_GROUP and PARAMATTR.

Rules: bitcode record reference, section 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.reader.attribute_groups import attributes_of_bitmap, attributes_of_group
from bitcodec.bitcode.reader.malformed import Malformed
from bitcodec.bitcode.schema.attributes import FUNCTION_INDEX, RETURN_INDEX
from bitcodec.bitcode.schema.blocks import ParamattrCode, ParamattrGroupCode
from bitcodec.ir.attributes import NO_ATTRIBUTES, AttributeList, AttributeSet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.ir.types import Type

__all__ = ["HANDLED_ATTRIBUTE_CODES", "HANDLED_GROUP_CODES", "AttributeReader"]

HANDLED_GROUP_CODES = frozenset({ParamattrGroupCode.ENTRY})
HANDLED_ATTRIBUTE_CODES = frozenset({ParamattrCode.ENTRY, ParamattrCode.ENTRY_OLD})


class AttributeReader:
    """The lists of a module, by the indices that its records have: from 1; 0 stands for no attributes.

    Args:
        groups: the blocks PARAMATTR_GROUP, none in files of LLVM up to 3.2.
        lists: the blocks PARAMATTR.
        type_of: returns the type of an id.
    """

    __slots__ = ("_group_places", "_groups", "_list_places", "_lists", "_merged", "_type_of")

    def __init__(
        self, groups: Sequence[BlockPlace], lists: Sequence[BlockPlace], type_of: Callable[[int], Type]
    ) -> None:
        self._group_places = groups
        self._list_places = lists
        self._type_of = type_of
        self._groups: dict[int, tuple[int, AttributeSet]] = {}
        self._lists: list[AttributeList] | None = None
        self._merged: dict[tuple[int, ...], AttributeSet] = {}

    def __getitem__(self, index: int) -> AttributeList:
        """Return a list, the empty one for an index that there is no list for, as LLVM does.

        Raises:
            BitcodeError: a record of attributes makes no sense.
        """
        lists = self.all()
        return lists[index] if index < len(lists) else lists[0]

    def all(self) -> list[AttributeList]:
        """Return all lists, the empty one first; raise as a lookup does."""
        return self._read() if self._lists is None else self._lists

    def _read(self) -> list[AttributeList]:
        for place in self._group_places:
            self._read_groups(place.decode())
        lists = [AttributeList()]
        for place in self._list_places:
            self._read_lists(place.decode(), lists)
        self._lists = lists
        return lists

    def _read_groups(self, records: Records) -> None:
        for row, code, operands in records:
            if code == ParamattrGroupCode.ENTRY:
                with records.placed(row):
                    attributes = attributes_of_group(operands, self._type_of)
                    self._groups[operands[0]] = (operands[1] & FUNCTION_INDEX, attributes)

    def _read_lists(self, records: Records, lists: list[AttributeList]) -> None:
        for row, code, operands in records:
            with records.placed(row):
                if code == ParamattrCode.ENTRY:
                    lists.append(self._list_of_groups(operands))
                elif code == ParamattrCode.ENTRY_OLD:
                    lists.append(_list_of_bitmaps(operands))

    def _list_of_groups(self, ids: list[int]) -> AttributeList:
        by_index: dict[int, list[int]] = {}
        for group_id in ids:
            if group_id in self._groups:
                by_index.setdefault(self._groups[group_id][0], []).append(group_id)
        return _list_of_sets({index: self._merge(tuple(group_ids)) for index, group_ids in by_index.items()})

    def _merge(self, group_ids: tuple[int, ...]) -> AttributeSet:
        if len(group_ids) == 1:
            return self._groups[group_ids[0]][1]
        found = self._merged.get(group_ids)
        if found is None:
            found = AttributeSet(attribute for group_id in group_ids for attribute in self._groups[group_id][1])
            self._merged[group_ids] = found
        return found


def _list_of_bitmaps(operands: list[int]) -> AttributeList:
    if len(operands) % 2:
        raise Malformed("has an index without attributes")
    sets: dict[int, AttributeSet] = {}
    for operand, bitmap in zip(operands[::2], operands[1::2], strict=True):
        index = operand & FUNCTION_INDEX
        attributes = attributes_of_bitmap(bitmap, of_function=index == FUNCTION_INDEX)
        sets[index] = sets[index].with_(*attributes) if index in sets else attributes
    return _list_of_sets(sets)


def _list_of_sets(sets: dict[int, AttributeSet]) -> AttributeList:
    function = sets.pop(FUNCTION_INDEX, NO_ATTRIBUTES)
    returned = sets.pop(RETURN_INDEX, NO_ATTRIBUTES)
    return AttributeList(function, returned, {index - 1: attributes for index, attributes in sets.items()})
