"""Columns as Arrow tables, where pyarrow is installed."""

from __future__ import annotations

import pytest

from bitcodec import bitstream
from bits import Bits, Field

pytest.importorskip("pyarrow")

DATA: tuple[Field, ...] = (3, "blob")


def test_tables() -> None:
    bits = Bits().enter_block(8).define(*DATA).unabbreviated(1, [2**64 - 1, 5]).abbreviated(4, DATA, [3], b"xyz")
    stream = bitstream.loads(bits.enter_block(9).unabbreviated(2, [7]).end_block().end_block().stream())
    records, blocks = stream.to_arrow()
    assert records.column("block").to_pylist() == [0, 0, 1]
    assert records.column("code").to_pylist() == [1, 3, 2]
    assert records.column("abbreviation").to_pylist() == [3, 4, 3]
    assert records.column("operands").to_pylist() == [[2**64 - 1, 5], [], [7]]
    assert records.column("blob").to_pylist() == [None, b"xyz", None]
    assert records.column("start").to_pylist() == [record.start for block in (8, 9) for record in of(stream, block)]
    assert blocks.column("id").to_pylist() == [8, 9]
    assert blocks.column("parent").to_pylist() == [-1, 0]


def of(stream: bitstream.Bitstream, block_id: int) -> list[bitstream.Record]:
    outer = stream.blocks[0]
    return outer.records if block_id == 8 else outer.blocks[0].records


def test_nothing() -> None:
    records, blocks = bitstream.loads(Bits().stream()).to_arrow()
    assert (len(records), len(blocks)) == (0, 0)
