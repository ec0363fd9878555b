"""The options of pytest for skips, and the comparison of a run with the list."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import corpus

from .lines import LISTED, Skip, parse_lines, unlisted

__all__ = []

KEY = "listed skips"
"""Key under which a worker of pytest-xdist sends the files that it skipped."""

_watches = pytest.StashKey["Watch"]()


class Watch:
    """Collects the skips of a run."""

    def __init__(self, config: pytest.Config) -> None:
        self.option: str | None = config.getoption("listed_skips")
        self.runs = ["user"] if self.option is None else self.option.split(",")
        if not corpus.is_there():
            self.runs.append("no-shared")
        self.is_sample = bool(config.getoption("live_day", ""))
        """Whether live tests run with the tools that are installed: their skips need no line."""
        self.skips: set[Skip] = set()
        self.files: set[Skip] = set()
        """Skipped files: only the process that collects them has reports of them."""

    def unlisted(self) -> list[Skip]:
        lines = parse_lines(LISTED.read_text(encoding="utf-8"))
        return unlisted(sorted(self.skips | self.files), lines, self.runs)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("skipped tests")
    group.addoption("--listed-skips", metavar="RUNS", help=f"fail if a test skips that {LISTED.name} does not name")
    group.addoption("--write-skips", metavar="FILE", help="write the skipped tests to FILE, for python -m tests.skips")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_watches] = watch = Watch(config)
    config.pluginmanager.register(_Reports(watch))


class _Reports:
    """Hooks that get no configuration."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        is_sampled = self.watch.is_sample and "live" in report.keywords
        if report.skipped and not is_sampled and not hasattr(report, "wasxfail"):
            self.watch.skips.add(_skip(report))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self.watch.files.add(_skip(report))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        sent = getattr(node, "workeroutput", {}).get(KEY, [])
        self.watch.files |= {Skip(*each) for each in sent}


def _skip(report: pytest.TestReport | pytest.CollectReport) -> Skip:
    _, _, reason = report.longrepr if isinstance(report.longrepr, tuple) else ("", 0, str(report.longrepr))
    return Skip(report.nodeid.removeprefix("tests/"), " ".join(reason.removeprefix("Skipped: ").split()))


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    watch = session.config.stash[_watches]
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[KEY] = [list(skip) for skip in sorted(watch.files)]  # execnet sends no classes
        return
    if watch.option is not None and watch.unlisted() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    if file := session.config.getoption("write_skips"):
        skips = sorted(watch.skips | watch.files)
        Path(file).write_text(json.dumps({"runs": watch.runs, "skips": skips}, indent=0), encoding="utf-8")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    watch = config.stash[_watches]
    if found := watch.unlisted():
        terminalreporter.section(f"skips that no line of tests/skips/{LISTED.name} names ({' '.join(watch.runs)})")
        for skip in found:
            terminalreporter.line(f"UNLISTED {skip.test}: {skip.reason}")
