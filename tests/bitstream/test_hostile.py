"""Files made to hurt: they cost no more memory than they have bytes, and end in an answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from amounts import amount
from bits import LLVM_IR, Bits, Field

from .forms import Form
from .outcomes import outcome

Peak = Callable[[Callable[[], object]], float]
MEGABYTES = 24.0
"""What a small file may cost: reading any stream takes a little, and the allocator some more."""


def small_files() -> dict[str, tuple[bytes, str]]:
    """Return files of a few bytes that speak of millions, and what has to be said of them."""

    def block() -> Bits:
        return Bits().enter_block(8)

    array: tuple[Field, ...] = (1, "array", ("fixed", 1))
    return {
        "operands": (block().id(3).vbr(1, 6).vbr(10**6, 6).stream(), "1000000 elements of 6 or more bits do not fit"),
        "2**64 operands": (block().id(3).vbr(1, 6).vbr(2**64 - 1, 6).stream(), "18446744073709551615 elements"),
        "elements": (block().define(*array).id(4).vbr(10**6, 6).stream(), "1000000 elements of 1 or more bits"),
        "2**63 elements": (block().define(*array).id(4).vbr(2**63, 6).stream(), "elements of 1 or more bits"),
        "char6": (block().define(1, "array", "char6").id(4).vbr(10**6, 6).stream(), "elements of 6 or more bits"),
        "abbreviation": (block().id(2).vbr(10**6, 5).stream(), "an abbreviation of 1000000 operands does not fit"),
        "2**64 fields": (block().id(2).vbr(2**64 - 1, 5).stream(), "an abbreviation of 18446744073709551615 operands"),
        "blob": (block().define(1, "blob").id(4).vbr(2**31, 6).stream(), "a blob of 2147483648 bytes does not fit"),
        "2**64 blob": (block().define(1, "blob").id(4).vbr(2**64 - 1, 6).stream(), "a blob of 18446744073709551615"),
        "literals": (block().define(1, "array", 7).id(4).vbr(10**6, 6).stream(), "whose elements take no bits"),
        "no width": (block().define(1, "array", ("fixed", 0)).id(4).vbr(10**6, 6).stream(), "take no bits"),
        "no vbr width": (block().define(1, "array", ("vbr", 0)).id(4).vbr(10**6, 6).stream(), "take no bits"),
        "overlong code": (block().id(3).raw(b"\xff" * 16).stream(), "a variable-width field is longer than 64 bits"),
        "overlong operand": (block().id(3).vbr(1, 6).vbr(1, 6).raw(b"\xff" * 16).stream(), "longer than 64 bits"),
        "overlong id": (Bits().id(1).raw(b"\xff" * 16).stream(), "a variable-width field is longer than 64 bits"),
        "overlong literal": (block().id(2).vbr(1, 5).fixed(1, 1).raw(b"\xff" * 16).stream(), "longer than 64 bits"),
        "metadata strings": (
            Bits().enter_block(15).define(35, ("vbr", 6), ("vbr", 6), "blob")
            .abbreviated(4, (35, ("vbr", 6), ("vbr", 6), "blob"), [35, 2**60, 4], bytes(8)).end_block().stream(),
            "the lengths of metadata strings exceed their blob",
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", small_files())
def test_counts_of_millions_in_a_few_bytes(form: Form, peak_megabytes: Peak, name: str) -> None:
    data, message = small_files()[name]
    assert len(data) < 64
    outcomes: list[object] = []
    assert peak_megabytes(lambda: outcomes.append(outcome(form, data))) < MEGABYTES
    assert message in str(outcomes[0])


def test_a_million_literals_used_a_million_times(form: Form, peak_megabytes: Peak) -> None:
    """A record of them takes three bits; a record may not be worth more operands than the file has bits."""
    literal = Bits(b"").fixed(1, 1).vbr(0, 8)
    bits = Bits().enter_block(8).id(2).vbr(100_000, 5).repeated(literal, 100_000)
    data = bits.repeated(Bits(b"").fixed(4, 3), 1_000_000).stream()
    errors: list[object] = []
    peak = peak_megabytes(lambda: errors.append(form.loads(data).decode().error))
    assert errors[0].reason == "the records have more operands than the data has bits"  # type: ignore[attr-defined]
    # 64 bits for each bit of the file, and as much again while the columns are enlarged.
    assert peak < 2.5 * 64 * len(data) / 2**20


@pytest.mark.parametrize("words", [0, 1, 2, 100, 2**31, 2**32 - 1])
def test_lengths_that_lie(form: Form, peak_megabytes: Peak, words: int) -> None:
    """END_BLOCK says where a block ends; the length is for those who pass it over, and they look how much there is."""
    bits = Bits().enter_block(8).enter_block(9).unabbreviated(1, [2]).end_block(words=words).unabbreviated(2, [3])
    data = bits.end_block().stream()
    stream = form.loads(data)
    assert peak_megabytes(lambda: outcome(form, data)) < MEGABYTES
    assert [record.operands for record in stream.blocks[0].records] == [(3,)]
    assert stream.blocks[0].blocks[0].records[0].operands == (2,)
    error = stream.decode(skipped={9}).error
    if words >= 100:
        assert (
            error.reason
            == f"block 9 is {words} words long, more than the rest of the data; the file seems to be cut off"
        )
        assert error.block_path == (8,)
    elif words == 1:
        assert error is None


@pytest.mark.parametrize("words", [1, 2**32 - 1])
def test_a_length_at_the_top_level_that_lies(form: Form, words: int) -> None:
    data = Bits().enter_block(8).unabbreviated(1, range(20)).end_block(words=words).stream()
    stream = form.loads(data)
    assert len(stream.columns.operands) == 20
    with pytest.raises(form.errors.BitstreamError):
        _ = stream.blocks
    with pytest.raises(form.errors.BitstreamError):
        stream.edit()


def nested(depth: int) -> bytes:
    """Return a stream of blocks inside of each other; made of words, as bit by bit would take long."""
    header = Bits(b"").fixed(1, 3).vbr(8, 8).vbr(3, 4).stream()
    lengths = [1 + 3 * inner for inner in reversed(range(depth))]
    first, *others = (length.to_bytes(4, "little") for length in lengths)
    opening = Bits().enter_block(8).stream()[:8] + first
    return opening + b"".join(header + length for length in others) + bytes(4 * depth)


def test_nesting_is_made_right() -> None:
    bits = Bits()
    for _ in range(3):
        bits.enter_block(8)
    assert nested(3) == bits.end_block().end_block().end_block().stream()


DEPTH = amount(8_000, 100_000)


def test_very_many_nested_blocks_decoded(form: Form, peak_megabytes: Peak) -> None:
    stream = form.loads(nested(DEPTH))
    assert peak_megabytes(lambda: stream.columns) < 64
    blocks = stream.columns.blocks
    assert len(blocks) == DEPTH
    assert list(blocks.parent) == list(range(-1, DEPTH - 1))
    assert form.encode(stream.payload, stream.columns) == stream.payload


def test_very_many_nested_blocks_counted_and_dumped(form: Form) -> None:
    stream = form.loads(nested(DEPTH))
    figures = form.statistics.block_statistics(stream.columns)[8]
    assert (figures.instances, figures.blocks) == (DEPTH, DEPTH - 1)
    size = lines = 0
    for chunk in form.dump.dump_chunks(stream.payload, stream.columns):
        size += len(chunk)
        lines += chunk.count(b"\n")
    assert lines == 2 * DEPTH
    # Blocks deeper than 256 are indented no further: the text is no square of the depth.
    assert size < 2 * DEPTH * 600


def test_very_many_nested_blocks_edited(form: Form) -> None:
    data = nested(DEPTH)
    draft = form.loads(data).edit()
    block = draft.blocks[0]
    while block.blocks:
        block = block.blocks[0]
    assert draft.dumps() == data
    block.items.append(form.DraftRecord(1, (2,)))
    columns = form.loads(draft.dumps()).columns
    assert (len(columns.blocks), list(columns.records.block)) == (DEPTH, [DEPTH - 1])
    assert columns.blocks.size_in_words[0] == 1 + 3 * (DEPTH - 1), "one record fits in the word of END_BLOCK"


def test_very_many_blocks_cut_off(form: Form) -> None:
    data = nested(DEPTH)[: -4 * DEPTH]
    error = form.loads(data).decode().error
    assert error.reason == "the stream ends inside this block; the file seems to be cut off"
    assert len(error.block_path) == DEPTH
    assert len(str(error)) < 200, "a trail of so many blocks is told by its ends"


def test_many_blockinfos(form: Form) -> None:
    one = Bits(b"").enter_block(0).unabbreviated(1, [8]).define(1, ("fixed", 3)).end_block()
    bits = Bits().repeated(one, 20_000).enter_block(8).abbreviated(4, (1, ("fixed", 3)), [1, 7]).end_block()
    stream = form.loads(bits.stream())
    assert stream.columns.operands[-1] == 7
    assert len(stream.columns.block_infos) == 20_000


@pytest.mark.parametrize("width", [0, 1, 33, 2**32, 2**64 - 1])
def test_widths_of_abbreviation_ids(form: Form, width: int) -> None:
    bits = Bits().id(1).vbr(8, 8).vbr(width, 4).align32().fixed(1, 32).fixed(0, 32)
    error = form.loads(bits.stream()).decode().error
    if width == 1:
        # A block that can hold but blocks, as there are two ids.
        assert error is None
    else:
        assert error.reason == f"block 8 has abbreviation ids of {width} bits, not 1 to 32"
        assert error.bit_offset == 32


def test_ids_of_32_bits(form: Form) -> None:
    bits = Bits().enter_block(8, width=32).define(1, ("fixed", 3)).abbreviated(4, (1, ("fixed", 3)), [1, 5])
    stream = form.loads(bits.unabbreviated(2, [6]).id(2**32 - 1).stream())
    columns = stream.decode()
    assert list(columns.operands) == [5, 6]
    assert "abbreviation id 4294967295 is not defined" in columns.error.reason


def test_nothing_but_ones(form: Form) -> None:
    found = outcome(form, LLVM_IR + b"\xff" * 10_000)
    assert "expected a block or the end, found 10000 more bytes" in str(found["checked"])
