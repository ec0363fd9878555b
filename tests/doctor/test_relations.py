"""Constructs that several records make together."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec import bitstream
from bitcodec.bitcode.schema.blocks import BlockId
from bitcodec.doctor.keys import ConstructKind
from bitcodec.doctor.records import StreamRecords
from bitcodec.doctor.relations import related

TEXT = """
@first = global i8 0
@second = global i8 0
define ptr @f() {
  ret ptr %s
}
"""


@pytest.mark.parametrize(
    ("constant", "contains_global"),
    [
        ("getelementptr (i8, ptr inttoptr (i64 9 to ptr), i64 7)", False),
        ("getelementptr inbounds (i8, ptr inttoptr (i64 9 to ptr), i64 7)", False),
        ("getelementptr (i8, ptr @second, i64 7)", True),
        ("getelementptr inbounds (i8, ptr @second, i64 7)", True),
    ],
)
def test_globals_in_constants(constant: str, contains_global: bool) -> None:
    data = bitcodec.dumps(bitcodec.parse_assembly(TEXT.replace("%s", constant)), llvm_version=16)
    stream = bitstream.loads(data)
    records = StreamRecords(stream.decode())
    rows = [row for key, row in related(records, memoryview(data)) if key.kind is ConstructKind.GLOBAL_IN_CONSTANT]

    assert len(rows) == contains_global
    assert {records.block_ids[records.columns.records.block[row]] for row in rows} <= {BlockId.CONSTANTS_BLOCK}
