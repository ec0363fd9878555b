"""Blocks and records as objects."""

from __future__ import annotations

import pytest

from bitcodec import bitstream
from bitcodec.bitstream import Abbreviation, Bitstream, Block, Record, array, blob, char6
from bitcodec.errors import BitstreamError
from bits import Bits, Field

NAME: tuple[Field, ...] = (2, "array", "char6")
DATA: tuple[Field, ...] = (3, ("vbr", 6), "blob")


def example() -> Bitstream:
    bits = Bits().enter_block(8, width=4).unabbreviated(1, [2, 2**64 - 1]).define(*NAME)
    bits.enter_block(9).unabbreviated(7, []).end_block()
    bits.abbreviated(4, NAME, [2, *b"abc"]).define(*DATA).abbreviated(5, DATA, [3, 40], b"bytes").end_block()
    return bitstream.loads(bits.enter_block(23).end_block().stream())


def test_blocks_and_records_in_order() -> None:
    outer, last = example().blocks
    assert [type(item) for item in outer] == [Record, Block, Record, Record]
    assert [block.id for block in outer.blocks] == [9]
    assert [record.code for record in outer.records] == [1, 2, 3]
    assert list(last) == []


def test_match_statements() -> None:
    match list(example().blocks[0]):
        case [Record(1, (version, _)), Block(9) as inner, Record(code=2, operands=text), Record()]:
            assert (version, inner.id, bytes(text)) == (2, 9, b"abc")
        case other:
            pytest.fail(f"not matched: {other}")


def test_equality_is_that_of_the_place() -> None:
    stream, other = example(), example()
    assert stream.blocks[0] == stream.blocks[0].blocks[0].parent
    assert stream.blocks[0] != stream.blocks[1]
    assert stream.blocks[0] != other.blocks[0]
    first, second = stream.blocks[0].records[:2]
    assert first == stream.blocks[0].records[0]
    assert first != second
    assert {first, second, stream.blocks[0].records[0]} == {second, first}
    assert len({*stream.blocks, stream.blocks[0].blocks[0].parent}) == 2
    assert first != stream.blocks[0]
    assert stream.blocks[0] != "block"


def test_representations() -> None:
    stream = example()
    outer = stream.blocks[0]
    assert repr(outer) == f"<Block 8 at bit 32, {outer.size_in_words} words>"
    assert repr(outer.records[0]) == f"<Record 1 at bit {outer.body}: [2, 18446744073709551615]>"
    long = bitstream.loads(Bits().enter_block(8).unabbreviated(1, range(9)).end_block().stream()).blocks[0].records[0]
    assert repr(long) == f"<Record 1 at bit {long.start}: [0, 1, 2, 3, 4, 5, 6, 7, ...]>"
    assert repr(stream) == f"<Bitstream LLVM IR, {len(stream.payload)} bytes>"


def test_headers() -> None:
    outer, last = example().blocks
    inner = outer.blocks[0]
    assert (outer.abbreviation_width, inner.abbreviation_width) == (4, 3)
    assert (outer.outer_width, inner.outer_width) == (2, 4)
    assert (outer.start, outer.body) == (32, 96)
    assert outer.end == outer.body + outer.size_in_words * 32 == last.start
    assert (inner.parent, outer.parent) == (outer, None)


def test_places_of_records() -> None:
    bits = Bits().enter_block(8, width=5)
    start = bits.size
    end = bits.unabbreviated(1, [2]).size
    record = bitstream.loads(bits.end_block().stream()).blocks[0].records[0]
    assert (record.start, record.end) == (start, end)


def test_a_record() -> None:
    stream = example()
    version, name, data = stream.blocks[0].records
    assert len(version) == 2
    assert (version[0], version[-1], version[1:]) == (2, 2**64 - 1, (2**64 - 1,))
    with pytest.raises(IndexError):
        _ = version[2]
    assert name.text == "abc"
    assert (version.blob, bytes(data.blob or b"")) == (None, b"bytes")
    assert data.operands == (40,)
    assert (version.abbreviation_id, name.abbreviation_id) == (3, 4)
    assert version.abbreviation is None
    assert name.abbreviation == Abbreviation.of(2, array, char6)
    assert data.abbreviation == Abbreviation.of(3, bitstream.vbr(6), blob)
    assert name.block == stream.blocks[0]
    assert name.stream is stream


def test_text_takes_the_low_byte_of_each_operand() -> None:
    """LLVM writes the characters of some strings sign-extended."""
    record = Bits().enter_block(8).unabbreviated(2, [0x41, 0xFFFF_FFC3, 2**64 - 0x57, 0xFF]).end_block()
    assert bitstream.loads(record.stream()).blocks[0].records[0].text == "A\u00e9\\xff"


def test_definitions_have_places() -> None:
    outer = example().blocks[0]
    assert [made.abbreviation for made in outer.definitions] == outer.abbreviations
    name, data = outer.definitions
    assert outer.records[0].end == name.start < name.end <= outer.blocks[0].start
    assert outer.records[1].end == data.start
    assert outer.blocks[0].definitions == []


def test_a_header_is_there_before_anything_is_decoded() -> None:
    """The stream is malformed inside its second block; the headers of both can be had, the error comes after."""
    bits = Bits().enter_block(8).unabbreviated(1, [2]).end_block().enter_block(9).id(6).end_block()
    stream = bitstream.loads(bits.stream())
    assert [(block.id, block.size_in_words) for block in stream.blocks] == [(8, 1), (9, 1)]
    with pytest.raises(BitstreamError, match="abbreviation id 6"):
        _ = stream.blocks[0].records
