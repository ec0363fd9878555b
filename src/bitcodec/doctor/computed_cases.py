"""Cases of switches that readers before LLVM 22 compute: `ptrtoint` of `inttoptr`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.doctor.keys import Key, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.doctor.records import Records

__all__ = ["computed_cases"]


def computed_cases(records: Records, switches: Iterable[tuple[int, int, int]]) -> Iterator[tuple[Key, int]]:
    """Yield the key of such cases with the row of each switch that has some.

    Args:
        records: of a bitstream.
        switches: by the number of their module, that of their body in it, and their own in the body.
    """
    blocks, ids = records.columns.blocks, records.block_ids
    modules = [row for row, each in enumerate(ids) if each == BlockId.MODULE_BLOCK and blocks.parent[row] < 0]
    for module, body, number in switches:
        parent = modules[module]
        inside = range(parent + 1, blocks.last_block[parent])
        bodies = [row for row in inside if ids[row] == BlockId.FUNCTION_BLOCK and blocks.parent[row] == parent]
        block_of, block = records.columns.records.block, bodies[body]
        rows = range(blocks.first_record[block], blocks.last_record[block])
        found = [row for row in rows if records.code(row) == FunctionCode.INST_SWITCH and block_of[row] == block]
        yield Key(Kind.COMPUTED_CASE, 0), found[number]
