"""The tests' own writer, against examples worked out by hand from the format's description."""

from __future__ import annotations

import pytest

from bits import Bits, wrapped


def bit_string(bits: Bits) -> str:
    """Return the bits in the order they were written."""
    data = bits.stream()
    return "".join(f"{byte:08b}"[::-1] for byte in data)


def test_fixed_fields_come_lowest_bit_first() -> None:
    assert bit_string(Bits(b"").fixed(1, 3).fixed(0b110, 3)).startswith("100011")


def test_vbr_example_of_the_format() -> None:
    """27 as vbr4 is 1011 0011: the groups 3 with more to come, then 3."""
    assert bit_string(Bits(b"").vbr(27, 4)).startswith("11011100")


@pytest.mark.parametrize(
    ("character", "code"), [("a", 0), ("z", 25), ("A", 26), ("Z", 51), ("0", 52), (".", 62), ("_", 63)]
)
def test_char6(character: str, code: int) -> None:
    assert Bits(b"").char6(character).stream() == bytes([code, 0, 0, 0])


def test_a_block_by_hand() -> None:
    # 2 bits: 1; vbr8: 8; vbr4: 3; alignment | one word | 3 bits: 3; vbr6: code 1; vbr6: one operand; vbr6: 2; END 0.
    word = 1 | 8 << 2 | 3 << 10
    body = 3 | 1 << 3 | 1 << 9 | 2 << 15 | 0 << 21
    expected = b"BC\xc0\xde" + b"".join(value.to_bytes(4, "little") for value in (word, 1, body))
    assert Bits().enter_block(8, width=3).unabbreviated(1, [2]).end_block().stream() == expected


def test_a_definition_by_hand() -> None:
    # DEFINE_ABBREV; vbr5: 3 operands; literal 5 | fixed (1) of 4 bits | array (3) ... and a char6 (4)
    fields = [(2, 2), (4, 5), (1, 1), (5, 8), (0, 1), (1, 3), (4, 5), (0, 1), (3, 3), (0, 1), (4, 3)]
    by_hand = "".join(f"{value:0{width}b}"[::-1] for value, width in fields)
    assert bit_string(Bits(b"").define(5, ("fixed", 4), "array", "char6")).startswith(by_hand)


def test_a_blob_is_aligned_on_both_sides() -> None:
    assert Bits(b"").blob(b"abcde").stream() == b"\x05\0\0\0abcde\0\0\0"


def test_wrapper_by_hand() -> None:
    data = wrapped(b"BC\xc0\xde", before=b"more", after=b"....", cpu_type=7)
    assert data == bytes.fromhex("dec0170b 00000000 18000000 04000000 07000000") + b"moreBC\xc0\xde...."
