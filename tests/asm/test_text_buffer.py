"""Text that is made piece by piece: the same in both forms."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, cast

import pytest

from bitcodec.asm.text_buffer import TextBuffer

if TYPE_CHECKING:
    from bitcodec.asm.limits import TextLimit


class Number(enum.IntEnum):
    SEVEN = 7


class Limit:
    """Keeps what is spent."""

    def __init__(self) -> None:
        self.spent: list[tuple[int, int]] = []

    def spend(self, characters: int, lines: int) -> None:
        self.spent.append((characters, lines))


def test_pieces_are_joined() -> None:
    text = TextBuffer()
    assert text.take() == ""
    pieces = ["", "a", "ü", "\0", "€uro", "\U0001f600", "x" * 5000, "\n"]
    for piece in pieces:
        text.add(piece)
    assert text.take() == "".join(pieces)


def test_a_text_that_was_taken_leaves_nothing() -> None:
    text = TextBuffer()
    text.add("ü")
    text.end_line()
    assert text.line_count() == 1
    assert text.take() == "ü\n"
    assert text.line_count() == 0
    text.add("a")
    assert (text.take(), text.take()) == ("a", "")


def test_characters_and_lines_are_held_against_a_limit() -> None:
    limit = Limit()
    text = TextBuffer(cast("TextLimit", limit))
    for line in ("ü", "\U0001f600", ""):
        text.add(line)
        text.end_line()
    text.add_number(1000)
    assert not limit.spent
    assert text.take() == "ü\n\U0001f600\n\n1000"
    assert limit.spent == [(9, 3)]
    text.add("a")
    text.take()
    assert limit.spent[1:] == [(1, 0)]


def test_long_texts_are_held_against_a_limit_early() -> None:
    limit = Limit()
    text = TextBuffer(cast("TextLimit", limit))
    for _ in range(3000):
        for _ in range(9):
            text.add("ü" * 11)
        text.end_line()
    assert text.line_count() == 3000
    assert 200_000 < sum(characters for characters, _ in limit.spent) <= 300_000
    assert text.take() == ("ü" * 99 + "\n") * 3000
    assert sum(characters for characters, _ in limit.spent) == 300_000
    assert sum(lines for _, lines in limit.spent) == 3000


def test_bytes_that_are_not_utf_8_stay_surrogates() -> None:
    text = TextBuffer()
    for piece in ("\udcff", "\ud83d", "\ude00"):
        text.add(piece)
    assert text.take() == "\udcff\ud83d\ude00"


@pytest.mark.parametrize(
    "number",
    [0, 9, 10, 1 << 31, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 1 << 80, -1, -(1 << 63), -(1 << 70), Number.SEVEN],
)
def test_numbers_are_decimal(number: int) -> None:
    text = TextBuffer()
    text.add_number(number)
    assert text.take() == str(int(number))


def test_long_texts_grow() -> None:
    text = TextBuffer()
    for number in range(20_000):
        text.add_number(number)
        text.add(",")
    assert text.take() == "".join(f"{number}," for number in range(20_000))


@pytest.mark.parametrize("piece", [None, 7, b"bytes"])
def test_pieces_are_strings(piece: Any) -> None:
    def add_and_take() -> None:
        text = TextBuffer()
        text.add(piece)
        text.take()

    with pytest.raises(TypeError):
        add_and_take()
