"""Streams changed: what was changed is changed, the rest is as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitcodec import bitstream
from bitcodec.bitstream import Abbreviation, Draft, DraftBlock, DraftRecord, array, char6, fixed
from bitcodec.errors import BitstreamError, EncodingError
from bits import Bits, Field

from .soundness import reread

NAME: tuple[Field, ...] = (2, "array", "char6")
DATA: tuple[Field, ...] = (3, ("vbr", 6), "blob")


def example(*, version: int = 2, name: bytes = b"abc", extra: tuple[int, ...] = (), blob: bytes = b"bytes") -> bytes:
    """Return a stream of two blocks, the first with one inside."""
    bits = Bits().enter_block(8, width=4).unabbreviated(1, [version]).define(*NAME).define(*DATA)
    bits.abbreviated(4, NAME, [2, *name]).enter_block(9).unabbreviated(7, [70]).end_block()
    for operand in extra:
        bits.unabbreviated(6, [operand])
    bits.abbreviated(5, DATA, [3, 40], blob).end_block().enter_block(23).unabbreviated(5, [1, 2]).end_block()
    return bits.stream()


def edit(data: bytes | None = None) -> Draft:
    return bitstream.loads(data or example()).edit()


def test_untouched() -> None:
    assert edit().dumps() == example()


def test_looked_at() -> None:
    draft = edit()
    assert [item.id for block in draft.blocks for item in [block, *block.blocks]] == [8, 9, 23]
    assert draft.block(8).block(9).record(7).operands == (70,)
    assert draft.dumps() == example()


def test_assigned_what_was_there() -> None:
    draft = edit()
    record = draft.block(8).record(2)
    record.operands = record.operands
    record.text = record.text
    record.abbreviation_id = 4
    data = draft.block(8).record(3)
    data.blob = bytes(data.blob or b"")
    assert not any(record.is_changed for record in draft.block(8).records)
    assert draft.dumps() == example()


def test_an_unabbreviated_record_changed() -> None:
    draft = edit()
    record = draft.block(8).record(1)
    record.operands = (2**64 - 1,)
    assert record.is_changed
    assert draft.dumps() == example(version=2**64 - 1)


def test_an_abbreviated_record_changed() -> None:
    draft = edit()
    draft.block(8).record(2).text = "another_name"
    assert draft.dumps() == example(name=b"another_name")


def test_operands_may_be_any_sequence() -> None:
    draft = edit()
    draft.block(8).record(2).operands = list(b"x")  # type: ignore[assignment]
    assert draft.dumps() == example(name=b"x")


def test_a_blob_changed() -> None:
    draft = edit()
    draft.block(8).record(3).blob = b"another blob"
    assert draft.dumps() == example(blob=b"another blob")


def test_records_added_at_a_place() -> None:
    draft = edit()
    block = draft.block(8)
    place = block.items.index(block.record(3))
    block.items[place:place] = [DraftRecord(6, (10,)), DraftRecord(6, (2**40,))]
    assert draft.dumps() == example(extra=(10, 2**40))


def test_records_removed() -> None:
    draft = edit(example(extra=(10, 20)))
    for record in draft.block(8).records:
        if record.code == 6:
            draft.block(8).remove(record)
    assert draft.dumps() == example()


def test_removal_is_by_identity() -> None:
    draft = edit(example(extra=(10, 10)))
    first, second = (record for record in draft.block(8).records if record.code == 6)
    draft.block(8).remove(second)
    assert draft.block(8).record(6) is first
    with pytest.raises(LookupError, match="the item is not in block 8"):
        draft.block(8).remove(second)
    assert draft.dumps() == example(extra=(10,))


def test_blocks_removed() -> None:
    draft = edit()
    draft.block(8).remove(draft.block(8).block(9))
    draft.blocks.remove(draft.block(23))
    stream = reread(draft.dumps())
    assert list(stream.columns.blocks.id) == [8]
    assert list(stream.columns.records.code) == [1, 2, 3]


def test_every_block_removed() -> None:
    draft = edit()
    draft.blocks.clear()
    assert draft.dumps() == b"BC\xc0\xde"


def test_blocks_added() -> None:
    draft = edit()
    inner = DraftBlock(50, abbreviation_width=6, items=[DraftRecord(1, (5,)), DraftBlock(51)])
    draft.block(8).items.append(inner)
    draft.blocks.insert(0, DraftBlock(52))
    stream = reread(draft.dumps())
    assert list(stream.columns.blocks.id) == [52, 8, 9, 50, 51, 23]
    assert list(stream.columns.blocks.abbreviation_width) == [3, 4, 3, 6, 3, 3]
    assert stream.blocks[1].blocks[1].records[0].operands == (5,)


def test_blocks_reordered() -> None:
    draft = edit()
    draft.blocks.reverse()
    stream = reread(draft.dumps())
    assert list(stream.columns.blocks.id) == [23, 8, 9]
    assert stream.blocks[1].records[1].text == "abc"


def test_a_wider_width_for_abbreviation_ids() -> None:
    draft = edit()
    draft.block(8).abbreviation_width = 6
    stream = reread(draft.dumps())
    assert [block.abbreviation_width for block in (stream.blocks[0], stream.blocks[0].blocks[0])] == [6, 3]
    assert [record.abbreviation_id for record in stream.blocks[0].records] == [3, 4, 5]
    assert bytes(stream.blocks[0].records[2].blob or b"") == b"bytes"
    again = stream.edit()
    again.block(8).abbreviation_width = 4
    assert again.dumps() == example()


def test_a_width_too_small_for_the_ids() -> None:
    draft = edit()
    draft.block(8).abbreviation_width = 2
    with pytest.raises(EncodingError, match="4 does not fit in a field of 2 bits"):
        draft.dumps()


def test_another_block_id() -> None:
    draft = edit()
    draft.block(23).id = 24
    assert list(reread(draft.dumps()).columns.blocks.id) == [8, 9, 24]


def test_what_an_abbreviation_cannot_express() -> None:
    draft = edit()
    draft.block(8).record(2).text = "not char6!"
    with pytest.raises(EncodingError) as caught:
        draft.dumps()
    assert str(caught.value) == (
        "record 2: 32 is not one of the 64 characters of char6; set its abbreviation_id to 3 to write it unabbreviated"
    )
    draft.block(8).record(2).abbreviation_id = 3
    record = reread(draft.dumps()).blocks[0].records[1]
    assert (record.text, record.abbreviation_id) == ("not char6!", 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (DraftRecord(1, (2**64,)), "record 1: an operand is not in 0..2**64-1"),
        (DraftRecord(2**32), "record 4294967296: record code 4294967296 is not in 0..2**32-1"),
        (DraftRecord(1, blob=b""), "record 1: an unabbreviated record has no blob; give an abbreviation that has one"),
        (
            DraftRecord(1, abbreviation_id=9),
            (
                "record 1: abbreviation id 9 is not defined in this block; "
                "set its abbreviation_id to 3 to write it unabbreviated"
            ),
        ),
    ],
)
def test_new_records_that_cannot_be_written(change: DraftRecord, message: str) -> None:
    draft = edit()
    draft.block(8).items.append(change)
    with pytest.raises(EncodingError) as caught:
        draft.dumps()
    assert str(caught.value) == message
    draft.block(8).items.pop()
    assert draft.dumps() == example(), "the draft can be set right"


def test_what_is_not_there() -> None:
    draft = edit()
    with pytest.raises(LookupError, match="no block 99 here"):
        draft.block(99)
    with pytest.raises(LookupError, match="no block 23 here"):
        draft.block(8).block(23)
    with pytest.raises(LookupError, match="block 23 has no record of code 9"):
        draft.block(23).record(9)


def test_representations() -> None:
    draft = edit()
    assert repr(draft.block(8)) == "<DraftBlock 8, as read>"
    assert len(draft.block(8).items) == 6
    assert repr(draft.block(8)) == "<DraftBlock 8, 6 items>"
    assert not draft.block(23).is_opened


def test_an_abbreviation_added() -> None:
    draft = edit()
    block = draft.block(8)
    new = Abbreviation.of(6, fixed(8))
    number = block.define(new)
    block.items.append(DraftRecord(6, (200,), abbreviation_id=number))
    stream = reread(draft.dumps())
    assert number == 6
    assert stream.blocks[0].abbreviations[2] == new
    last = stream.blocks[0].records[-1]
    assert (last.code, last.operands, last.abbreviation_id) == (6, (200,), 6)
    assert stream.blocks[0].records[1].text == "abc"


def test_an_abbreviation_in_a_new_block() -> None:
    draft = edit()
    block = DraftBlock(50)
    by = block.define(Abbreviation.of(1, array, char6))
    block.items.append(DraftRecord(1, tuple(b"text"), abbreviation_id=by))
    draft.blocks.append(block)
    assert reread(draft.dumps()).blocks[-1].records[0].text == "text"


def test_trailing_bytes_stay() -> None:
    draft = edit(example() + b"garbage")
    draft.block(8).record(1).operands = (3,)
    assert draft.dumps() == example(version=3) + b"garbage"


def test_a_draft_of_a_malformed_stream() -> None:
    stream = bitstream.loads(Bits().enter_block(8).id(5).end_block().stream())
    draft = stream.edit()
    with pytest.raises(BitstreamError, match="abbreviation id 5 is not defined"):
        draft.block(8).items  # noqa: B018


def test_saving(tmp_path: Path) -> None:
    path = tmp_path / "file.bc"
    path.write_bytes(example())
    draft = bitstream.open(path).edit()
    draft.block(8).record(1).operands = (3,)
    draft.save(path)
    assert path.read_bytes() == example(version=3)
    draft.block(8).record(2).text = "not char6!"
    with pytest.raises(EncodingError):
        draft.save(path)
    assert path.read_bytes() == example(version=3), "a draft that cannot be written leaves the file alone"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file.bc"]
