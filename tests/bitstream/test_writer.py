"""Streams written from nothing: what was asked for is what the tests' own writer writes, and what LLVM would read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bits import Bits, Field

from .forms import Form
from .random_streams import BLOCKINFO, Limits, MadeBlock, StreamMaker


def abbreviation(form: Form, fields: Iterable[Field]) -> Any:
    """Return the abbreviation of these fields."""
    operands = [
        field if isinstance(field, int)
        else getattr(form, field) if isinstance(field, str)
        else getattr(form, field[0])(field[1])
        for field in fields
    ]  # fmt: skip
    return form.Abbreviation.of(*operands)


def write(writer: Any, blocks: Iterable[MadeBlock]) -> None:
    for block in blocks:
        with writer.block(block.id, width=block.width):
            for item in block.items:
                if isinstance(item, MadeBlock):
                    write(writer, [item])
                else:
                    writer.record(item.code, item.operands, abbreviation_id=item.abbreviation_id, blob=item.blob)


@given(random=st.randoms(use_true_random=False))
def test_unabbreviated_streams(form: Form, random: Random) -> None:
    made = StreamMaker(random, Limits(magics=(b"DIAG",), abbreviated=False))
    writer = form.Writer(b"DIAG")
    write(writer, made.blocks)
    assert writer.getvalue() == made.data


LAYOUTS: list[tuple[tuple[Field, ...], list[int], bytes | None]] = [
    ((1,), [1], None),
    ((1, 2**64 - 1), [1, 2**64 - 1], None),
    ((("fixed", 8), ("vbr", 6)), [255, 2**64 - 1], None),
    ((("vbr", 2), ("vbr", 32)), [2**32 - 1, 2**63], None),
    (("char6", "char6"), [ord("z"), ord("_")], None),
    ((1, ("fixed", 0), ("vbr", 0)), [1, 0, 0], None),
    ((1, ("fixed", 32), "array", ("fixed", 1)), [1, 2**32 - 1, 1, 0, 1], None),
    ((1, "array", ("vbr", 3)), [1, 2**64 - 1, 0], None),
    ((1, "array", "char6"), [1, *b"Text.txt_"], None),
    ((1, "array", "char6"), [1], None),
    ((1, "blob"), [1], b""),
    ((1, ("vbr", 6), "blob"), [1, 77], b"\x00\xffabc"),
]


@pytest.mark.parametrize(("fields", "values", "blob"), LAYOUTS, ids=lambda value: str(value)[:40])
def test_abbreviated_records(form: Form, fields: tuple[Field, ...], values: list[int], blob: bytes | None) -> None:
    bits = Bits().enter_block(8, width=5).define(*fields).abbreviated(4, fields, values, blob or b"")
    expected = bits.unabbreviated(9, [1]).end_block().stream()
    writer = form.Writer()
    with writer.block(8, width=5):
        assert writer.define(abbreviation(form, fields)) == 4
        writer.record(values[0], values[1:], abbreviation_id=4, blob=blob)
        writer.record(9, [1])
    assert writer.getvalue() == expected


def test_what_is_written_is_read(form: Form) -> None:
    writer = form.Writer(b"RMRK")
    with writer.block(8, width=4):
        own = writer.define(abbreviation(form, (3, "array", ("fixed", 7))))
        writer.record(3, b"text", abbreviation_id=own)
        with writer.block(9):
            writer.record(4, [2**64 - 1])
    stream = form.loads(writer.getvalue())
    assert stream.kind is form.StreamKind.LLVM_REMARKS
    outer = stream.blocks[0]
    assert [str(made) for made in outer.abbreviations] == ["[3, array, fixed(7)]"]
    assert outer.records[0].text == "text"
    assert outer.blocks[0].records[0].operands == (2**64 - 1,)


def test_blockinfo_gives_ids_to_blocks_to_come(form: Form) -> None:
    shared: tuple[Field, ...] = (1, ("fixed", 4))
    own: tuple[Field, ...] = (2, ("fixed", 5))
    bits = Bits().enter_block(BLOCKINFO).unabbreviated(1, [8]).define(*shared).end_block()
    bits.enter_block(8).define(*own).abbreviated(5, own, [2, 31]).abbreviated(4, shared, [1, 15]).end_block()
    writer = form.Writer()
    with writer.block(BLOCKINFO):
        writer.record(1, [8])
        assert writer.define(abbreviation(form, shared)) == 4
    with writer.block(8):
        assert writer.define(abbreviation(form, own)) == 5
        assert [str(made) for made in writer.abbreviations] == ["[1, fixed(4)]", "[2, fixed(5)]"]
        assert writer.find(abbreviation(form, shared)) == 4
        assert writer.find(abbreviation(form, (9,))) == 3
        assert str(writer.abbreviation(5)) == "[2, fixed(5)]"
        assert writer.abbreviation(6) is None
        writer.record(2, [31], abbreviation_id=5)
        writer.record(1, [15], abbreviation_id=4)
    assert writer.getvalue() == bits.stream()


def test_lengths_of_nested_blocks(form: Form) -> None:
    writer, bits = form.Writer(), Bits()
    for width in (3, 4, 5, 32):
        writer.enter_block(100 + width, width=width)
        bits.enter_block(100 + width, width=width)
    for code in (1, 2, 3, 4):
        writer.record(code, range(code))
        writer.end_block()
        bits.unabbreviated(code, range(code)).end_block()
    assert writer.getvalue() == bits.stream()


def test_position(form: Form) -> None:
    writer = form.Writer()
    assert (writer.bit_offset, writer.width, writer.abbreviations) == (32, 2, [])
    writer.enter_block(8, width=7)
    assert (writer.bit_offset, writer.width) == (96, 7)
    writer.record(1, [2])
    assert writer.bit_offset == 96 + 7 + 18


def refusals() -> dict[str, tuple[Callable[[Form, Any], object], str]]:
    """Return calls that have to be refused, and why; a block of id 8 with abbreviation 4, [1, fixed(3)], is open."""
    return {
        "operand": (lambda _, writer: writer.record(1, [2**64]), "an operand is not in 0..2**64-1"),
        "negative operand": (lambda _, writer: writer.record(1, [-1]), "an operand is not in 0..2**64-1"),
        "code": (lambda _, writer: writer.record(2**32), "record code 4294967296 is not in 0..2**32-1"),
        "negative code": (lambda _, writer: writer.record(-1), "record code -1 is not in 0..2**32-1"),
        "undefined": (lambda _, writer: writer.record(1, [2], abbreviation_id=5), "id 5 is not defined in this block"),
        "builtin": (lambda _, writer: writer.record(1, [2], abbreviation_id=0), "id 0 is not defined in this block"),
        "width": (lambda _, writer: writer.record(1, [8], abbreviation_id=4), "8 does not fit in a field of 3 bits"),
        "literal": (
            lambda _, writer: writer.record(2, [2], abbreviation_id=4),
            "expected 1, a literal of the abbreviation, found 2",
        ),
        "fewer": (lambda _, writer: writer.record(1, [], abbreviation_id=4), "fewer operands than its abbreviation"),
        "more": (lambda _, writer: writer.record(1, [1, 2, 3], abbreviation_id=4), "has 2 operands more than"),
        "blob": (lambda _, writer: writer.record(1, [1], abbreviation_id=4, blob=b""), "its abbreviation does not"),
        "bare blob": (lambda _, writer: writer.record(1, [1], blob=b""), "an unabbreviated record has no blob"),
        "block id": (lambda _, writer: writer.enter_block(2**32), "block id 4294967296 is not in"),
        "block width": (lambda _, writer: writer.enter_block(8, width=33), "ids of 33 bits; 1 to 32 is valid"),
        "no width": (lambda _, writer: writer.enter_block(8, width=0), "ids of 0 bits; 1 to 32 is valid"),
        "flaw": (lambda form, writer: writer.define(abbreviation(form, (1, "array"))), "[1, array] has an array"),
        "empty": (lambda form, writer: writer.define(abbreviation(form, ())), "has no operands"),
        "wide": (lambda form, writer: writer.define(abbreviation(form, (("vbr", 33),))), "more than 32 bits"),
        "long literal": (lambda form, writer: writer.define(abbreviation(form, (2**64,))), "not in 0..2"),
        "open": (lambda _, writer: writer.getvalue(), "block 8 has not been ended"),
    }


@pytest.mark.parametrize("name", refusals())
def test_refused_and_nothing_written(form: Form, name: str) -> None:
    call, reason = refusals()[name]
    writer = form.Writer()
    writer.enter_block(8)
    writer.define(abbreviation(form, (1, ("fixed", 3))))
    before = writer.bit_offset
    with pytest.raises(form.errors.EncodingError, match=re.escape(reason)):
        call(form, writer)
    assert writer.bit_offset == before
    writer.record(7, [1])
    writer.end_block()
    expected = Bits().enter_block(8).define(1, ("fixed", 3)).unabbreviated(7, [1]).end_block()
    assert writer.getvalue() == expected.stream()


@pytest.mark.parametrize(
    ("fields", "values", "reason"),
    [
        ((1, ("vbr", 1)), [1, 1], "cannot be written in groups of 1 bit"),
        ((1, ("vbr", 0)), [1, 1], "expected 0, a literal of the abbreviation, found 1"),
        ((1, "char6"), [1, ord("-")], "45 is not one of the 64 characters of char6"),
        ((1, "array", "char6"), [1, ord("a"), 2**40], "not one of the 64 characters"),
        ((1, "array", ("fixed", 3)), [1, 7, 8], "8 does not fit in a field of 3 bits"),
        ((1, "blob"), [1], "has no blob, but its abbreviation has one"),
    ],
)
def test_what_an_abbreviation_cannot_express(
    form: Form, fields: tuple[Field, ...], values: list[int], reason: str
) -> None:
    writer = form.Writer()
    with writer.block(8):
        writer.define(abbreviation(form, fields))
        before = writer.bit_offset
        with pytest.raises(form.errors.EncodingError, match=re.escape(reason)):
            writer.record(values[0], values[1:], abbreviation_id=4)
        assert writer.bit_offset == before


def outside() -> list[Callable[[Form, Any], object]]:
    return [
        lambda _, writer: writer.record(1),
        lambda form, writer: writer.define(abbreviation(form, (1,))),
        lambda form, writer: writer.find(abbreviation(form, (1,))),
        lambda _, writer: writer.abbreviation(4),
        lambda _, writer: writer.end_block(),
    ]


@pytest.mark.parametrize("number", range(5))
def test_records_and_abbreviations_stand_in_blocks(form: Form, number: int) -> None:
    writer = form.Writer()
    with pytest.raises(form.errors.EncodingError, match="no block has been entered"):
        outside()[number](form, writer)
    assert writer.getvalue() == b"BC\xc0\xde"


def test_a_definition_in_blockinfo_needs_to_know_for_whom(form: Form) -> None:
    writer = form.Writer()
    writer.enter_block(BLOCKINFO)
    with pytest.raises(form.errors.EncodingError, match="a SETBID record has to come before"):
        writer.define(abbreviation(form, (1,)))


def test_an_encoding_error_is_a_value_error(form: Form) -> None:
    assert issubclass(form.errors.EncodingError, ValueError)
    assert issubclass(form.errors.EncodingError, form.errors.BitcodecError)


@pytest.mark.parametrize("bit_offset", [-32, -1, 1 << 20, 1 << 62])
def test_words_that_have_not_been_written_cannot_be_patched(form: Form, bit_offset: int) -> None:
    writer = form.Writer()
    with writer.block(8):
        writer.record(1, [2])
        before = writer.bit_offset
        with pytest.raises(form.errors.EncodingError, match="no 32 bits have been written"):
            writer.patch(bit_offset, 7)
        assert writer.bit_offset == before
    assert writer.getvalue() == Bits().enter_block(8, width=3).unabbreviated(1, [2]).end_block().stream()


@pytest.mark.parametrize("word", [-1, 1 << 32])
def test_words_that_are_no_32_bits_cannot_be_patched(form: Form, word: int) -> None:
    writer = form.Writer()
    with pytest.raises(form.errors.EncodingError, match=r"is not in 0\.\.2"):
        writer.patch(0, word)


@pytest.mark.parametrize(("start", "end"), [(-1, 8), (8, 0), (0, 65), (0, 1 << 62), (1 << 62, 1 << 62)])
def test_bits_that_are_not_there_cannot_be_copied(form: Form, start: int, end: int) -> None:
    with pytest.raises(form.errors.EncodingError, match="are not in 8 bytes"):
        form.Writer().copy(memoryview(bytes(8)), start, end)
