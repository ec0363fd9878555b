"""Messages: a text that is refused is quoted, but not all of a long one."""

from __future__ import annotations

import pytest

import bitcodec
from bitcodec import BitcodecError
from bitcodec.errors import MAX_QUOTED, quote
from bitcodec.flags.parsing import parse_value
from bitcodec.ir import Context
from bitcodec.pcsections import PCSection, Schema, attach, constants_of_text

LONG = 10_000


def test_short_texts_are_quoted_whole() -> None:
    assert quote("it's\n") == '"it\'s\\n"'
    assert quote("x" * MAX_QUOTED) == f"'{'x' * MAX_QUOTED}'"


def test_of_long_texts_the_beginning_is_quoted() -> None:
    assert quote("x" * LONG) == f"'{'x' * MAX_QUOTED}'..."


@pytest.mark.parametrize(
    "text",
    ["", "=", "s=instruction:", "s=instruction:i32:", "s=", "s=instruction:i32:x,"],
)
def test_messages_about_long_schemas_are_short(text: str) -> None:
    with pytest.raises(BitcodecError) as caught:
        Schema.of(text + "x" * LONG)
    assert len(str(caught.value)) < 1000


def test_messages_about_other_long_texts_are_short() -> None:
    module = bitcodec.open("examples/hello.bc")
    for refuse in (
        lambda text: constants_of_text(text, module),
        lambda text: constants_of_text(f"i32:{text}", module),
        lambda text: attach(module, text, [PCSection.of("hot")]),
        lambda text: parse_value(text, Context()),
    ):
        with pytest.raises((BitcodecError, ValueError)) as caught:
            refuse("x" * LONG)
        assert len(str(caught.value)) < 1000
