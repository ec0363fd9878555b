"""Pytest plugin of the second phase: runs chosen tests in a given order, and notes which fails.

The variable `MUTANT_TESTS` has a file with the tests, one in a line; the names of those that fail are written to the
file beside it with the suffix `.failed`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

__all__ = ["VARIABLE"]

VARIABLE = "MUTANT_TESTS"
_list = Path(os.environ.get(VARIABLE, os.devnull))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    order = {name: index for index, name in enumerate(_list.read_text(encoding="utf-8").split("\n"))}
    others = [item for item in items if item.nodeid not in order]
    config.hook.pytest_deselected(items=others)
    items[:] = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _note(report)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    _note(report)


def _note(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.failed:
        with _list.with_suffix(".failed").open("a", encoding="utf-8") as file:
            file.write(f"{report.nodeid}\n")
