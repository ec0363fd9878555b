"""Lists of attributes, from the blocks PARAMATTR_GROUP and PARAMATTR.

Rules: docs/reference/records.md, 5.
"""

from __future__ import annotations

from array import array
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader.attribute_groups import attributes_of_bitmap, attributes_of_group
from bitcodec.bitcode.schema.attributes import FUNCTION_INDEX, RETURN_INDEX, AttributeTag
from bitcodec.bitcode.schema.blocks import ParamattrCode, ParamattrGroupCode
from bitcodec.ir.attributes import NO_ATTRIBUTES, AttributeList, AttributeSet
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from bitcodec.bitcode.reader.blocks import BlockPlace, Records
    from bitcodec.ir.types import Type

__all__ = ["HANDLED_ATTRIBUTE_CODES", "HANDLED_GROUP_CODES", "AttributeReader"]

_Record: TypeAlias = "tuple[Records, int, list[int]]"
"""A record: its block, its row, its operands."""

_LOW_WORD = 0xFFFF_FFFF
"""LLVM looks at that much of the number of a group or list."""

HANDLED_GROUP_CODES = frozenset({ParamattrGroupCode.ENTRY})
HANDLED_ATTRIBUTE_CODES = frozenset({ParamattrCode.ENTRY, ParamattrCode.ENTRY_OLD})


class AttributeReader:
    """The attribute lists of a module, by their indices in records: from 1; 0 means no attributes.

    A list is made on first access.

    Args:
        groups: the blocks PARAMATTR_GROUP, none in files of LLVM up to 3.2.
        lists: the blocks PARAMATTR.
        type_of: returns the type of an id.

    Attributes:
        made: the lists that have been made, by index.
    """

    def __init__(
        self, groups: Sequence[BlockPlace], lists: Sequence[BlockPlace], type_of: Callable[[int], Type]
    ) -> None:
        self._group_places = groups
        self._list_places = lists
        self._type_of = type_of
        self._groups: dict[int, AttributeSet] = {}
        self.made: dict[int, AttributeList] = {0: AttributeList()}
        self._merged: dict[tuple[int, ...], AttributeSet] = {}

    def __getitem__(self, index: int) -> AttributeList:
        """Return a list, the empty one for an unknown index, as LLVM does.

        Raises:
            BitcodeError: a record of attributes is malformed.
        """
        found = self.made.get(index)
        if found is None:
            found = self.made[index] = self._read_list(index & _LOW_WORD)
        return found

    def __len__(self) -> int:
        """Return how many lists the module has, the empty one of index 0 not counted."""
        return len(self._list_records)

    def all(self) -> list[AttributeList]:
        """Return all lists, the empty one first; raise as a lookup does."""
        for group_id in self._group_records:
            self._group(group_id)
        return [self[index] for index in range(len(self._list_records) + 1)]

    @property
    def last_group(self) -> int:
        """The highest number of a group, 0 without groups."""
        return max(self._group_records, default=0)

    def may_have(self, kind: int) -> bool:
        """Return whether a group may contain an attribute without a value, by its number; False is certain."""
        return any(
            (AttributeTag.ENUM, kind) in pairwise(operands)
            for _, _, operands in self._group_records.values()
            if kind in operands
        )

    def may_have_key(self, key: str) -> bool:
        """Return whether a group may contain an attribute of a text, by that text; False is certain."""
        wanted = array("Q", [*key.encode()]).tobytes()
        return any(wanted in array("Q", operands).tobytes() for _, _, operands in self._group_records.values())

    @cached_property
    def _group_records(self) -> dict[int, _Record]:
        """The record of each group, by its number."""
        found = _records_of(self._group_places, HANDLED_GROUP_CODES)
        for records, row, operands in found:
            if not operands:
                raise records.error(row, Reason.TOO_FEW_OPERANDS())
        return {record[2][0] & _LOW_WORD: record for record in found}

    @cached_property
    def _list_records(self) -> list[_Record]:
        return _records_of(self._list_places, HANDLED_ATTRIBUTE_CODES)

    def _read_list(self, index: int) -> AttributeList:
        if index > len(self._list_records):
            return self[0]
        records, row, operands = self._list_records[index - 1]
        with records.placed(row):
            if records.codes(range(row, row + 1))[0] == ParamattrCode.ENTRY:
                return self._list_of_groups(operands)
            return _list_of_bitmaps(operands)

    def _group(self, group_id: int) -> AttributeSet:
        found = self._groups.get(group_id)
        if found is None:
            records, row, operands = self._group_records[group_id]
            with records.placed(row):
                found = self._groups[group_id] = attributes_of_group(operands, self._type_of)
        return found

    def _list_of_groups(self, ids: list[int]) -> AttributeList:
        by_index: dict[int, list[int]] = {}
        for operand in ids:
            group_id = operand & _LOW_WORD
            if group_id in self._group_records:
                operands = self._group_records[group_id][2]
                self._group(group_id)
                by_index.setdefault(operands[1] & FUNCTION_INDEX, []).append(group_id)
        return _list_of_sets({index: self._merge(tuple(group_ids)) for index, group_ids in by_index.items()})

    def _merge(self, group_ids: tuple[int, ...]) -> AttributeSet:
        if len(group_ids) == 1:
            return self._groups[group_ids[0]]
        found = self._merged.get(group_ids)
        if found is None:
            found = AttributeSet(attribute for group_id in group_ids for attribute in self._groups[group_id])
            self._merged[group_ids] = found
        return found


def _records_of(places: Sequence[BlockPlace], codes: Collection[int]) -> list[_Record]:
    """Return the records of certain codes: their block, row and operands."""
    blocks = [place.decode() for place in places]
    return [(records, row, operands) for records in blocks for row, code, operands in records if code in codes]


def _list_of_bitmaps(operands: list[int]) -> AttributeList:
    if len(operands) % 2:
        raise Malformed(Reason.ATTRIBUTE_INDEX())
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
