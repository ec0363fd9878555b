"""Modules of few bytes that describe much."""

from __future__ import annotations

import tracemalloc

import pytest

import bitcodec
from bitcodec import BitcodecError
from bitcodec.bitcode.reader import upgrading
from bitcodec.upgrade.intrinsics import replacement_of
from blowups import intrinsics_of_a_long_type, one_name_for_many, overlapping_names, same_names


@pytest.mark.parametrize("generate", [one_name_for_many, overlapping_names])
def test_names_that_overlap(generate: object) -> None:
    assert callable(generate)
    opened = bitcodec.loads(generate(2000))
    tracemalloc.start()
    for _ in range(2):
        with pytest.raises(BitcodecError, match="names overlap: they have more than"):
            opened.materialize()
        with pytest.raises(BitcodecError, match="names overlap: they have more than"):
            list(opened.symbol_names)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 20 << 20


def test_a_name_that_a_few_share() -> None:
    size = 1 << 16
    opened = bitcodec.loads(one_name_for_many(20, size))
    for _ in range(20):
        assert [len(name) for name in opened.symbol_names] == [size] * 20
    assert sorted(value.name[size:] for value in opened.global_variables) == sorted(
        ["", *(f".{n}" for n in range(1, 20))]
    )


def test_many_of_the_same_name() -> None:
    opened = bitcodec.loads(same_names(3000))
    assert len({value.name for value in opened.global_variables}) == 3000


def test_intrinsics_of_a_long_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of each must spell the type: soon there are too many of them."""
    assert len(bitcodec.loads(intrinsics_of_a_long_type(20)).functions) == 1
    made: list[object] = []
    opened = bitcodec.loads(intrinsics_of_a_long_type(1000))

    def counted(*arguments: object) -> object:
        made.append(arguments)
        return replacement_of(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(upgrading, "replacement_of", counted)
    with pytest.raises(BitcodecError, match="new names of intrinsics are out of proportion"):
        opened.materialize()
    assert len(made) < 60
