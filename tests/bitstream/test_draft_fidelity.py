"""Drafts of real files: one thing is changed, and all else is bit for bit as it was."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bitcodec import bitstream
from bitcodec.bitstream import Bitstream, Draft, DraftBlock, DraftRecord
from bits import Bits

from .random_streams import StreamMaker
from .soundness import record_bits, reread

DATA = Path(__file__).parents[1] / "data"
SUFFIXES = {".bc", ".dia", ".pcm", ".bitstream", ".profile"}
FILES = sorted((path for path in DATA.iterdir() if path.suffix in SUFFIXES), key=lambda path: path.name)


def open_one(path: Path) -> Bitstream | None:
    """Return the stream, None if there are several in the file."""
    stream = bitstream.loads(path.read_bytes())
    return stream if stream.decode().end >= (len(stream.payload) - 8) * 8 else None


STREAMS = [path for path in FILES if open_one(path) is not None]


def all_blocks(draft: Draft) -> list[DraftBlock]:
    found = []
    pending = list(reversed(draft.blocks))
    while pending:
        found.append(block := pending.pop())
        pending.extend(reversed(block.blocks))
    return found


def test_there_are_files_to_try() -> None:
    assert len(STREAMS) >= 8


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.name)
def test_one_record_changed(path: Path) -> None:
    stream = reread(path.read_bytes())
    before = record_bits(stream)
    codes = list(stream.columns.records.code)
    random = Random(path.name)
    for row in random.sample(range(len(codes)), min(6, len(codes))):
        block_row = stream.columns.records.block[row]
        if stream.columns.blocks.id[block_row] == 0:
            continue  # In BLOCKINFO it would change what other records mean.
        draft = stream.edit()
        record = find(draft, stream, row)
        record.abbreviation_id, record.blob, record.operands = 3, None, (1, 2, 3)
        after = reread(draft.dumps())
        bits = record_bits(after)
        assert bits[:row] == before[:row]
        assert bits[row + 1 :] == before[row + 1 :]
        assert list(after.columns.blocks.id) == list(stream.columns.blocks.id)
        assert list(after.columns.records.code) == codes
        changed = after.columns.records.first_operand
        assert list(after.columns.operands[changed[row] : changed[row + 1]]) == [1, 2, 3]


def find(draft: Draft, stream: Bitstream, row: int) -> DraftRecord:
    """Return the draft of record `row`, only the blocks around it being opened."""
    start = stream.columns.records.start[row]
    blocks = draft.blocks
    while True:
        block = next(block for block in blocks if block.source and block.source.start < start < block.source.end)
        for record in block.records:
            if record.source is not None and record.source.start == start:
                return record
        blocks = block.blocks


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.name)
def test_one_record_added_to_every_block_and_taken_out_again(path: Path) -> None:
    data = path.read_bytes()
    stream = bitstream.loads(data)
    draft = stream.edit()
    for block in all_blocks(draft):
        block.items.append(DraftRecord(1000, (2**64 - 1,)))
    larger = reread(draft.dumps())
    added = [index for index, code in enumerate(larger.columns.records.code) if code == 1000]
    assert len(added) == len(stream.columns.blocks)
    kept = [bits for index, bits in enumerate(record_bits(larger)) if index not in set(added)]
    assert kept == record_bits(stream)
    again = larger.edit()
    for block in all_blocks(again):
        block.remove(block.record(1000))
    assert again.dumps() == data


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.name)
def test_everything_written_by_no_abbreviation(path: Path) -> None:
    """Records are encoded anew, one by one; what they say stays."""
    stream = bitstream.loads(path.read_bytes())
    draft = stream.edit()
    for block in all_blocks(draft):
        for record in block.records:
            if record.blob is None:
                record.abbreviation_id = 3
    after = reread(draft.dumps()).columns
    before = stream.columns
    assert list(after.records.code) == list(before.records.code)
    assert list(after.operands) == list(before.operands)
    assert list(after.blobs.record) == list(before.blobs.record)
    assert {*after.records.abbreviation} <= {3, *(before.records.abbreviation[row] for row in before.blobs.record)}


@pytest.mark.parametrize("seed", range(80))
def test_streams_at_random(seed: int) -> None:
    """Insert a record at every place: what is around it has to survive any bit offset."""
    random = Random(seed)
    stream = reread(StreamMaker(random).data)
    assert stream.edit().dumps() == bytes(stream.data)
    draft = stream.edit()
    blocks = [block for block in all_blocks(draft) if block.id != 0]
    if not blocks:
        return
    block = random.choice(blocks)
    block.items.insert(random.randint(0, len(block.items)), DraftRecord(999, tuple(range(random.randint(0, 40)))))
    after = reread(draft.dumps())
    added = list(after.columns.records.code).index(999)
    bits = record_bits(after)
    assert bits[:added] + bits[added + 1 :] == record_bits(stream)


@pytest.mark.parametrize("shift", range(32))
def test_a_block_copied_to_any_bit_offset(shift: int) -> None:
    """Its header stands at another bit, its content at a multiple of 32: the length stays right."""
    inner = Bits().enter_block(8, width=4).enter_block(9).unabbreviated(7, range(40)).end_block().end_block()
    draft = bitstream.loads(inner.stream()).edit()
    records: list[DraftRecord | DraftBlock] = [DraftRecord(1, (0,) * shift)]
    draft.block(8).items[0:0] = records
    after = reread(draft.dumps())
    assert after.blocks[0].blocks[0].records[0].operands == tuple(range(40))
