"""Drafts and abbreviations: records keep their meaning when what their ids stand for changes, or they move."""

from __future__ import annotations

import pytest

from bitcodec import bitstream
from bitcodec.bitstream import Abbreviation, Definition, DraftRecord, blob, fixed
from bitcodec.errors import EncodingError
from bits import Bits, Field

from .soundness import reread

SHARED: tuple[Field, ...] = (1, ("fixed", 4))
OWN: tuple[Field, ...] = (2, ("vbr", 6))
DATA: tuple[Field, ...] = (3, "blob")
FLAWED: tuple[Field, ...] = (4, "array", 7)


def example(*, flawed: bool = False) -> bytes:
    bits = Bits().enter_block(0).unabbreviated(1, [8]).define(*SHARED).end_block()
    bits.enter_block(8, width=4).define(*OWN).abbreviated(4, SHARED, [1, 9]).abbreviated(5, OWN, [2, 1000])
    bits.define(*DATA).abbreviated(6, DATA, [3], b"blob").unabbreviated(5, [50])
    if flawed:
        bits.define(*FLAWED)
    return bits.end_block().enter_block(9, width=5).unabbreviated(6, [60]).end_block().stream()


def records(data: bytes, block: int = 1) -> list[tuple[int, tuple[int, ...], int]]:
    return [(record.code, record.operands, record.abbreviation_id) for record in reread(data).blocks[block].records]


def test_a_definition_dropped() -> None:
    """Records written by it fall back to the other forms; ids after it move down."""
    draft = bitstream.loads(example()).edit()
    block = draft.block(8)
    block.remove(next(item for item in block.items if isinstance(item, Definition)))
    data = draft.dumps()
    assert records(data) == [(1, (9,), 4), (2, (1000,), 3), (3, (), 5), (5, (50,), 3)]
    assert bytes(reread(data).blocks[1].records[2].blob or b"") == b"blob"


def test_a_definition_put_before_the_others() -> None:
    draft = bitstream.loads(example()).edit()
    block = draft.block(8)
    block.items.insert(0, Definition(Abbreviation.of(9, fixed(1))))
    assert records(draft.dumps()) == [(1, (9,), 4), (2, (1000,), 6), (3, (), 7), (5, (50,), 3)]


def test_a_definition_changed() -> None:
    draft = bitstream.loads(example()).edit()
    block = draft.block(8)
    definition = next(item for item in block.items if isinstance(item, Definition))
    definition.abbreviation = Abbreviation.of(2, fixed(32))
    data = draft.dumps()
    assert records(data)[1] == (2, (1000,), 3)
    block.record(2).operands = (1001,)
    assert records(draft.dumps())[1] == (2, (1001,), 5), "a changed record goes by the id it has, as that is now"


def test_a_definition_of_no_use_stays_but_cannot_be_added() -> None:
    data = example(flawed=True)
    draft = bitstream.loads(data).edit()
    draft.block(8).record(5).operands = (50,)
    assert draft.dumps() == data
    draft.block(8).items.append(Definition(Abbreviation.of(1, blob, 2)))
    with pytest.raises(EncodingError, match="has a blob that is not last"):
        draft.dumps()


def test_blockinfo_extended_for_a_block() -> None:
    """The new abbreviation takes the id of the block's own, which move up: its records have to be written anew."""
    draft = bitstream.loads(example()).edit()
    draft.block(0).items.append(Definition(Abbreviation.of(7, fixed(3))))
    data = draft.dumps()
    assert records(data) == [(1, (9,), 4), (2, (1000,), 6), (3, (), 7), (5, (50,), 3)]
    assert [str(made) for made in reread(data).blocks[1].shared_abbreviations] == ["[1, fixed(4)]", "[7, fixed(3)]"]


def test_blockinfo_taken_away() -> None:
    draft = bitstream.loads(example()).edit()
    draft.blocks.remove(draft.block(0))
    assert records(draft.dumps(), 0) == [(1, (9,), 3), (2, (1000,), 4), (3, (), 5), (5, (50,), 3)]


def test_blockinfo_for_another_block() -> None:
    draft = bitstream.loads(example()).edit()
    draft.block(0).record(1).operands = (9,)
    data = draft.dumps()
    assert records(data)[0] == (1, (9,), 3)
    assert [str(made) for made in reread(data).blocks[2].shared_abbreviations] == ["[1, fixed(4)]"]


