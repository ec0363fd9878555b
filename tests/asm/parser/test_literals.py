"""Integers of text, of any length."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitcodec.asm.parser.literals import hex_integer, integer_of


@pytest.fixture(autouse=True, scope="module")
def _any_length() -> Iterator[None]:
    """Let Python's own conversion, with which results are compared, take all digits."""
    most = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(most)


@pytest.mark.parametrize("digits", [1, 3999, 4000, 4001, 8000, 8001, 12001, 20000])
@pytest.mark.parametrize("sign", ["", "-"])
def test_decimal_integers_of_many_digits(digits: int, sign: str) -> None:
    text = sign + ("1234567890" * (digits // 10 + 1))[:digits]
    assert integer_of(text.encode()) == int(text)


@given(st.integers())
def test_decimal_integers(value: int) -> None:
    assert integer_of(str(value).encode()) == value


@pytest.mark.parametrize(
    ("text", "value"), [("u0xFF", 255), ("s0xFF", -1), ("s0x7F", -1), ("s0x8", -8), ("s0x0", 0), ("u0x0", 0)]
)
def test_hexadecimal_integers(text: str, value: int) -> None:
    """The highest bit that is set is the sign, as in LLVM 22: `i8 s0x7F` prints as -1."""
    assert hex_integer(text.encode()) == value
