"""Worker processes, and what becomes of those that crash, hang, or grow."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from .causes import Cause

BATCH = 64
"""Cases that a worker is given at once."""
CASES_OF_A_WORKER = 4000
"""After so many cases a worker is replaced by a new one."""
MAX_SILENCE = 90.0
"""Seconds without a line, after which a worker hangs; loops in C notice no signal."""


class Result(NamedTuple):
    """What came of a case.

    Attributes:
        number: of the case.
        digest: of what it gave, "" if that differs from time to time.
        refused: whether the input was refused, by a documented error.
        seconds: of processor time.
        cause: why it failed, None if it did not.
        message: of the error.
        name: of the case that failed.
    """

    number: int
    digest: str
    refused: bool
    seconds: float
    cause: Cause | None = None
    message: str = ""
    name: str = ""

    @classmethod
    def of_line(cls, line: bytes) -> Result:
        number, digest, refused, seconds, *failure = json.loads(line)
        if not failure:
            return cls(number, digest, refused, seconds)
        kind, frame, message, name = failure
        return cls(number, digest, refused, seconds, Cause(kind, frame), message, name)


class Worker:
    """A process that runs cases.

    Args:
        source: folder of the package; None for the one that is installed.
        options: of `worker`.
        slowness: what limits are multiplied by.
    """

    def __init__(self, source: Path | None, options: list[str], slowness: float) -> None:
        self._environment = dict(os.environ)
        if source is not None:
            self._environment["PYTHONPATH"] = str(source)
        self._options = options
        self._slowness = slowness
        self._process: subprocess.Popen[bytes] | None = None
        self._done = 0
        self._text = b""

    def run(self, first: int, last: int) -> Iterator[Result]:
        """Run the cases `first` to `last`, the latter excluded; one that ends the process is a failure."""
        while first < last:
            process = self._started()
            assert process.stdin is not None
            process.stdin.write(f"{first} {last}\n".encode())
            process.stdin.flush()
            while first < last:
                line = self._line(process)
                if line is None:
                    yield self._died(first)
                    first += 1
                    break
                result = Result.of_line(line)
                first = result.number + 1
                self._done += 1
                yield result

    def stop(self) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait()
            self._close()

    def _close(self) -> None:
        """Close the pipes of a process that has ended."""
        assert self._process is not None
        self._errors.text()
        for file in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert file is not None
            with suppress(BrokenPipeError):
                file.close()
        self._process = None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._done >= CASES_OF_A_WORKER:
            self.stop()
        if self._process is None:
            command = [sys.executable, "-X", "faulthandler", "-m", "tests.hostile.worker", *self._options]
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self._environment
            )
            self._errors = _Tail(self._process.stderr)
            self._text = b""
            self._done = 0
        return self._process

    def _line(self, process: subprocess.Popen[bytes]) -> bytes | None:
        """Return the next line; None if the process ended, or was ended because it is silent for too long."""
        assert process.stdout is not None
        while b"\n" not in self._text:
            if not select.select([process.stdout], [], [], MAX_SILENCE * self._slowness)[0]:
                process.send_signal(signal.SIGABRT)  # faulthandler then says where it hangs
                return None
            piece = os.read(process.stdout.fileno(), 1 << 16)
            if not piece:
                return None
            self._text += piece
        line, _, self._text = self._text.partition(b"\n")
        return line

    def _died(self, number: int) -> Result:
        assert self._process is not None
        code = self._process.wait()
        text = self._errors.text()
        kind = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        if "AddressSanitizer" in text or "runtime error" in text:
            kind = "sanitizer"
        lines = [line.strip() for line in text.splitlines() if "bitcodec/" in line or "ERROR:" in line]
        self._close()
        return Result(number, "", False, 0.0, Cause(kind, lines[0] if lines else ""), text[-3000:], "?")


class _Tail:
    """Keeps the last of what a process says on standard error."""

    def __init__(self, file: IO[bytes] | None) -> None:
        assert file is not None
        self._text = b""
        self._thread = threading.Thread(target=self._read, args=(file,), daemon=True)
        self._thread.start()

    def _read(self, file: IO[bytes]) -> None:
        for line in file:
            self._text = (self._text + line)[-20_000:]

    def text(self) -> str:
        self._thread.join(5)
        return self._text.decode(errors="replace")


class Batches:
    """Hands out ranges of numbers until they are used up, or somebody says stop."""

    def __init__(self, first: int, last: int) -> None:
        self._next = first
        self._last = last
        self._lock = threading.Lock()

    def take(self) -> tuple[int, int] | None:
        with self._lock:
            if self._next >= self._last:
                return None
            start = self._next
            self._next = min(self._last, start + BATCH)
            return start, self._next

    def stop(self) -> None:
        with self._lock:
            self._last = self._next


def run_all(batches: Batches, workers: list[Callable[[int, int], None]]) -> None:
    """Let each worker, in a thread of its own, take batches until there are none."""

    def work(run: Callable[[int, int], None]) -> None:
        while (batch := batches.take()) is not None:
            run(*batch)

    threads = [threading.Thread(target=work, args=(run,)) for run in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
