"""The time that a process uses, so that a limit does not depend on the load of the machine."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic

__all__ = ["Stopwatch"]

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_STATE, _USER, _SYSTEM = 0, 11, 12
"""Fields of `/proc/PID/stat` behind the name of the program."""
_WAITS_FOR_CPU = "R"


class Stopwatch:
    """Measures the time of a process: time on the processor, and time in which it waits for anything but the processor.

    A process that only waits because the machine is busy uses no time.  Where `/proc` does not exist, the time on the
    wall counts.

    Args:
        process_id: of the process.
    """

    def __init__(self, process_id: int) -> None:
        self._path = Path(f"/proc/{process_id}/stat")
        self.restart()

    def restart(self) -> None:
        """Count from now on."""
        self._used, self._last, self._waited = self._cpu_time()[0], monotonic(), 0.0
        self._latest = self._used

    def seconds(self) -> float:
        """Return the seconds since the count began; called often, because it reads the current state of the process."""
        used, state = self._cpu_time()
        now = monotonic()
        if used is None or self._used is None or (used == self._latest and state != _WAITS_FOR_CPU):
            self._waited += now - self._last
        self._last, self._latest = now, used
        return self._waited + ((used or 0.0) - (self._used or 0.0))

    def _cpu_time(self) -> tuple[float | None, str]:
        """Return seconds of CPU time and the state of the process; None if they are unknown."""
        try:
            fields = self._path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            return (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICKS, fields[_STATE]
        except (OSError, ValueError, IndexError):
            return None, ""
