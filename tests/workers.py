"""Less work in each process of pytest-xdist: each collects all tests, and reports to the process that starts them.

Two things would take a tenth of the processor time of a run: five messages for each test that passes; and, in a new
checkout, assertions of all files, which each process rewrites.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from _pytest.runner import runtestprotocol

__all__: list[str] = []


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Have the garbage collector never look at the objects that are collected here, and at those of imports."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Send one report of a test that passes in place of five messages."""
    option = item.config.option
    if not hasattr(item.config, "workerinput") or option.xmlpath or option.durations or option.verbose > 0:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


class Backwards:
    """Collects files from the last to the first, so that two processes share the rewriting of assertions.

    A process writes what it rewrites; the other one meets it halfway, and reads the rest.
    """

    def __init__(self) -> None:
        self._places: dict[pytest.Item | pytest.Collector, int] = {}
        self._first: dict[pytest.Item | pytest.Collector, int] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(self, collector: pytest.Collector) -> Iterator[None]:
        report: pytest.CollectReport = yield  # type: ignore[misc]  # the hook's result
        if isinstance(collector, pytest.Session | pytest.Directory) and report.passed:
            places = self._first if isinstance(collector, pytest.Session) else self._places
            places |= {node: place for place, node in enumerate(report.result)}
            report.result.reverse()
        return report  # type: ignore[return-value]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Restore the order, which all processes must have."""
        items.sort(key=self._place)

    def _place(self, item: pytest.Item) -> list[int]:
        """Return the places of the folders and the file of a test, from what an argument of pytest names on."""
        chain = item.listchain()
        first = next(index for index, node in enumerate(chain) if node in self._first)
        return [self._first[chain[first]], *(self._places.get(node, 0) for node in chain[first + 1 :])]


def pytest_configure(config: pytest.Config) -> None:
    worker = getattr(config, "workerinput", {}).get("workerid", "gw0")
    if int(worker.removeprefix("gw")) % 2:
        config.pluginmanager.register(Backwards())
