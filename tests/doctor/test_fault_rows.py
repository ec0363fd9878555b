"""Each row about malformed records is met by a file, of which the real readers print what the doctor says."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bitcodec import bitstream
from bitcodec.doctor import VERSIONS, diagnose
from bitcodec.doctor.fault_rows import FAULTS, UNNOTICED, Fault
from bitcodec.doctor.reading import read
from bitcodec.errors import PlacedError

from .malformed_files import Change, cases, file_with
from .readers import READERS, ask

pytestmark = pytest.mark.same_in_both
_NEWEST = 22


@cache
def faults_of(change: Change) -> list[PlacedError]:
    stream = bitstream.loads(file_with(change))
    return read(stream, stream.decode()).faults


def rows_for(fault: PlacedError) -> set[Fault]:
    """Return the rows that decide about a fault, for all versions."""
    reason, path = fault.reason, fault.block_path
    unnoticed = {row for row in UNNOTICED if row.fits(reason, path)}
    found = [
        next((row for row in FAULTS if row.oldest <= version <= row.newest and row.fits(reason, path)), None)
        for version in VERSIONS
    ]
    return unnoticed or {row for row in found if row is not None}


def test_each_row_is_met() -> None:
    met = {row for change in cases() for fault in faults_of(change) for row in rows_for(fault)}
    assert [row for row in (*FAULTS, *UNNOTICED) if row not in met] == []


@pytest.mark.parametrize("change", [each for each in cases() if not each.is_undefined], ids=str)
def test_readers_print_the_same(change: Change, tmp_path: Path) -> None:
    """The doctor and the readers agree, but for the files of which the list says otherwise."""
    data = file_with(change)
    rows = {row for fault in faults_of(change)[:1] for row in rows_for(fault)}
    bounds = {bound for row in rows for bound in (row.oldest, row.newest)} | {_NEWEST}
    versions = sorted({min(max(bound, READERS[0]), READERS[-1]) for bound in bounds})
    path = tmp_path / "module.bc"
    path.write_bytes(data)
    [diagnosis] = diagnose(data, versions, ())
    wrong = [
        verdict.version
        for verdict in diagnosis.verdicts
        for answer in [ask(verdict.version, path)]
        if verdict.reads != answer.reads or (verdict.message != answer.message and not answer.crashes)
    ]
    assert bool(wrong) == change.differs, wrong
