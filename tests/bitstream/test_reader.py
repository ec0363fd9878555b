"""Streams decoded: what was put in is what is found, and what is wrong is said with its place."""

from __future__ import annotations

import gc
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amounts import amount
from bitcodec.bitstream.decoding import decode
from bits import Bits, Field

from .forms import Form
from .random_streams import MadeBlock, MadeRecord, StreamMaker


def as_made(blocks: list[Any], form: Form) -> list[MadeBlock]:
    """Return blocks that were decoded in the form in which `StreamMaker` notes them, abbreviations left out."""
    made = []
    for block in blocks:
        items = [
            as_made([item], form)[0]
            if isinstance(item, form.Block)
            else MadeRecord(
                item.code, item.operands, item.abbreviation_id, None if item.blob is None else bytes(item.blob)
            )
            for item in block
        ]
        made.append(MadeBlock(block.id, block.abbreviation_width, items))
    return made


def without_abbreviations(blocks: list[MadeBlock]) -> list[MadeBlock]:
    return [
        MadeBlock(
            block.id,
            block.width,
            [without_abbreviations([item])[0] if isinstance(item, MadeBlock) else item for item in block.items],
        )
        for block in blocks
    ]


@given(random=st.randoms(use_true_random=False))
def test_any_stream(form: Form, random: Random) -> None:
    made = StreamMaker(random)
    assert as_made(form.loads(made.data).blocks, form) == without_abbreviations(made.blocks)


@pytest.mark.parametrize("seed", range(amount(20, 60)))
def test_streams_at_random(form: Form, seed: int) -> None:
    """Hypothesis likes small streams; these are larger."""
    made = StreamMaker(Random(seed))
    stream = form.loads(made.data)
    assert as_made(stream.blocks, form) == without_abbreviations(made.blocks)
    assert form.encode(stream.payload, stream.columns) == made.data


def abbreviations_of(blocks: list[Any]) -> list[str]:
    return [str(one) for block in blocks for one in [*block.abbreviations, *abbreviations_of(block.blocks)]]


def test_abbreviations_are_as_defined(form: Form) -> None:
    fields: tuple[Field, ...] = (2**64 - 1, ("fixed", 0), ("fixed", 32), ("vbr", 0), ("vbr", 32), "array", "char6")
    bits = Bits().enter_block(8).define(*fields).define(1, "blob").end_block()
    assert abbreviations_of(form.loads(bits.stream()).blocks) == [
        "[18446744073709551615, fixed(0), fixed(32), vbr(0), vbr(32), array, char6]",
        "[1, blob]",
    ]


def test_fields_of_width_zero_are_zeros_and_take_no_bits(form: Form) -> None:
    fields: tuple[Field, ...] = (("fixed", 8), ("vbr", 0), ("fixed", 0), ("fixed", 4), ("vbr", 0))
    bits = Bits().enter_block(8).define(*fields).abbreviated(4, fields, [200, 0, 0, 13, 0]).end_block()
    record = form.loads(bits.stream()).blocks[0].records[0]
    assert (record.code, record.operands) == (200, (0, 0, 13, 0))
    assert record.end - record.start == 3 + 8 + 4


def test_a_vbr_of_one_bit_groups_is_zero(form: Form) -> None:
    """Each group has room for the mark that one more follows, and for nothing else."""
    fields: tuple[Field, ...] = (1, ("vbr", 1), "array", ("vbr", 1))
    bits = Bits().enter_block(8).define(*fields)
    bits.id(4).fixed(0b0111, 4).vbr(3, 6).fixed(0b0_10_0, 4).end_block()
    assert form.loads(bits.stream()).blocks[0].records[0].operands == (0, 0, 0, 0)


