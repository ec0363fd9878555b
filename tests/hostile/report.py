"""What a run found, by cause, and how fast it was."""

from __future__ import annotations

import statistics
import threading
import time
from pathlib import Path

from .cases import make_case
from .causes import Cause
from .pool import Result

NAMED = 8
"""Cases that are named of each cause."""
SAVED = 3
"""Cases of each cause whose input is saved."""


class Report:
    """Collects results, from any thread.

    Args:
        families: of the cases.
        folder: where to save the input of those that fail; None to save none.
    """

    def __init__(self, families: tuple[str, ...], folder: Path | None) -> None:
        self._families = families
        self._folder = folder
        self._lock = threading.Lock()
        self._start = time.monotonic()
        self._seconds: list[float] = []
        self._refused = 0
        self.failures: dict[Cause, list[Result]] = {}

    @property
    def count(self) -> int:
        return len(self._seconds)

    def add(self, result: Result) -> None:
        with self._lock:
            self._seconds.append(result.seconds)
            self._refused += result.refused
            if result.cause is not None:
                alike = self.failures.setdefault(result.cause, [])
                alike.append(result)
                if self._folder is not None and len(alike) <= SAVED:
                    save(self._folder, result.number, self._families)

    def text(self, jobs: int) -> str:
        """Return the report, the most frequent cause first."""
        lines = []
        for cause, results in sorted(self.failures.items(), key=lambda pair: -len(pair[1])):
            numbers = ", ".join(str(result.number) for result in sorted(results)[:NAMED])
            first = min(results, key=lambda result: result.number)
            lines += [f"{len(results)} x {cause}", f"    cases {numbers}", f"    {first.name}", f"    {first.message}"]
        elapsed = time.monotonic() - self._start
        failed = sum(map(len, self.failures.values()))
        median = statistics.median(self._seconds) * 1000 if self._seconds else 0.0
        lines.append(
            f"{self.count} cases: {self._refused} refused, {failed} failed of {len(self.failures)} causes; "
            f"{elapsed:.0f} s, {self.count / max(elapsed, 0.001) / jobs:.0f} cases a second and job, "
            f"median {median:.2f} ms, slowest {max(self._seconds, default=0.0):.2f} s of processor time"
        )
        return "\n".join(lines)


def save(folder: Path, number: int, families: tuple[str, ...]) -> None:
    """Write the input of a case to files `N-NAME`."""
    try:
        case = make_case(number, families)
    except Exception as error:  # noqa: BLE001 - making the input is what failed
        (folder / f"{number}-not-made.txt").write_text(repr(error), encoding="utf-8", errors="replace")
        return
    for name, data in case.files.items():
        (folder / f"{number}-{name}").write_bytes(data)
