"""Bits written one field at a time: the bytes are those that the tests' own writer gives."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bits import Bits

from .forms import Form
from .test_cursor import EDGES, fixed_fields, vbr_fields

fields = st.lists(
    st.one_of(
        fixed_fields.map(lambda field: ("fixed", *field)),
        vbr_fields.map(lambda field: ("vbr", *field)),
        st.just(("align", 0, 0)),
    ),
    max_size=25,
)


def write(form: Form, made: list[tuple[str, int, int]]) -> bytes:
    writer = form.bitwriter.BitWriter()
    for kind, value, width in made:
        if kind == "fixed":
            writer.write_fixed(value, width)
        elif kind == "vbr":
            writer.write_vbr(value, width)
        else:
            writer.align32()
    writer.align32()
    return bytes(writer.getvalue())


@given(made=fields)
def test_fields_are_written_as_by_the_other_writer(form: Form, made: list[tuple[str, int, int]]) -> None:
    bits = Bits(b"")
    for kind, value, width in made:
        if kind == "fixed":
            bits.fixed(value, width)
        elif kind == "vbr":
            bits.vbr(value, width)
        else:
            bits.align32()
    assert write(form, made) == (bits.stream() if bits.size else b"")


@given(made=fields)
def test_the_cursor_reads_back_what_was_written(form: Form, made: list[tuple[str, int, int]]) -> None:
    cursor = form.Cursor(write(form, made))
    for kind, value, width in made:
        if kind == "fixed":
            assert cursor.read_fixed(width) == value
        elif kind == "vbr":
            assert cursor.read_vbr(width) == value
        else:
            cursor.align32()
    assert cursor.size_in_bits - cursor.bit_offset < 32


@pytest.mark.parametrize("width", range(2, 33))
def test_vbr_takes_as_few_groups_as_it_can(form: Form, width: int) -> None:
    for value in EDGES:
        writer = form.bitwriter.BitWriter()
        writer.write_vbr(value, width)
        groups = max(1, -(-value.bit_length() // (width - 1)))
        assert writer.bit_offset == groups * width, value


@pytest.mark.parametrize(("value", "width"), [(1, 0), (2, 1), (2**31, 31), (2**32, 32), (2**63, 63)])
def test_a_value_too_wide(form: Form, value: int, width: int) -> None:
    writer = form.bitwriter.BitWriter()
    with pytest.raises(form.errors.EncodingError, match=f"{value} does not fit in a field of {width} bits"):
        writer.write_fixed(value, width)
    assert writer.bit_offset == 0


@pytest.mark.parametrize("width", [-1, 65])
def test_fixed_width_out_of_range(form: Form, width: int) -> None:
    with pytest.raises(ValueError, match=f"width {width} is not in 0..64"):
        form.bitwriter.BitWriter().write_fixed(0, width)


@pytest.mark.parametrize("width", [-1, 0, 1, 33])
def test_vbr_width_out_of_range(form: Form, width: int) -> None:
    with pytest.raises(ValueError, match=f"group width {width} is not in 2..32"):
        form.bitwriter.BitWriter().write_vbr(0, width)


def test_bytes_at_a_multiple_of_32_bits_only(form: Form) -> None:
    writer = form.bitwriter.BitWriter()
    writer.write_bytes(b"abcd")
    writer.write_fixed(1, 1)
    with pytest.raises(ValueError, match="at a multiple of 32 bits"):
        writer.write_bytes(b"x")
    writer.align32()
    writer.write_bytes(b"xyz")
    assert writer.bit_offset == 88
    assert writer.getvalue() == b"abcd\x01\0\0\0xyz"


def test_patching_a_word(form: Form) -> None:
    writer = form.bitwriter.BitWriter()
    writer.write_fixed(0, 64)
    writer.patch_word(32, 0xFEDCBA98)
    assert writer.getvalue() == bytes(4) + b"\x98\xba\xdc\xfe"


@given(
    data=st.binary(max_size=40), places=st.tuples(st.integers(0, 320), st.integers(0, 320)), shift=st.integers(0, 40)
)
def test_copied_bits_are_those_bits(form: Form, data: bytes, places: tuple[int, int], shift: int) -> None:
    start, end = sorted(min(place, len(data) * 8) for place in places)
    writer = form.bitwriter.BitWriter()
    writer.write_fixed(0, shift)
    writer.copy_bits(memoryview(data), start, end)
    wanted = int.from_bytes(data, "little") >> start & (1 << (end - start)) - 1
    assert int.from_bytes(writer.getvalue(), "little") == wanted << shift
    assert writer.bit_offset == shift + end - start


@given(sizes=st.lists(st.integers(1, 64), min_size=1, max_size=12), keep=st.integers(0, 12))
def test_rewinding_forgets_just_what_came_after(form: Form, sizes: list[int], keep: int) -> None:
    kept = sizes[:keep]
    writer, other = form.bitwriter.BitWriter(), form.bitwriter.BitWriter()
    for width in kept:
        other.write_fixed(2**width - 1, width)
    for width in sizes:
        writer.write_fixed(2**width - 1, width)
    writer.rewind(sum(kept))
    for each in (writer, other):
        each.write_fixed(0b10, 2)
    assert writer.getvalue() == other.getvalue()


def test_many_fields_grow_the_buffer(form: Form) -> None:
    writer = form.bitwriter.BitWriter()
    for _ in range(20_000):
        writer.write_vbr(2**40, 6)
    expected = Bits(b"").vbr(2**40, 6)
    assert writer.bit_offset == 20_000 * expected.size
    cursor = form.Cursor(writer.getvalue())
    assert {cursor.read_vbr(6) for _ in range(20_000)} == {2**40}
