"""Statistics of a stream: size breakdown in bits, by kind of block and record."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bitcodec.bitstream.tally import tally_records

if TYPE_CHECKING:
    from bitcodec.bitstream.columns import Columns

__all__ = ["BlockStatistics", "RecordStatistics", "block_statistics"]


@dataclass(frozen=True, slots=True)
class RecordStatistics:
    """The records of one code in blocks of one id: how many, their size in bits, how many are abbreviated."""

    count: int
    bits: int
    abbreviated: int


@dataclass(slots=True)
class BlockStatistics:
    """All blocks of one id.

    Attributes:
        instances: how many there are.
        bits: their size, blocks inside them not counted.
        blocks, definitions: how many blocks and abbreviation definitions they hold.
        records: record code -> its figures.
    """

    instances: int = 0
    bits: int = 0
    blocks: int = 0
    definitions: int = 0
    records: dict[int, RecordStatistics] = field(default_factory=dict)

    @property
    def record_count(self) -> int:
        """How many records they hold."""
        return sum(record.count for record in self.records.values())

    @property
    def abbreviated_count(self) -> int:
        """How many of those are abbreviated."""
        return sum(record.abbreviated for record in self.records.values())


def block_statistics(columns: Columns) -> dict[int, BlockStatistics]:
    """Return the statistics of each block id, in order of the ids; blocks that an error cuts off reach to the error."""
    blocks = columns.blocks
    ids = blocks.id.tolist()
    statistics = {block_id: BlockStatistics() for block_id in sorted(set(ids))}
    by_row = [statistics[block_id] for block_id in ids]
    reached = 0 if columns.error is None else columns.error.bit_offset
    for own, parent, entry, end in zip(by_row, blocks.parent, blocks.entry, blocks.end, strict=True):
        bits = max((end or reached) - entry, 0)
        own.instances += 1
        own.bits += bits
        if parent >= 0:
            by_row[parent].bits -= bits
            by_row[parent].blocks += 1
    for block in columns.definitions.block:
        by_row[block].definitions += 1
    _add_records(columns, ids, statistics)
    return statistics


def _add_records(columns: Columns, ids: list[int], statistics: dict[int, BlockStatistics]) -> None:
    records = columns.records
    known = list(statistics)
    kinds = {block_id: kind for kind, block_id in enumerate(known)}
    figures = tally_records(
        records.block,
        records.code,
        records.abbreviation,
        records.start,
        records.end,
        array("I", [kinds[block_id] for block_id in ids]),
        len(known),
    )
    for (kind, code), (count, bits, abbreviated) in sorted(figures.items()):
        statistics[known[kind]].records[code] = RecordStatistics(count, bits, abbreviated)
