"""Copying the content of a block: what is replaced, what keeps its place within a word, and where records begin."""

from __future__ import annotations

import pytest

from bitcodec.bitstream import Abbreviation, Bitstream, Writer, array, blob, fixed, loads
from bitcodec.bitstream.copying import BlockCopier

OUTER, INNER = 8, 9
OPERAND_BITS = 5


def stream_of(*, with_blob: bool = False) -> Bitstream:
    """Return a block of a record, a definition, a record that uses it, a block, and a record."""
    writer = Writer()
    with writer.block(OUTER, width=3):
        writer.record(1, [2])
        number = writer.define(Abbreviation([fixed(6), array, fixed(OPERAND_BITS)]))
        writer.record(2, [3, 4], abbreviation_id=number)
        with writer.block(INNER, width=4):
            writer.record(5, [6])
        if with_blob:
            number = writer.define(Abbreviation([fixed(6), blob]))
            writer.record(7, abbreviation_id=number, blob=b"bytes")
        writer.record(8, [9])
    return loads(writer.getvalue())


def items(stream: Bitstream) -> list[object]:
    (block,) = stream.blocks
    (inner,) = block.blocks
    return [(each.code, each.operands, each.abbreviation) for each in (*block.records, *inner.records)]


def copier_of(stream: Bitstream, writer: Writer) -> BlockCopier:
    return BlockCopier(stream.payload, stream.columns, 0, writer)


@pytest.mark.parametrize("with_blob", [False, True])
def test_a_block_without_changes_is_the_same(with_blob: bool) -> None:
    stream, writer = stream_of(with_blob=with_blob), Writer()
    with writer.block(OUTER, width=3):
        copier_of(stream, writer).copy_rest()
    assert writer.getvalue() == stream.data


@pytest.mark.parametrize("operands", [[], [1], [1 << 40], [1, 2, 3]])
def test_what_follows_a_replaced_record_moves(operands: list[int]) -> None:
    stream, writer = stream_of(), Writer()
    with writer.block(OUTER, width=3):
        copier = copier_of(stream, writer)
        copier.replace(0, 1, operands)
        copier.copy_rest()
    copy = loads(writer.getvalue())
    assert items(copy) == [(1, tuple(operands), None), *items(stream)[1:]]
    rows = range(copy.columns.blocks.first_record[1])
    assert copier.places(rows) == [copy.columns.records.start[row] for row in rows]


def test_a_record_keeps_its_abbreviation() -> None:
    stream, writer = stream_of(), Writer()
    with writer.block(OUTER, width=3):
        copier = copier_of(stream, writer)
        copier.replace_operands(0, [2])
        copier.replace_operands(1, [30, 31, 1])
        copier.copy_rest()
    copy = loads(writer.getvalue())
    (_, _, abbreviation) = items(stream)[1]  # type: ignore[misc]
    assert items(copy) == [items(stream)[0], (2, (30, 31, 1), abbreviation), *items(stream)[2:]]


def test_a_part_that_is_skipped_is_left_out() -> None:
    stream, writer = stream_of(), Writer()
    with writer.block(OUTER, width=3):
        copier = copier_of(stream, writer)
        (inner,) = stream.blocks[0].blocks
        copier.copy_to(inner.start)
        copier.skip_to(inner.end)
        copier.copy_rest()
    (block,) = loads(writer.getvalue()).blocks
    assert not block.blocks
    assert [record.code for record in block.records] == [1, 2, 8]


def test_a_blob_stays_aligned() -> None:
    stream, writer = stream_of(with_blob=True), Writer()
    with writer.block(OUTER, width=3):
        copier = copier_of(stream, writer)
        copier.replace(0, 1, [1 << 40])
        copier.copy_rest()  # the inner block in between ends at a whole word
    assert items(loads(writer.getvalue()))[1:] == items(stream)[1:]


def test_a_blob_that_would_be_shifted_is_aligned_again() -> None:
    writer = Writer()
    with writer.block(OUTER, width=3):
        writer.record(1, [2])
        number = writer.define(Abbreviation([fixed(6), blob]))
        writer.record(7, abbreviation_id=number, blob=b"bytes")
        writer.record(8, [9])
    stream, writer = loads(writer.getvalue()), Writer()
    with writer.block(OUTER, width=3):
        copier = copier_of(stream, writer)
        copier.replace(0, 1, [])
        copier.copy_rest()
    copy = loads(writer.getvalue())
    assert [(each.code, each.operands, each.blob) for each in copy.blocks[0].records] == [
        (1, (), None),
        (7, (), b"bytes"),
        (8, (9,), None),
    ]
    assert copier.places(range(3)) == [copy.columns.records.start[row] for row in range(3)]
