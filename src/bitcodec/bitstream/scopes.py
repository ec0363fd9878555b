"""Which abbreviation an id stands for, block by block.

Rules: LLVM Bitcode File Format, "DEFINE_ABBREV Encoding": ids go to BLOCKINFO's abbreviations first, then to the
block's own, in order.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

from bitcodec.bitstream.blockinfo import BLOCKINFO_BLOCK_ID, BlockInfo

if TYPE_CHECKING:
    from bitcodec.bitstream.columns import Columns

__all__ = ["Scopes"]

_NOTHING = BlockInfo()


class Scopes:
    """Looks up the abbreviations in force in the blocks of `columns`."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._from_rows = [entry.from_row for entry in columns.block_infos]
        self._shared = [_numbers_by_block(entry.info, entry.first_number) for entry in columns.block_infos]
        self._own: dict[int, list[int]] = {}
        for block, number in zip(columns.definitions.block, columns.definitions.number, strict=True):
            if columns.blocks.id[block] != BLOCKINFO_BLOCK_ID:
                self._own.setdefault(block, []).append(number)

    def block_info(self, row: int) -> BlockInfo:
        """Return the BLOCKINFO in force in block `row`."""
        index = bisect_right(self._from_rows, row)
        return self._columns.block_infos[index - 1].info if index else _NOTHING

    def shared(self, row: int) -> array[int]:
        """Return the numbers of the abbreviations that block `row` starts with."""
        index = bisect_right(self._from_rows, row)
        return self._shared[index - 1].get(self._columns.blocks.id[row], _NONE) if index else _NONE

    def own(self, row: int) -> list[int]:
        """Return the numbers of the abbreviations that block `row` defines itself."""
        return self._own.get(row, [])

    def numbers(self, row: int) -> array[int]:
        """Return the numbers of all abbreviations of block `row`; abbreviation id `4 + i` stands for the `i`-th."""
        own = self._own.get(row)
        return self.shared(row) + array("q", own) if own else self.shared(row)


_NONE = array("q")


def _numbers_by_block(info: BlockInfo, first_number: int) -> dict[int, array[int]]:
    numbers = {}
    for block_id, abbreviations in info.abbreviations.items():
        numbers[block_id] = array("q", range(first_number, first_number + len(abbreviations)))
        first_number += len(abbreviations)
    return numbers
