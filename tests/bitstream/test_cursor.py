"""Bits read one field at a time: what is written with the tests' own writer is what comes out."""

from __future__ import annotations

import array
import mmap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bits import CHARACTERS, Bits

from .forms import Form

MAX_UINT64 = 2**64 - 1
EDGES = [0, 1, 2, 31, 32, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, MAX_UINT64]

numbers = st.one_of(st.integers(0, MAX_UINT64), st.sampled_from(EDGES))
fixed_fields = st.integers(0, 64).flatmap(lambda width: st.tuples(st.integers(0, 2**width - 1), st.just(width)))
vbr_fields = st.tuples(numbers, st.integers(2, 32))


def written(bits: Bits) -> bytes:
    return bits.stream()


@given(fields=st.lists(fixed_fields, min_size=1, max_size=20))
def test_fixed_fields(form: Form, fields: list[tuple[int, int]]) -> None:
    bits = Bits(b"")
    for value, width in fields:
        bits.fixed(value, width)
    cursor = form.Cursor(written(bits))
    assert [cursor.read_fixed(width) for _, width in fields] == [value for value, _ in fields]
    assert cursor.bit_offset == sum(width for _, width in fields)


@given(fields=st.lists(vbr_fields, min_size=1, max_size=20), shift=st.integers(0, 31))
def test_vbr_fields(form: Form, fields: list[tuple[int, int]], shift: int) -> None:
    bits = Bits(b"").fixed(0, shift)
    for value, width in fields:
        bits.vbr(value, width)
    size = bits.size
    cursor = form.Cursor(written(bits))
    cursor.skip_to(shift)
    assert [cursor.read_vbr(width) for _, width in fields] == [value for value, _ in fields]
    assert cursor.bit_offset == size


@given(values=st.lists(numbers, max_size=20), width=st.integers(2, 32))
def test_several_vbr_fields(form: Form, values: list[int], width: int) -> None:
    bits = Bits(b"")
    for value in values:
        bits.vbr(value, width)
    size = bits.size
    cursor = form.Cursor(written(bits))
    assert cursor.read_vbrs(width, len(values)) == values
    assert cursor.bit_offset == size


@given(text=st.text(st.sampled_from(CHARACTERS), max_size=40))
def test_char6(form: Form, text: str) -> None:
    bits = Bits(b"")
    for character in text:
        bits.char6(character)
    cursor = form.Cursor(written(bits))
    assert "".join(cursor.read_char6() for _ in text) == text


@pytest.mark.parametrize("value", EDGES)
@pytest.mark.parametrize("width", [2, 5, 8, 31, 32])
def test_vbr_edges(form: Form, value: int, width: int) -> None:
    assert form.Cursor(Bits(b"").vbr(value, width).stream()).read_vbr(width) == value


def test_vbr_drops_what_exceeds_64_bits_in_its_last_group(form: Form) -> None:
    """LLVM's reader does so too: the last of thirteen groups of vbr6 has bits 60 to 64, one more than there are."""
    groups = Bits(b"")
    for _ in range(12):
        groups.fixed(0b111111, 6)
    assert form.Cursor(groups.fixed(0b011111, 6).stream()).read_vbr(6) == MAX_UINT64


@pytest.mark.parametrize("width", [2, 6, 32])
def test_an_overlong_vbr_is_refused_at_its_start(form: Form, width: int) -> None:
    cursor = form.Cursor(Bits(b"").fixed(0, 5).raw(b"\xff" * 60).stream())
    cursor.skip_to(5)
    with pytest.raises(form.errors.BitstreamError, match="longer than 64 bits") as caught:
        cursor.read_vbr(width)
    assert caught.value.bit_offset == 5


@pytest.mark.parametrize(("size", "read"), [(0, 0), (1, 1), (4, 32), (5, 40), (9, 64)])
def test_everything_can_be_read_and_no_bit_more(form: Form, size: int, read: int) -> None:
    cursor = form.Cursor(b"\xff" * size)
    cursor.skip_to(size * 8 - read)
    assert cursor.read_fixed(read) == 2**read - 1
    with pytest.raises(form.errors.BitstreamError, match="the data ends inside this field") as caught:
        cursor.read_fixed(1)
    assert caught.value.bit_offset == size * 8


def test_a_field_across_the_end_names_its_start(form: Form) -> None:
    cursor = form.Cursor(b"\xff\xff")
    assert cursor.read_fixed(10) == 1023
    with pytest.raises(form.errors.BitstreamError) as caught:
        cursor.read_vbr(6)
    assert caught.value.bit_offset == 10
    assert caught.value.block_path == ()


@pytest.mark.parametrize("width", [-1, 65, 1000])
def test_fixed_width_out_of_range(form: Form, width: int) -> None:
    with pytest.raises(ValueError, match=f"width {width} is not in 0..64"):
        form.Cursor(bytes(200)).read_fixed(width)


@pytest.mark.parametrize("width", [-1, 0, 1, 33])
def test_vbr_width_out_of_range(form: Form, width: int) -> None:
    with pytest.raises(ValueError, match=f"group width {width} is not in 2..32"):
        form.Cursor(bytes(200)).read_vbr(width)


@pytest.mark.parametrize(("start", "aligned"), [(0, 0), (1, 32), (31, 32), (32, 32), (33, 64), (64, 64)])
def test_align32(form: Form, start: int, aligned: int) -> None:
    cursor = form.Cursor(bytes(8))
    cursor.skip_to(start)
    cursor.align32()
    assert cursor.bit_offset == aligned


def test_align32_past_the_end(form: Form) -> None:
    cursor = form.Cursor(bytes(5))
    cursor.skip_to(33)
    with pytest.raises(form.errors.BitstreamError, match="bit 64 lies outside the data"):
        cursor.align32()
    assert cursor.bit_offset == 33


@pytest.mark.parametrize("bit_offset", [-1, 41, 2**40])
def test_skipping_outside_the_data(form: Form, bit_offset: int) -> None:
    cursor = form.Cursor(bytes(5))
    cursor.skip_to(40)
    with pytest.raises(form.errors.BitstreamError, match="lies outside the data"):
        cursor.skip_to(bit_offset)
    assert cursor.bit_offset == 40


def test_position_and_size_can_be_read_only(form: Form) -> None:
    cursor = form.Cursor(bytes(6))
    assert (cursor.bit_offset, cursor.size_in_bits) == (0, 48)


def test_any_buffer_will_do(form: Form) -> None:
    data = bytes(range(16))
    memory = mmap.mmap(-1, 16)
    memory[:] = data
    for buffer in (data, bytearray(data), memoryview(data), array.array("B", data), memory):
        cursor = form.Cursor(buffer)
        cursor.skip_to(4)
        assert cursor.read_fixed(64) == int.from_bytes(data, "little") >> 4 & MAX_UINT64
        del cursor
    memory.close()


def test_a_cursor_goes_on_after_an_error(form: Form) -> None:
    cursor = form.Cursor(b"\xff" * 60)
    with pytest.raises(form.errors.BitstreamError):
        cursor.read_vbr(6)
    cursor.skip_to(0)
    assert cursor.read_fixed(8) == 255


def test_a_cursor_goes_on_after_the_end(form: Form) -> None:
    cursor = form.Cursor(b"\xff" * 4)
    with pytest.raises(form.errors.BitstreamError):
        cursor.read_fixed(33)
    cursor.skip_to(24)
    assert cursor.read_fixed(8) == 255
