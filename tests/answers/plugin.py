"""The options of pytest for recorded answers, and the test that asks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import pytest

from .starting import watch
from .ways import Way, begin, current, finish, open_store

__all__ = []


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("answers of reference tools")
    group.addoption("--record", action="store_true", help="ask the tools what no record answers, and record it")
    group.addoption("--live", action="store_true", help="ask the tools, and compare with the record")
    group.addoption("--live-day", default="", metavar="DATE", help="ask one question in thirty, each day others")
    group.addoption("--forget", action="store_true", help="remove answers that no test asks for (with -n 0)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "live: compares with real tools what no record can hold; runs with --live only")
    live = "all" if config.getoption("live") else config.getoption("live_day")
    begin(Way(live, records=config.getoption("record")))
    watch()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    way = current()
    left_out = [item for item in items if item.get_closest_marker("live") and not way.asks(_number(item.nodeid))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def _number(test: str) -> str:
    return hashlib.sha256(test.encode()).hexdigest()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    way = current()
    way.test, way.store = item.nodeid, open_store(item.path.parent)
    way.is_live_test = item.get_closest_marker("live") is not None
    return (yield)


def pytest_sessionfinish(session: pytest.Session) -> None:
    finish(forgets=session.config.getoption("forget"))
