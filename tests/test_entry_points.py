"""Every public function, with mutated files: it returns, or raises what its documentation lists."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from amounts import amount, some
from bitcodec import BitcodecError
from entry_points import ENTRY_POINTS, EntryPoint
from mutations import check_message, mutated, with_records_changed
from record_shapes import changed_records, failures

ROOT = Path(__file__).parents[1]
FILES = [
    ROOT / "examples" / "hello.bc",
    ROOT / "tests" / "data" / "ir_metadata-22.bc",
    ROOT / "tests" / "data" / "ir_types-22.bc",
    ROOT / "tests" / "data" / "index-22.thinlto.bc",
    ROOT / "tests" / "data" / "wrapper-darwin-22.bc",
    ROOT / "tests" / "data" / "embed-elf-22.o",
    ROOT / "examples" / "atomics.mir",
]
STREAMS = amount(80, 240)
RUNS = 12
SHARE = 20
"""Each stream goes through one in so many entry points."""


def stream(number: int) -> bytes:
    """Return the mutated file of a number."""
    source = random.Random(number)
    data = FILES[number % len(FILES)].read_bytes()
    try:
        return with_records_changed(data, source) if number % 3 else mutated(data, source)
    except BitcodecError:
        return mutated(data, source)


@pytest.mark.parametrize("entry_point", ENTRY_POINTS, ids=lambda entry_point: entry_point.name)
def test_an_unchanged_file(entry_point: EntryPoint) -> None:
    try:
        entry_point(FILES[0].read_bytes())
    except entry_point.refuses:
        assert entry_point.name.startswith(("pcsections.", "mir."))


@pytest.mark.parametrize("run", range(RUNS))
def test_mutated_files(run: int) -> None:
    refused = 0
    for number in range(run, STREAMS, RUNS):
        data = stream(number)
        for entry_point in ENTRY_POINTS[number * 7 % SHARE :: SHARE]:
            try:
                entry_point(data)
            except entry_point.refuses as error:
                refused += 1
                if isinstance(error, BitcodecError):
                    check_message(error)
    assert refused


def test_every_entry_point_is_tried_often() -> None:
    tried = [index for number in range(STREAMS) for index in range(number * 7 % SHARE, len(ENTRY_POINTS), SHARE)]
    assert min(tried.count(index) for index in range(len(ENTRY_POINTS))) >= STREAMS // SHARE


@pytest.mark.parametrize("first", [0, 150])
def test_shapes_of_records(first: int) -> None:
    shapes = some(list(changed_records(FILES[1].read_bytes(), first, 300)), 6)
    assert shapes
    found = [f"{shape.name}: {name}: {error!r}" for shape in shapes for name, error in failures(shape)]
    assert found == []
