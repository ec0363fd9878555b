"""A sample of `python -m tests.strictness`: bitcodec and LLVM 22 differ only where a reason is known.

It runs live; `test_recorded` replays answers about a few mutations.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from corpus import needs_corpus
from strictness.comparing import Comparer, mutation_of, original_of
from strictness.difference import Difference
from strictness.expected import EXPECTED, Expected, reason_for

pytestmark = [needs_corpus, pytest.mark.live]
SAMPLE = range(200)


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer() as made:
        yield made


def reason_of(example: int | str, comparer: Comparer) -> tuple[Difference | None, str | None]:
    if isinstance(example, str):
        original = data = (Path(__file__).parent / example).read_bytes()
    else:
        name, data = mutation_of(example)
        original = original_of(name)
    difference = comparer.compare(data)
    return difference, None if difference is None else reason_for(difference, data, original, comparer.compare)


def test_a_sample(comparer: Comparer) -> None:
    found = {number: reason_of(number, comparer) for number in SAMPLE}
    assert {number: difference for number, (difference, reason) in found.items() if difference and not reason} == {}
    assert comparer.reads > len(SAMPLE) // 8, "many are read by both"


@pytest.mark.parametrize("row", EXPECTED, ids=lambda row: row.reason[:40])
def test_expected_differences_still_appear(row: Expected, comparer: Comparer) -> None:
    difference, reason = reason_of(row.example, comparer)
    assert reason == row.reason or (row.may_crash and difference is None)
