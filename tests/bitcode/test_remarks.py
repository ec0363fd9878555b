"""What a dump remarks about records of LLVM IR: metadata strings, and whether the index is right."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bitcodec import bitstream
from bitcodec.bitcode.remarks import DumpRemarks
from bitcodec.bitstream.dump import dump_chunks
from bitcodec.errors import BitstreamError
from bits import Bits

METADATA = 15
STRINGS, INDEX_OFFSET, INDEX = 35, 38, 39
STRINGS_FIELDS = (STRINGS, ("vbr", 6), ("vbr", 6), "blob")


def text_of(bits: Bits) -> str:
    stream = bitstream.loads(bits.stream())
    columns = stream.decode()
    return b"".join(dump_chunks(stream.payload, columns, remarks=DumpRemarks(stream.payload, columns))).decode(
        "latin-1"
    )


def lengths(*sizes: int) -> bytes:
    """Return sizes as vbr6, filled up to a whole word."""
    bits = Bits(b"")
    for size in sizes:
        bits.vbr(size, 6)
    return bits.stream()


def strings(*texts: bytes, count: int | None = None, characters: int | None = None) -> Bits:
    """Return a metadata block of one record of strings, nothing else."""
    sizes = lengths(*map(len, texts))
    operands = [len(texts) if count is None else count, len(sizes) if characters is None else characters]
    bits = Bits().enter_block(METADATA).define(*STRINGS_FIELDS)
    return bits.abbreviated(4, STRINGS_FIELDS, [STRINGS, *operands], sizes + b"".join(texts)).end_block()


def test_metadata_strings_are_shown_one_a_line() -> None:
    lines = text_of(strings(b"first", b"", b"x" * 70)).splitlines()
    assert lines[1:-1] == [
        "  <UnknownCode35 abbrevid=4 op0=3 op1=4/> num-strings = 3 {",
        "    'first'",
        "    ''",
        f"    '{'x' * 70}'",
        "  }",
    ]


def test_metadata_strings_are_escaped() -> None:
    lines = text_of(strings(b"a\n\t\"'\\\x00\xff")).splitlines()
    assert lines[2] == "    'a\\n\\t\\\"'\\\\\\x00\\xFF'"


@pytest.mark.parametrize(("count", "characters"), [(None, 100), (None, 2**63), (1, 0)])
def test_counts_that_lie_are_refused(count: int | None, characters: int | None) -> None:
    bits = strings(b"abc", count=count, characters=characters)
    (record,) = bitstream.loads(bits.stream()).columns.records.start
    with pytest.raises(BitstreamError) as caught:
        text_of(bits)
    assert caught.value.bit_offset == record


def test_more_strings_than_lengths_are_refused_with_the_place_of_the_record() -> None:
    with pytest.raises(BitstreamError) as caught:
        text_of(strings(b"abc", count=2**40))
    assert caught.value.bit_offset > 96


def test_the_error_tells_the_block() -> None:
    with pytest.raises(BitstreamError) as caught:
        text_of(strings(b"abc", characters=100))
    assert caught.value.block_path == (METADATA,)


def test_a_length_beyond_the_blob_is_refused() -> None:
    sizes = lengths(100)
    bits = Bits().enter_block(METADATA).define(*STRINGS_FIELDS)
    bits.abbreviated(4, STRINGS_FIELDS, [STRINGS, 1, len(sizes)], sizes + b"short").end_block()
    with pytest.raises(BitstreamError, match="lengths of metadata strings exceed their blob"):
        text_of(bits)


def indexed(*, offset: int = 0, first: int = 0) -> Bits:
    """Return a metadata block with an index of two records; `offset` and `first` spoil it."""
    fields = (INDEX_OFFSET, ("fixed", 32), ("fixed", 32))
    nodes = Bits(b"").enter_block(METADATA)  # how far apart the records are, found out beforehand
    starts = [nodes.size]
    for node in range(2):
        nodes.unabbreviated(3, [node])
        starts.append(nodes.size)
    bits = Bits().enter_block(METADATA).define(*fields)
    bits.abbreviated(4, fields, [INDEX_OFFSET, starts[-1] - starts[0] + offset, 0])
    for node in range(2):
        bits.unabbreviated(3, [node])
    sizes = [after - before for before, after in pairwise(starts)]
    return bits.unabbreviated(INDEX, [sizes[0] + first, sizes[1]]).end_block()


def index_line(bits: Bits) -> str:
    (line,) = (line for line in text_of(bits).splitlines() if "<UnknownCode39 " in line)
    return line


def test_an_index_that_is_where_it_should_be() -> None:
    assert index_line(indexed()).endswith(" (offset match)/>")


@pytest.mark.parametrize("offset", [1, -1, 32, 1 << 20])
def test_an_index_that_is_elsewhere(offset: int) -> None:
    bits = indexed(offset=offset)
    line = index_line(bits)
    expected, _, actual = line.partition(" (offset mismatch: ")[2].removesuffix(")/>").partition(" vs ")
    assert int(expected) - int(actual) == offset
    columns = bitstream.loads(bits.stream()).decode()
    starts = dict(zip(columns.records.code, columns.records.start, strict=True))
    assert int(actual) == starts[INDEX]


def test_an_index_without_its_offset() -> None:
    bits = Bits().enter_block(METADATA).unabbreviated(INDEX, [1]).end_block()
    assert index_line(bits).endswith(" (offset mismatch: 0 vs 96)/>")


@pytest.mark.parametrize("operands", [[], [1], [1, 2, 3]])
def test_an_offset_of_other_than_two_operands_is_said_to_be_invalid(operands: list[int]) -> None:
    bits = Bits().enter_block(METADATA).unabbreviated(INDEX_OFFSET, operands).end_block()
    assert "(Invalid record)" in text_of(bits)


@pytest.mark.parametrize("block_id", [8, 12, 22, 99])
def test_in_other_blocks_such_records_are_nothing_special(block_id: int) -> None:
    fields = (STRINGS, ("vbr", 6), ("vbr", 6), "blob")
    bits = Bits().enter_block(block_id).define(*fields).abbreviated(4, fields, [STRINGS, 1, 4], b"text")
    bits.unabbreviated(INDEX, [1]).end_block()
    text = text_of(bits)
    assert " blob data = 'text'" in text
    assert "num-strings" not in text
    assert "offset" not in text
