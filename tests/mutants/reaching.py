"""Pytest plugin of the first phase: notes which functions each test reaches, and how long those that pass take."""

from __future__ import annotations

import os
from collections.abc import Iterator

import bitcodec_reached
import pytest

__all__: list[str] = []

_passed = False


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    start = sum(os.times()[:4])
    bitcodec_reached.begin()
    result = yield
    bitcodec_reached.end(item.nodeid)
    if _passed:
        seconds = sum(os.times()[:4]) - start
        with (bitcodec_reached.FOLDER / f"{os.getpid()}.tests").open("a", encoding="utf-8") as file:
            file.write(f"{seconds:.3f}\t{item.nodeid}\n")
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Iterator[pytest.TestReport]:
    global _passed  # noqa: PLW0603 - there is one running test in a process
    report: pytest.TestReport = yield
    _passed = report.passed and (_passed or call.when == "setup")
    return report
