"""The time of a process: busy and blocked time count, waiting for the processor does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bitcodec.corpus import Limits, clocks
from bitcodec.corpus.clocks import Stopwatch


class Process:
    """A process whose `/proc/PID/stat` a test writes, and the clock on the wall."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.path = folder / "stat"
        self.now = 100.0
        self.cpu = 5.0
        self.set("S")
        patch.setattr(clocks, "monotonic", lambda: self.now)
        patch.setattr(clocks, "_TICKS", 100)
        patch.setattr(clocks, "Path", lambda _: self.path)

    def set(self, state: str) -> None:
        ticks = round(self.cpu * 100)
        self.path.write_text(f"1 (a ) b) {state} " + "0 " * 10 + f"{ticks - 20} 20 0 0\n")

    def step(self, wall: float, cpu: float, state: str) -> None:
        self.now += wall
        self.cpu += cpu
        self.set(state)


@pytest.fixture
def process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Process:
    return Process(tmp_path, monkeypatch)


def test_cpu_time_counts(process: Process) -> None:
    watch = Stopwatch(1)
    process.step(100.0, 2.5, "R")
    assert watch.seconds() == pytest.approx(2.5)


def test_waiting_for_the_processor_does_not_count(process: Process) -> None:
    watch = Stopwatch(1)
    process.step(100.0, 0.0, "R")
    assert watch.seconds() == pytest.approx(0.0)


def test_waiting_for_input_counts(process: Process) -> None:
    watch = Stopwatch(1)
    process.step(100.0, 1.0, "S")
    assert watch.seconds() == pytest.approx(1.0)
    process.step(3.0, 0.0, "S")
    assert watch.seconds() == pytest.approx(4.0)
    watch.restart()
    assert watch.seconds() == pytest.approx(0.0)


def test_the_wall_clock_counts_where_nothing_else_is_known(process: Process) -> None:
    process.path.unlink()
    watch = Stopwatch(1)
    process.now += 7.0
    assert watch.seconds() == pytest.approx(7.0)


def test_the_limit_grows_with_the_size() -> None:
    limits = Limits(seconds=60.0)
    assert limits.seconds_for(0) == 60.0
    assert limits.seconds_for(15 << 20) == 210.0
