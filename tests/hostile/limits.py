"""Limits of a case: processor time and memory in proportion to the input, measured in the worker itself."""

from __future__ import annotations

import resource
import signal
import time
from pathlib import Path
from types import FrameType

MAX_SECONDS = 5.0
"""Of processor time, for each `SECONDS_FOR` bytes of input or part of them."""
SECONDS_FOR = 100_000
MAX_BYTES_PER_BYTE = 60
MAX_BYTES = 100 << 20
"""Of memory, over what the input alone may take."""
ADDRESS_SPACE = 4 << 30
"""Bytes; a worker that asks for more gets a MemoryError, not the machine."""
_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")


class OutOfTimeError(BaseException):
    """A case took too long; no handler of `Exception` catches it."""


class OverLimitError(Exception):
    """A case took more time or memory than its input allows."""


class Meter:
    """Measures one case after another.

    Args:
        slowness: what the limits are multiplied by, for builds that are slow on purpose.
    """

    def __init__(self, slowness: float = 1.0) -> None:
        self._slowness = slowness
        self._start = 0.0
        self._size = 0
        self._resident = 0
        signal.signal(signal.SIGPROF, _stop)

    def start(self, size: int) -> None:
        """Begin a case with an input of `size` bytes."""
        self._size = size
        _CLEAR.write_text("5")
        self._resident = _memory("VmRSS")
        self._start = _processor_time()
        signal.setitimer(signal.ITIMER_PROF, 2 * self._max_seconds)

    def stop(self) -> float:
        """End a case and return its processor time in seconds.

        Raises:
            OverLimitError: it took too long, or too much memory.
        """
        signal.setitimer(signal.ITIMER_PROF, 0)
        seconds = _processor_time() - self._start
        grown = _memory("VmHWM") - self._resident
        if seconds > self._max_seconds:
            raise OverLimitError(f"{seconds:.1f} s of processor time for {self._size} bytes")
        if grown > (MAX_BYTES + MAX_BYTES_PER_BYTE * self._size) * self._slowness:
            raise OverLimitError(f"{grown >> 20} MB for {self._size} bytes")
        return seconds

    def cancel(self) -> None:
        """End a case that failed."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    @property
    def _max_seconds(self) -> float:
        return MAX_SECONDS * max(1.0, self._size / SECONDS_FOR) * self._slowness


def limit_address_space() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise OutOfTimeError


def _processor_time() -> float:
    """Return the seconds of this thread: while a timer runs, Linux counts those of a process in ticks."""
    return time.thread_time()


def _memory(name: str) -> int:
    """Return a figure of the memory of this process, in bytes."""
    text = _STATUS.read_text(encoding="ascii")
    start = text.index(name) + len(name) + 1
    return int(text[start : text.index("kB", start)]) << 10
