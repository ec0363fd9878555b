"""Integers of any width in decimal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitcodec.ir.context import Context
from bitcodec.ir.decimals import decimal_text


def digits(number: int) -> str:
    """Return the digits of a number in chunks that Python always prints."""
    parts = []
    rest = abs(number)
    while rest:
        rest, part = divmod(rest, 10**500)
        parts.append(f"{part:0500}")
    return ("-" if number < 0 else "") + ("".join(reversed(parts)).lstrip("0") or "0")


@given(st.integers(min_value=0, max_value=9000), st.integers())
def test_any_integer(width: int, below: int) -> None:
    for number in ((1 << width) + below, -(1 << width) + below):
        assert decimal_text(number) == digits(number)


@pytest.mark.parametrize("zeros", [616, 617, 4300, 12_345])
def test_powers_of_ten(zeros: int) -> None:
    assert decimal_text(10**zeros) == "1" + "0" * zeros
    assert decimal_text(-(10**zeros)) == "-1" + "0" * zeros
    assert decimal_text(10**zeros - 1) == "9" * zeros


def test_representation_of_a_long_constant() -> None:
    context = Context()
    constant = context.constants.integer(context.types.integer(40_000), 1 << 39_000)
    assert repr(constant) == f"<ConstantInt i40000 {digits(1 << 39_000)}>"
