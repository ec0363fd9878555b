"""From columns back to the order of the stream: enter a block, a run of its records, leave it."""

from __future__ import annotations

from bisect import bisect_left
from enum import Enum
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.bitstream.columns import Columns

__all__ = ["WalkEvent", "WalkStep", "walk", "walk_with_definitions"]


class WalkEvent(Enum):
    """Kind of a `WalkStep`."""

    ENTER = "enter"
    DEFINE = "define"
    RECORDS = "records"
    LEAVE = "leave"


class WalkStep(NamedTuple):
    """One step through a stream.

    Attributes:
        event: its kind.
        block: row of the block that is entered, left, or holds the records or the definition.
        depth: how many blocks are around that block.
        first, last: range of the records; for DEFINE, `first` is the row of the definition.
    """

    event: WalkEvent
    block: int
    depth: int
    first: int = 0
    last: int = 0


# An enumeration's members are slow to look up, and there are three steps for each block.
_ENTER, _DEFINE, _RECORDS, _LEAVE = WalkEvent.ENTER, WalkEvent.DEFINE, WalkEvent.RECORDS, WalkEvent.LEAVE


def walk(columns: Columns) -> Iterator[WalkStep]:
    """Yield the steps through all blocks of `columns`, without definitions; runs of records are never empty."""
    blocks = columns.blocks
    last_block = blocks.last_block.tolist()
    first_record = blocks.first_record.tolist()
    last_record = blocks.last_record.tolist()
    open_blocks: list[int] = []
    record = 0
    for row in range(len(blocks) + 1):
        while open_blocks and last_block[open_blocks[-1]] <= row:
            block = open_blocks.pop()
            if record < last_record[block]:
                yield WalkStep(_RECORDS, block, len(open_blocks), record, last_record[block])
                record = last_record[block]
            yield WalkStep(_LEAVE, block, len(open_blocks))
        if row == len(blocks):
            return
        if record < first_record[row]:
            yield WalkStep(_RECORDS, open_blocks[-1], len(open_blocks) - 1, record, first_record[row])
            record = first_record[row]
        yield WalkStep(_ENTER, row, len(open_blocks))
        open_blocks.append(row)


def walk_with_definitions(columns: Columns) -> Iterator[WalkStep]:
    """Yield the same steps as `walk`, and one for each definition, in its place."""
    definitions = columns.definitions
    starts = definitions.start.tolist()
    block_start, block_end = columns.blocks.start.tolist(), columns.blocks.end.tolist()
    record_start = columns.records.start
    definition = 0
    for whole_step in walk(columns):
        step = whole_step
        # Definitions before the step's (last) item come before it.
        if step.event is _RECORDS:
            place = record_start[step.last - 1]
        else:
            place = (block_start if step.event is _ENTER else block_end)[step.block]
        while definition < len(starts) and starts[definition] < place:
            if step.event is _RECORDS:
                split = bisect_left(record_start, starts[definition], step.first, step.last)
                if step.first < split:
                    yield step._replace(last=split)
                    step = step._replace(first=split)
            depth = step.depth - (step.event is _ENTER)
            yield WalkStep(_DEFINE, definitions.block[definition], depth, definition)
            definition += 1
        yield step
