"""Times of several things that take turns, so that a slow moment of the machine meets all of them alike."""

from __future__ import annotations

import gc
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Times", "bitcodec_command", "interleaved", "llvm_tool", "printed_by", "process", "processor_time"]

_SCRIPT = Path(sys.executable).with_name("bitcodec")


@dataclass(frozen=True, slots=True)
class Times:
    """What one thing took, run by run, in seconds."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def least(self) -> float:
        return min(self.seconds)


def interleaved(actions: Mapping[str, Callable[[], object]], runs: int) -> dict[str, Times]:
    """Run the actions in turn, `runs` times each, after one round that does not count.

    An action that returns a number of seconds has taken its own time, others are timed from outside.
    """
    taken: dict[str, list[float]] = {name: [] for name in actions}
    for number in range(runs + 1):
        for name, action in actions.items():
            gc.collect()
            start = time.perf_counter()
            result = action()
            elapsed = time.perf_counter() - start
            if number:
                taken[name].append(result if isinstance(result, float) else elapsed)
            del result
    return {name: Times(tuple(seconds)) for name, seconds in taken.items()}


def process(command: Sequence[str], code: int = 0) -> Callable[[], None]:
    """Return what runs a whole process, its output thrown away; it is to exit with that code."""

    def run() -> None:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        if done.returncode != code:
            raise subprocess.CalledProcessError(done.returncode, command)

    return run


def processor_time(command: Sequence[str]) -> Callable[[], float]:
    """Return what runs a whole process, its output thrown away, and returns the seconds of processor time it took."""
    # As an installed package, whose modules are compiled to byte code once.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def run() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return run


def printed_by(code: str, *arguments: str) -> float:
    """Return the number that Python code prints in a fresh process."""
    command = [sys.executable, "-c", code, *arguments]
    return float(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def bitcodec_command(*arguments: str) -> list[str]:
    """Return how this interpreter's environment runs `bitcodec`."""
    return [str(_SCRIPT), *arguments] if _SCRIPT.is_file() else [sys.executable, "-m", "bitcodec", *arguments]


def llvm_tool(name: str) -> str | None:
    """Return the path of one of LLVM's tools, of version 22 where there are several."""
    return shutil.which(f"{name}-22") or shutil.which(name)
