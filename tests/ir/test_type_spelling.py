"""Types whose text no memory holds."""

from __future__ import annotations

import re
import tracemalloc

import pytest

from bitcodec import BitcodecError
from bitcodec.ir.type_table import TypeTable
from bitcodec.ir.types import StructType, Type

TOO_LONG = "a type cannot be spelled: its text has more than 1048576 characters"


@pytest.fixture
def pairs() -> Type:
    """Return an anonymous struct whose text has 2**60 numbers."""
    types = TypeTable()
    type_: Type = types.integer(32)
    for _ in range(60):
        type_ = types.struct([type_, type_])
    return type_


def test_text_too_long_is_refused_before_it_is_made(pairs: Type) -> None:
    tracemalloc.start()
    with pytest.raises(BitcodecError, match=TOO_LONG):
        str(pairs)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200_000


@pytest.mark.parametrize("count", [20_000, 20_001])
def test_types_of_many_parts_may_have_longer_texts(count: int) -> None:
    types = TypeTable()
    type_: Type = types.integer(32)
    for _ in range(count):
        type_ = types.struct([type_])
    for _ in range(40):
        type_ = types.struct([type_, type_])
    with pytest.raises(BitcodecError) as error:
        str(type_)
    (most,) = re.findall(r"more than (\d+) characters", str(error.value))
    assert int(most) > 1 << 20
    assert int(most) % 64 == 0


def test_brief_text_and_repr_are_cut_off(pairs: Type) -> None:
    assert pairs.brief == "{ " * 40 + "..."
    assert repr(pairs) == f"<StructType {pairs.brief}>"


def test_the_same_type_many_times_has_a_length() -> None:
    types = TypeTable()
    inner = types.struct([types.integer(32)] * 3)
    outer = types.struct([inner] * 100_000)
    assert len(str(outer)) == 100_000 * len("{ i32, i32, i32 }, ") + 2


def test_body_too_long() -> None:
    types = TypeTable()
    type_: Type = types.integer(32)
    for _ in range(30):
        type_ = types.struct([type_, type_])
    named = StructType((type_,), name="s")
    assert str(named) == "%s"
    with pytest.raises(BitcodecError, match=TOO_LONG):
        _ = named.body


@pytest.mark.parametrize("is_packed", [False, True])
def test_memory_for_the_text_of_a_chain(is_packed: bool) -> None:
    """What each level adds is short, so the pieces of the text are not kept one by one."""
    count = 20_000
    types = TypeTable()
    type_: Type = types.integer(32)
    for _ in range(count):
        type_ = types.struct([type_], is_packed=is_packed)
    left, right = ("<{ ", " }>") if is_packed else ("{ ", " }")
    tracemalloc.start()
    text = str(type_)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert text == left * count + "i32" + right * count
    assert peak < 150 * count
