"""Files do everything on one day of seven in CI, and a part of it by default."""

from __future__ import annotations

import datetime as dt

import pytest

from amounts import DAYS, FOLDER, amount, is_whole, some
from bitcodec.bitstream import COMPILED

FILES = sorted(FOLDER.rglob("test_*.py"))
A_WEEK = [str(dt.date(2026, 11, 28) + dt.timedelta(days)) for days in range(DAYS)]


def test_each_file_does_everything_on_one_day_of_a_week(monkeypatch: pytest.MonkeyPatch) -> None:
    count_of_days = dict.fromkeys(FILES, 0)
    for day in A_WEEK:
        monkeypatch.setenv("BITCODEC_WHOLE", day)
        for file in FILES:
            count_of_days[file] += is_whole(str(file))
    assert set(count_of_days.values()) == {1}


@pytest.mark.parametrize(("chosen", "whole"), [("", False), ("1", True)])
def test_all_files_or_none(chosen: str, whole: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITCODEC_WHOLE", chosen)
    assert {is_whole(str(file)) for file in FILES} == {whole}


def test_rows_are_spread_over_all(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = range(100)
    monkeypatch.setenv("BITCODEC_WHOLE", "1")
    assert list(some(rows, 10)) == list(rows)
    assert amount(10, 100) == 100
    monkeypatch.delenv("BITCODEC_WHOLE")
    assert list(some(rows, 9)) == ([0, 11, 22, 33, 44, 55, 66, 77, 88] if COMPILED else [0, 33, 66])
    assert amount(9, 100) == (9 if COMPILED else 3)
