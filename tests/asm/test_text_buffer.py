"""Text that is made piece by piece: the same in both forms."""

from __future__ import annotations

import enum
from typing import Any

import pytest

from bitcodec.asm.text_buffer import TextBuffer


class Number(enum.IntEnum):
    SEVEN = 7


def test_pieces_are_joined_and_counted() -> None:
    text = TextBuffer()
    assert (text.count(), text.take()) == (0, "")
    pieces = ["", "a", "ü", "\0", "€uro", "\U0001f600", "x" * 5000, "\n"]
    for piece in pieces:
        text.add(piece)
    whole = "".join(pieces)
    assert text.count() == len(whole)
    text.add("end")
    assert text.count() == len(whole) + 3
    assert text.take() == whole + "end"


def test_a_text_that_was_taken_leaves_nothing() -> None:
    text = TextBuffer()
    text.add("ü")
    assert text.take() == "ü"
    assert text.count() == 0
    text.add("a")
    assert (text.take(), text.take()) == ("a", "")


def test_bytes_that_are_not_utf_8_stay_surrogates() -> None:
    text = TextBuffer()
    for piece in ("\udcff", "\ud83d", "\ude00"):
        text.add(piece)
    assert text.take() == "\udcff\ud83d\ude00"


@pytest.mark.parametrize(
    "number",
    [
        0,
        9,
        10,
        12345,
        1 << 31,
        (1 << 63) - 1,
        1 << 63,
        (1 << 64) - 1,
        1 << 80,
        -1,
        -(1 << 63),
        -(1 << 70),
        Number.SEVEN,
    ],
)
def test_numbers_are_decimal(number: int) -> None:
    text = TextBuffer()
    text.add_number(number)
    assert text.count() == len(str(int(number)))
    assert text.take() == str(int(number))


def test_long_texts_grow() -> None:
    text = TextBuffer()
    for number in range(20_000):
        text.add_number(number)
        text.add(",")
    assert text.take() == "".join(f"{number}," for number in range(20_000))


@pytest.mark.parametrize("piece", [None, 7, b"bytes"])
def test_pieces_are_strings(piece: Any) -> None:
    text = TextBuffer()
    with pytest.raises(TypeError):
        text.add(piece)
        text.take()
