"""The way in which questions are answered in this run of pytest: from the record, from the tools, or from both."""

from __future__ import annotations

import datetime as dt
from functools import cache
from pathlib import Path

from .store import NAME, Store

__all__ = ["PARTS", "Way", "begin", "current", "finish", "is_begun", "open_store"]

PARTS = 30
"""Days in which a live run each day has asked every question."""


class Way:
    """How the questions of one test are answered.

    Attributes:
        records: whether what no record answers is asked, and recorded.
        store: the answers of the test's folder.
        test: the test.
        is_live_test: whether the test is marked as live: the tools answer all of its questions, and no record does.
    """

    def __init__(self, live: str, *, records: bool) -> None:
        """Take "", "all" for `--live` or the date of `--live-day`, and whether `--record` is given."""
        self.records = records
        self._live = live
        self._day = dt.date.fromisoformat(live).toordinal() % PARTS if live not in ("", "all") else -1
        self.test = ""
        self.is_live_test = False
        self.store: Store

    @property
    def is_sample(self) -> bool:
        """Whether a part of the questions is asked, by the day."""
        return self._day >= 0

    def asks(self, key: str) -> bool:
        """Return whether the tool is asked a question although its answer is recorded."""
        return self._live == "all" or (self.is_sample and int(key, 16) % PARTS == self._day)


_ways: list[Way] = []


def begin(way: Way) -> None:
    """Let a way hold for this run."""
    _ways[:] = [way]


def is_begun() -> bool:
    """Return whether pytest runs; a script that a person starts asks the tools."""
    return bool(_ways)


def current() -> Way:
    """Return the way of this run."""
    return _ways[0]


@cache
def open_store(folder: Path) -> Store:
    """Return the answers of a folder of tests."""
    store = Store(folder / NAME)
    _opened.append(store)
    return store


_opened: list[Store] = []


def finish(*, forgets: bool) -> None:
    """Write what was recorded."""
    for store in _opened:
        store.save(forgets=forgets)