def malformed(*, block: Callable[[Bits], object], inside: tuple[int, ...] = (8,)) -> tuple[bytes, int]:
    """Return a stream with something wrong at the end of nested blocks, and where that begins."""
    bits = Bits()
    for block_id in inside:
        bits.enter_block(block_id)
    start = bits.size
    block(bits)
    return bits.stream(), start


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        (lambda bits: bits.id(4), "abbreviation id 4 is not defined in this block; none is"),
        (lambda bits: bits.id(7), "abbreviation id 7 is not defined in this block; none is"),
        (lambda bits: bits.id(1).vbr(9, 8).vbr(0, 4).align32().fixed(0, 32), "block 9 has abbreviation ids of 0 bits"),
        (
            lambda bits: bits.id(1).vbr(9, 8).vbr(33, 4).align32().fixed(0, 32),
            "block 9 has abbreviation ids of 33 bits",
        ),
        (lambda bits: bits.id(1).vbr(2**32, 8).vbr(3, 4).align32().fixed(0, 32), "block id 4294967296 is wider than"),
        (lambda bits: bits.id(2).vbr(0, 5), "an abbreviation has no operands"),
        (lambda bits: bits.id(2).vbr(1, 5).fixed(0, 1).fixed(0, 3), "an operand of unknown encoding 0"),
        (lambda bits: bits.id(2).vbr(1, 5).fixed(0, 1).fixed(6, 3), "an operand of unknown encoding 6"),
        (lambda bits: bits.id(2).vbr(1, 5).fixed(0, 1).fixed(7, 3), "an operand of unknown encoding 7"),
        (lambda bits: bits.define(("fixed", 33)), "a field of 33 bits, more than 32"),
        (lambda bits: bits.define(("vbr", 2**40)), f"a field of {2**40} bits, more than 32"),
        (lambda bits: bits.unabbreviated(2**32, []), "record code 4294967296 is wider than 32 bits"),
        (
            lambda bits: bits.id(3).vbr(1, 6).vbr(2**63, 6),
            "elements of 6 or more bits do not fit in the rest of the data",
        ),
    ],
)
def test_what_is_wrong_and_where(form: Form, block: Callable[[Bits], object], reason: str) -> None:
    data, start = malformed(block=block, inside=(8, 12))
    stream = form.loads(data)
    error = stream.decode().error
    assert reason in error.reason
    # An array names its own place, behind the code; everything else the item it is in.
    assert start <= error.bit_offset <= start + (0 if "elements" not in reason else 100)
    assert error.block_path == (8, 12)
    with pytest.raises(form.errors.BitstreamError) as caught:
        _ = stream.columns
    assert str(caught.value) == f"{error.reason} (bit {error.bit_offset}, block 8 > block 12)"


@pytest.mark.parametrize(
    ("fields", "flaw"),
    [
        ((1, "array", "char6", "char6"), "has an array that is not second to last"),
        ((1, "array", 7), "has an array whose elements take no bits"),
        ((1, "array", ("fixed", 0)), "has an array whose elements take no bits"),
        ((1, "array", "blob"), "has an array of arrays or blobs"),
        ((1, "blob", 2), "has a blob that is not last"),
        (("array", "char6"), "starts with an array or a blob"),
    ],
)
def test_an_abbreviation_of_no_use_is_refused_when_used(form: Form, fields: tuple[Field, ...], flaw: str) -> None:
    bits = Bits().enter_block(8).define(*fields).unabbreviated(1, [2])
    start = bits.size
    columns = form.loads(bits.id(4).raw(bytes(8)).stream()).decode()
    assert columns.error.reason == f"the record's abbreviation {flaw}"
    assert columns.error.bit_offset == start
    assert list(columns.operands) == [2], "what came before is kept"


def test_an_abbreviation_of_no_use_may_be_defined(form: Form) -> None:
    bits = Bits().enter_block(8).define(1, "array", 7).define("blob").unabbreviated(1, [2]).end_block()
    stream = form.loads(bits.stream())
    assert stream.blocks[0].records[0].operands == (2,)
    assert form.encode(stream.payload, stream.columns) == bits.stream()


def test_more_than_the_data_holds(form: Form) -> None:
    bits = Bits().enter_block(8).define(1, "blob").id(4).vbr(9, 6).align32().raw(bytes(8))
    error = form.loads(bits.stream()).decode().error
    assert error.reason == "a blob of 9 bytes does not fit in the rest of the data"


def test_what_came_before_an_error_is_kept(form: Form) -> None:
    bits = Bits().enter_block(8).unabbreviated(1, [10, 20]).enter_block(9).unabbreviated(2, [30]).id(5)
    columns = form.loads(bits.stream()).decode()
    assert list(columns.operands) == [10, 20, 30]
    assert list(columns.records.block) == [0, 1]
    assert list(columns.blocks.last_record) == [2, 2], "blocks that are open reach to what was read"
    assert list(columns.blocks.end) == [0, 0], "but have no end"


def test_nothing_waits_for_the_collection_of_cycles() -> None:
    data = memoryview(Bits().enter_block(8).unabbreviated(1, [10, 20]).end_block().stream())
    gc.collect()
    columns = decode(data)
    assert gc.collect() == 0
    assert list(columns.operands) == [10, 20]
