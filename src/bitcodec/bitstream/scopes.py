"""Abbreviations by id, block by block.

Rules: LLVM Bitcode File Format, "DEFINE_ABBREV Encoding": ids go to BLOCKINFO's abbreviations first, then to the
block's own, in order.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

from bitcodec.bitstream.abbreviations import FIRST_ABBREVIATION_ID
from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID, BlockInfo

if TYPE_CHECKING:
    from bitcodec.bitstream.columns import Columns

__all__ = ["Scopes"]

_NOTHING = BlockInfo()


class Scopes:
    """Looks up the abbreviations in force in the blocks of `columns`, by block and number (`AbbreviationColumns`)."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._from_rows = [entry.from_row for entry in columns.block_infos]
        self._shared = [_numbers_by_block(entry.info, entry.first_number) for entry in columns.block_infos]
        self._own: dict[int, array[int]] = {}
        self._definitions: dict[int, list[int]] = {}
        for row, (block, number) in enumerate(zip(columns.definitions.block, columns.definitions.number, strict=True)):
            self._definitions.setdefault(block, []).append(row)
            if columns.blocks.id[block] != BLOCKINFO_BLOCK_ID:
                self._own.setdefault(block, array("q")).append(number)

    def block_info(self, row: int) -> BlockInfo:
        """Return the BLOCKINFO in force in block `row`."""
        index = bisect_right(self._from_rows, row)
        return self._columns.block_infos[index - 1].info if index else _NOTHING

    def shared(self, row: int) -> array[int]:
        """Return the numbers of the abbreviations that block `row` starts with; the first has the id 4."""
        index = bisect_right(self._from_rows, row)
        return self._shared[index - 1].get(self._columns.blocks.id[row], _NONE) if index else _NONE

    def own(self, row: int) -> array[int]:
        """Return the numbers of the abbreviations that block `row` defines itself; their ids follow the shared ones."""
        return self._own.get(row, _NONE)

    def definitions(self, row: int) -> list[int]:
        """Return the rows of the definitions directly in block `row`."""
        return self._definitions.get(row, [])

    def number(self, row: int, abbreviation_id: int) -> int:
        """Return the number of the abbreviation of an id of 4 or more in block `row`."""
        index = abbreviation_id - FIRST_ABBREVIATION_ID
        shared = self.shared(row)
        return shared[index] if index < len(shared) else self.own(row)[index - len(shared)]


_NONE = array("q")


def _numbers_by_block(info: BlockInfo, first_number: int) -> dict[int, array[int]]:
    numbers = {}
    for block_id, abbreviations in info.abbreviations.items():
        numbers[block_id] = array("q", range(first_number, first_number + len(abbreviations)))
        first_number += len(abbreviations)
    return numbers
