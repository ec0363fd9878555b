"""What is malformed is looked for in all parts, and in front of damage: LLVM may come to another place first."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import BlockId, ConstantsCode, ModuleCode, TypeCode
from bitcodec.doctor.mending import mended
from bitcodec.doctor.reading import read

from .readers import ask
from .test_diagnosing import HELLO, changed, only
from .test_walking import with_length

WITH_UNKNOWN_TYPE = changed(HELLO, BlockId.TYPE_BLOCK, TypeCode.ARRAY, (8, 99))
CONSTANTS, FUNCTION, TYPES = BlockId.CONSTANTS_BLOCK, BlockId.FUNCTION_BLOCK, BlockId.TYPE_BLOCK


def damaged(data: bytes, block_id: int) -> bytes:
    """Return a file whose first block of an id begins with the id of an abbreviation that there is not."""
    blocks = bitstream.loads(data).decode().blocks
    place = blocks.body[list(blocks.id).index(block_id)] // 8
    return data[:place] + b"\xff" + data[place + 1 :]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (damaged(HELLO, CONSTANTS), "Invalid abbrev number"),
        (damaged(HELLO, FUNCTION), "Invalid abbrev number"),
        (damaged(WITH_UNKNOWN_TYPE, CONSTANTS), "Invalid type"),
        (damaged(WITH_UNKNOWN_TYPE, FUNCTION), "Invalid type"),
        (damaged(WITH_UNKNOWN_TYPE, TYPES), "Invalid abbrev number"),
        (with_length(WITH_UNKNOWN_TYPE, TYPES, (17).to_bytes(4, "little")), "Invalid type"),
        (changed(HELLO, BlockId.MODULE_BLOCK, ModuleCode.VERSION, (3,)), "Invalid value"),
    ],
)
def test_a_record_is_looked_at_before_what_follows_is_decoded(data: bytes, message: str, tmp_path: Path) -> None:
    assert only(data, 22).verdicts[0].message == message
    (tmp_path / "damaged.bc").write_bytes(data)
    assert ask(22, tmp_path / "damaged.bc").message == message


def test_all_parts_are_read() -> None:
    first = changed(HELLO, BlockId.PARAMATTR_GROUP_BLOCK, 3, (1, 0xFFFF_FFFF, 3, 65))
    stream = bitstream.loads(changed(first, CONSTANTS, ConstantsCode.SETTYPE, ()))
    paths = {fault.block_path[-1] for fault in read(stream, stream.decode()).faults}
    assert {BlockId.PARAMATTR_GROUP_BLOCK, CONSTANTS} <= paths


def test_operands_of_records_that_are_too_short_are_counted() -> None:
    stream = bitstream.loads(changed(HELLO, CONSTANTS, ConstantsCode.SETTYPE, ()))
    (fault, *_) = read(stream, stream.decode()).faults
    assert fault.reason == "SETTYPE record: has too few operands: 0"


@pytest.mark.parametrize("block_id", [CONSTANTS, FUNCTION, TYPES])
def test_what_precedes_and_what_follows_damage_stays(block_id: int) -> None:
    data = damaged(HELLO, block_id)
    columns = bitstream.loads(data).decode()
    found = mended(memoryview(data), columns)
    assert found is not None
    stream = bitstream.loads(found.data)
    whole = stream.decode()
    assert whole.error is None
    assert len(found.data) == len(data)
    assert whole.records.start[: len(columns.records)] == columns.records.start
    assert [block.id for block in stream.blocks] == [block.id for block in bitstream.loads(HELLO).blocks]


def test_damage_without_a_length_that_can_be_right() -> None:
    columns = bitstream.loads(HELLO[:2000]).decode()
    found = mended(memoryview(HELLO[:2000]), columns)
    assert found is not None
    assert bitstream.loads(found.data).decode().error is None
    assert mended(memoryview(HELLO), bitstream.loads(HELLO).decode()) is None


def test_the_length_that_a_damaged_block_states_takes_no_memory() -> None:
    data = damaged(with_length(HELLO, CONSTANTS, (0x1FFFFFFF).to_bytes(4, "little")), CONSTANTS)
    columns = bitstream.loads(data).decode()
    tracemalloc.start()
    try:
        assert mended(memoryview(data), columns) is not None
        assert tracemalloc.get_traced_memory()[1] < 100 * len(data)
    finally:
        tracemalloc.stop()