def test_blockinfo_refuses_define() -> None:
    draft = bitstream.loads(example()).edit()
    with pytest.raises(EncodingError, match="put a Definition among the items of a BLOCKINFO block"):
        draft.block(0).define(Abbreviation.of(1))


def test_blockinfo_without_setbid() -> None:
    draft = bitstream.loads(example()).edit()
    block = draft.block(0)
    block.remove(block.record(1))
    with pytest.raises(EncodingError, match="a SETBID record has to come before an abbreviation"):
        draft.dumps()


def test_define_counts_what_blockinfo_gives() -> None:
    draft = bitstream.loads(example()).edit()
    block = draft.block(8)
    number = block.define(Abbreviation.of(8, fixed(5)))
    block.items.append(DraftRecord(8, (31,), abbreviation_id=number))
    assert number == 7
    assert records(draft.dumps())[-1] == (8, (31,), 7)


def test_define_counts_what_blockinfo_gives_to_a_new_block() -> None:
    draft = bitstream.loads(example()).edit()
    block = draft.new_block(8)
    number = block.define(Abbreviation.of(8, fixed(5)))
    block.items.append(DraftRecord(8, (31,), abbreviation_id=number))
    draft.blocks.append(block)
    assert records(draft.dumps(), 3) == [(8, (31,), 5)]


def test_records_moved_between_blocks() -> None:
    draft = bitstream.loads(example()).edit()
    source, target = draft.block(8), draft.block(9)
    for record in (source.record(1), source.record(2), source.record(5)):
        source.remove(record)
        target.items.append(record)
    data = draft.dumps()
    assert records(data) == [(3, (), 6)]
    assert records(data, 2) == [(6, (60,), 3), (1, (9,), 3), (2, (1000,), 3), (5, (50,), 3)]


def test_a_record_with_a_blob_moved_along_with_its_definition() -> None:
    draft = bitstream.loads(example()).edit()
    source, target = draft.block(8), draft.block(9)
    target.define(Abbreviation.of(3, blob))
    record = source.record(3)
    source.remove(record)
    target.items.append(record)
    stream = reread(draft.dumps())
    moved = stream.blocks[2].records[1]
    assert (moved.abbreviation_id, bytes(moved.blob or b"")) == (4, b"blob")


def test_a_record_with_a_blob_cannot_go_without() -> None:
    draft = bitstream.loads(example()).edit()
    record = draft.block(8).record(3)
    draft.block(9).items.append(record)
    with pytest.raises(EncodingError, match="an unabbreviated record has no blob"):
        draft.dumps()


def test_blocks_moved_into_others() -> None:
    draft = bitstream.loads(example()).edit()
    draft.blocks.remove(moved := draft.block(9))
    draft.block(8).items.insert(0, moved)
    stream = reread(draft.dumps())
    assert list(stream.columns.blocks.id) == [0, 8, 9]
    assert stream.blocks[1].blocks[0].records[0].operands == (60,)
    assert [record.abbreviation_id for record in stream.blocks[1].records] == [4, 5, 6, 3]


def test_a_block_put_before_the_blockinfo_it_needs() -> None:
    draft = bitstream.loads(example()).edit()
    draft.blocks.insert(0, draft.blocks.pop(1))
    assert records(draft.dumps(), 0) == [(1, (9,), 3), (2, (1000,), 4), (3, (), 5), (5, (50,), 3)]


def test_blocks_of_another_stream() -> None:
    other = Bits(b"DIAG").enter_block(8, width=3).define(*OWN).abbreviated(4, OWN, [2, 77]).end_block().stream()
    draft = bitstream.loads(example()).edit()
    draft.blocks.append(bitstream.loads(other).edit().blocks[0])
    data = draft.dumps()
    assert data.startswith(b"BC\xc0\xde")
    # There, 4 is its own; here, BLOCKINFO's comes first.
    assert records(data, 3) == [(2, (77,), 5)]


def test_the_same_block_twice() -> None:
    draft = bitstream.loads(example()).edit()
    draft.blocks.append(draft.block(9))
    assert records(draft.dumps(), 2) == records(draft.dumps(), 3) == [(6, (60,), 3)]
