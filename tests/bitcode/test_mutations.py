"""Real files with records changed, and read whole: an answer or one of the package's own errors, nothing else."""

from __future__ import annotations

import random

import pytest
from tests.hostile.mutators import with_records_changed

import bitcodec
from amounts import amount
from bitcodec import BitcodecError
from mutations import LARGEST_CHANGED, MOST_SECONDS, modules, mutation, outcome

RUNS = amount(4, 20)
IN_A_RUN = 25


@pytest.mark.parametrize("run", range(RUNS))
def test_mutations(run: int) -> None:
    outcomes = [outcome(index) for index in range(run * IN_A_RUN, (run + 1) * IN_A_RUN)]
    assert max(seconds for _, seconds in outcomes) < MOST_SECONDS
    reasons = [reason for reason, _ in outcomes]
    assert any(reasons), "some are refused"
    assert not all(reasons), "and some are not"


def test_a_mutation_can_be_repeated() -> None:
    for index in range(8):
        assert mutation(index).data == mutation(index).data


def test_changed_records_reach_the_reader() -> None:
    """The bitstream stays sound: what is refused is what records say."""
    source = random.Random(1)
    paths = [source.choice(modules()) for _ in range(60)]
    assert all(path.stat().st_size < LARGEST_CHANGED for path in paths)
    names = set()
    for path in paths:
        try:
            data = with_records_changed(path.read_bytes(), source)
        except BitcodecError:
            continue  # a malformed file of the corpus
        try:
            bitcodec.loads_all(data)
        except bitcodec.BitstreamError as error:
            pytest.fail(f"{path.name}: {error}")
        except BitcodecError as error:
            names.add(str(error).partition(" ")[0])
            continue
        for module in bitcodec.loads_all(data):
            try:
                module.materialize()
            except BitcodecError as error:
                names.add(str(error).partition(" ")[0])
    assert len(names) > 5, names
