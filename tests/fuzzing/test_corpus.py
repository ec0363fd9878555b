"""Inputs that coverage-guided fuzzing found, each of which reaches code that the others do not, are read again."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest
from tests.fuzzing import targets
from tests.fuzzing.records import PlainRecord, pack_records, unpack_records
from tests.fuzzing.targets import TARGETS, run_input

import bitcodec

FOLDER = Path(__file__).parents[1] / "data" / "fuzz"
MOST = 1 << 18


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_found_is_read_or_refused(name: str) -> None:
    inputs = []
    with tarfile.open(FOLDER / f"{name}.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            assert file is not None
            inputs.append(file.read())
    for data in inputs:
        run_input(name, data)
    assert len(inputs) > 50


def test_the_inputs_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST


def test_records_are_packed_and_unpacked() -> None:
    largest = (1 << 64) - 1
    records = [PlainRecord(3, (0, 223, 224, 65_535, largest, largest - 23, largest - 24)), PlainRecord(4, (), True)]
    assert list(unpack_records(pack_records(records))) == records
    assert list(unpack_records(b"\x01\x05\x07")) == [PlainRecord(1, (7,))]


@pytest.mark.parametrize("name", ["metadata", "constants"])
def test_seeds_reach_the_text(name: str) -> None:
    """A target whose seeds are all refused would explore nothing."""
    build = targets.module_with_metadata if name == "metadata" else targets.module_with_constants
    read = 0
    for seed in targets.seeds(name, FOLDER.parents[0]):
        try:
            read += len(str(bitcodec.loads(build(list(unpack_records(seed)))))) > 0
        except bitcodec.BitcodecError:
            continue
    assert read > 3
