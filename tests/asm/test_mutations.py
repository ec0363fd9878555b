"""A sample of `python -m tests.asm.mutations`: bitcodec and llvm-as 22 agree on mutated texts."""

from __future__ import annotations

import pytest

from answers import recall
from corpus import needs_corpus

from . import mutations

pytestmark = [needs_corpus, pytest.mark.same_in_both]
SAMPLE = range(50)


def test_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    real = mutations.answer_of_llvm
    monkeypatch.setattr(
        mutations, "answer_of_llvm", lambda text: recall([*mutations.COMMAND, text], lambda: real(text))
    )
    found = {number: mutations.compare(mutations.mutation_of(number)[1]) for number in SAMPLE}
    assert {number: each for number, each in found.items() if each and each.kind in mutations.VERDICTS} == {}
    assert sum(each is not None for each in found.values()) <= len(SAMPLE) // 10, "most messages are those of llvm-as"
