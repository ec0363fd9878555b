"""A sample of `python -m tests.asm.mutations`: bitcodec and llvm-as 22 agree on mutated texts."""

from __future__ import annotations

import shutil

import pytest

from corpus import needs_corpus

from .mutations import VERDICTS, compare, mutation_of

pytestmark = [
    needs_corpus,
    pytest.mark.same_in_both,
    pytest.mark.skipif(shutil.which("llvm-as-22") is None, reason="llvm-as-22 is not installed"),
]
SAMPLE = range(50)


def test_a_sample() -> None:
    found = {number: compare(mutation_of(number)[1]) for number in SAMPLE}
    assert {number: each for number, each in found.items() if each and each.kind in VERDICTS} == {}
    assert sum(each is not None for each in found.values()) <= len(SAMPLE) // 10, "most messages are those of llvm-as"
