"""Abbreviations as values: how they are built, what they say of themselves, and which of them no record can use."""

from __future__ import annotations

import pytest

from bitcodec.bitstream import Abbreviation, Encoding, Operand, array, blob, char6, fixed, literal, vbr
from bitcodec.bitstream.abbreviations import CHAR6_ALPHABET, abbreviation_from_rows
from bits import CHARACTERS


def test_integers_stand_for_literals() -> None:
    assert Abbreviation.of(8, array, char6) == Abbreviation((literal(8), array, char6))
    assert Abbreviation.of(literal(8)) == Abbreviation.of(8)


def test_equal_by_value_and_hashable() -> None:
    assert Abbreviation.of(1, fixed(3)) == Abbreviation.of(1, fixed(3))
    assert Abbreviation.of(1, fixed(3)) != Abbreviation.of(1, vbr(3))
    assert len({Abbreviation.of(1), Abbreviation.of(1), Abbreviation.of(2)}) == 2


def test_text() -> None:
    assert str(Abbreviation.of(8, fixed(3), vbr(6), array, char6)) == "[8, fixed(3), vbr(6), array, char6]"
    assert str(Abbreviation.of(1, blob)) == "[1, blob]"
    assert str(Abbreviation(())) == "[]"


def test_encodings_as_the_format_numbers_them() -> None:
    assert [encoding.value for encoding in Encoding] == [0, 1, 2, 3, 4, 5]
    assert [encoding for encoding in Encoding if encoding.has_width] == [Encoding.FIXED, Encoding.VBR]
    assert [encoding for encoding in Encoding if not encoding.is_scalar] == [Encoding.ARRAY, Encoding.BLOB]


def test_the_alphabet_of_char6() -> None:
    assert CHAR6_ALPHABET.decode() == CHARACTERS
    assert len(set(CHAR6_ALPHABET)) == 64


@pytest.mark.parametrize(
    "operands",
    [
        [1],
        [fixed(3)],
        [vbr(6), vbr(6), char6],
        [1, fixed(0), vbr(0)],
        [1, array, fixed(1)],
        [1, 2, 3, array, vbr(2)],
        [char6, array, char6],
        [1, blob],
        [1, fixed(32), vbr(32), blob],
    ],
)
def test_sound(operands: list[Operand | int]) -> None:
    assert Abbreviation.of(*operands).flaw is None


@pytest.mark.parametrize(
    ("operands", "flaw"),
    [
        ([], "has no operands"),
        ([array, char6], "starts with an array or a blob"),
        ([blob], "starts with an array or a blob"),
        ([1, blob, fixed(3)], "has a blob that is not last"),
        ([1, blob, array, fixed(3)], "has a blob that is not last"),
        ([1, array], "has an array that is not second to last"),
        ([1, array, char6, char6], "has an array that is not second to last"),
        ([1, array, array, char6], "has an array that is not second to last"),
        ([1, array, array], "has an array of arrays or blobs"),
        ([1, array, 7], "has an array whose elements take no bits"),
        ([1, array, fixed(0)], "has an array whose elements take no bits"),
        ([1, array, vbr(0)], "has an array whose elements take no bits"),
        ([1, array, blob], "has an array of arrays or blobs"),
    ],
)
def test_flaws(operands: list[Operand | int], flaw: str) -> None:
    assert Abbreviation.of(*operands).flaw == flaw


def test_from_rows_of_a_table() -> None:
    assert abbreviation_from_rows(bytes([9, 0, 1, 9]), [0, 5, 3, 0], 1, 3) == Abbreviation.of(5, fixed(3))
