"""Cases of switches that readers before LLVM 22 compute: `ptrtoint` of `inttoptr`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.doctor.keys import ConstructKind, Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.doctor.records import StreamRecords

__all__ = ["computed_cases"]


def computed_cases(records: StreamRecords, switches: Iterable[tuple[int, int, int]]) -> Iterator[tuple[Key, int]]:
    """Yield the key of such cases with the row of each switch that has some.

    Args:
        records: of a bitstream.
        switches: the switches with such cases, as in `Reading`.
    """
    bodies: list[list[int]] = []
    rows: dict[int, list[int]] = {}
    for module, body, place in switches:
        bodies = bodies or _bodies(records)
        block = bodies[module][body]
        if block not in rows:
            rows[block] = _switches(records, block)
        yield Key(ConstructKind.COMPUTED_CASE, 0), rows[block][place]


def _bodies(records: StreamRecords) -> list[list[int]]:
    """Return the blocks of the function bodies of each module."""
    parents, bodies = records.columns.blocks.parent, dict[int, list[int]]()
    for block, block_id in enumerate(records.block_ids):
        if block_id == BlockId.MODULE_BLOCK and parents[block] < 0:
            bodies[block] = []
        elif block_id == BlockId.FUNCTION_BLOCK and parents[block] in bodies:
            bodies[parents[block]].append(block)
    return [*bodies.values()]


def _switches(records: StreamRecords, block: int) -> list[int]:
    """Return the rows of the switches of a body."""
    blocks, block_of = records.columns.blocks, records.columns.records.block
    rows = range(blocks.first_record[block], blocks.last_record[block])
    return [row for row in rows if records.code(row) == FunctionCode.INST_SWITCH and block_of[row] == block]
