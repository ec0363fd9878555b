"""The edit-test loop, `-m quick`: all tests but the tests of slow files.

`python -m pytest -n 0 --write-slow` measures the default run and writes `slow-files.txt`: a file is slow if it takes
more than 0.7 seconds of processor time, or more than 0.2 seconds and 4 ms a test.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

__all__: list[str] = []

FOLDER = Path(__file__).parent
LIST = FOLDER / "slow-files.txt"
SLOW = frozenset(LIST.read_text(encoding="utf-8").split())
LEAST_SECONDS, SECONDS_OF_A_TEST, MOST_SECONDS = 0.2, 0.004, 0.7


def is_quick(path: Path) -> bool:
    """Return whether the tests of a file are in the loop."""
    return path.relative_to(FOLDER).as_posix() not in SLOW


def is_slow(seconds: float, count: int) -> bool:
    """Return whether a file with this many tests takes too long for the loop."""
    return seconds > min(max(LEAST_SECONDS, SECONDS_OF_A_TEST * count), MOST_SECONDS)


class Clock:
    """Measures the processor time of the tests of each file, and of the processes that they start."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = defaultdict(float)
        self._counts = Counter[str]()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        start = sum(os.times()[:4])
        result = yield
        place = item.path.relative_to(FOLDER).as_posix()
        self._seconds[place] += sum(os.times()[:4]) - start
        self._counts[place] += 1
        return result

    def pytest_sessionfinish(self) -> None:
        slow = sorted(place for place, count in self._counts.items() if is_slow(self._seconds[place], count))
        LIST.write_text("".join(f"{place}\n" for place in slow), encoding="utf-8")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_quick(item.path):
            item.add_marker(pytest.mark.quick)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import files without quick tests if these alone are asked for: importing takes most of the time."""
    if config.option.markexpr != "quick" or not collection_path.name.startswith("test_"):
        return None
    return not is_quick(collection_path) or None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-slow", action="store_true", help="measure which files are slow, and write their list")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("write_slow"):
        config.pluginmanager.register(Clock())
