"""Switches whose cases older readers compute are found in the body that has them."""

from __future__ import annotations

from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import BlockId, FunctionCode
from bitcodec.doctor.computed_cases import computed_cases
from bitcodec.doctor.records import StreamRecords
from bits import Bits


def test_bodies_are_those_of_modules_at_the_top() -> None:
    stream = Bits().enter_block(BlockId.STRTAB_BLOCK, width=3).enter_block(BlockId.MODULE_BLOCK, width=3).end_block()
    stream.end_block().enter_block(BlockId.MODULE_BLOCK, width=3)
    for switches in (1, 2):
        stream.enter_block(BlockId.FUNCTION_BLOCK, width=3)
        for _ in range(switches):
            stream.unabbreviated(FunctionCode.INST_SWITCH, [0, 0, 0])
        stream.enter_block(BlockId.FUNCTION_BLOCK, width=3).unabbreviated(FunctionCode.INST_SWITCH, [0]).end_block()
        stream.end_block()
    records = StreamRecords(bitstream.loads(stream.end_block().stream()).decode())
    rows = [row for _, row in computed_cases(records, [(0, 0, 0), (0, 1, 0), (0, 1, 1)])]

    assert [records.columns.records.block[row] for row in rows] == [3, 5, 5]
    assert rows == sorted(rows)
