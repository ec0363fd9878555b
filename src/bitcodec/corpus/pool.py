"""A pool of processes that read files: a file that takes too long, needs too much memory or ends a process is given up.

A worker is a separate process (`worker`), not a fork, so programs with threads can use the pool, and no worker
imports the program again.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import deque
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from bitcodec.corpus.clocks import Stopwatch
from bitcodec.corpus.problems import CorpusProblem
from bitcodec.errors import BitcodecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

__all__ = ["Limits", "Pool", "Task"]

_TICK = 0.05
"""Seconds between two checks of the limits."""
_SECONDS_FOR_MEGABYTE = 10
_RECYCLED = 160 << 20
"""A worker whose memory has grown to this many bytes is replaced after its task."""
_PACKAGES = str(Path(__file__).parents[2])
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Limits:
    """Limits for one file, or one member of an archive.

    Attributes:
        seconds: the longest time, to which each megabyte adds 10 seconds.  CPU time and waiting for input count,
            waiting for a busy processor does not; where `/proc` does not exist, it does.
        memory: the most memory in bytes that a worker may use; enforced on Linux only.
    """

    def __init__(self, seconds: float = 60.0, memory: int = 1 << 30) -> None:
        self.seconds = seconds
        self.memory = memory

    def seconds_for(self, size: int) -> float:
        """Return the longest time for something of a size in bytes."""
        return self.seconds + size / (1 << 20) * _SECONDS_FOR_MEGABYTE


class Task:
    """A task of a worker.

    Attributes:
        name: of the part that it makes.
        message: the message for the worker, as JSON.
        failures: the items that have been given up, and why.
    """

    def __init__(self, name: str, message: dict[str, Any]) -> None:
        self.name = name
        self.message = message
        self.failures: dict[int, CorpusProblem] = {}

    @property
    def text(self) -> str:
        """The message as a line."""
        return json.dumps({**self.message, "name": self.name, "failures": self.failures}) + "\n"


class _Worker:
    """A process, and its current task."""

    def __init__(self, answers: SimpleQueue[tuple[_Worker, dict[str, Any] | None]]) -> None:
        paths = [_PACKAGES, *filter(None, [os.environ.get("PYTHONPATH")])]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bitcodec.corpus.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            text=True,
            encoding="ascii",
        )
        self.task: Task | None = None
        self.item: int | None = None
        self.size = 0
        self.stopwatch = Stopwatch(self.process.pid)
        self.stopped: CorpusProblem | None = None
        self._answers = answers
        Thread(target=self._listen, daemon=True).start()

    def start(self, task: Task) -> None:
        """Give the worker a task."""
        self.task, self.item = task, None
        with suppress(OSError):  # if it has ended, that is its answer
            self.process.stdin.write(task.text)  # type: ignore[union-attr] # it is a pipe
            self.process.stdin.flush()  # type: ignore[union-attr]

    def check(self, limits: Limits, memory: int) -> None:
        """End the process if it has reached a limit; `memory` is its use, in bytes."""
        if self.item is None or self.item < 0 or self.stopped is not None:
            return
        if self.stopwatch.seconds() > (longest := limits.seconds_for(self.size)):
            self._stop(CorpusProblem("time", f"reading took longer than {longest:g} seconds"))
        elif memory > limits.memory:
            self._stop(CorpusProblem("memory", f"reading needed more than {limits.memory >> 20} MB of memory"))

    @property
    def memory(self) -> int | None:
        """Private memory in bytes, without mapped files; None if unknown."""
        try:
            _, resident, shared, *_ = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()
        except (OSError, ValueError):
            return None
        return (int(resident) - int(shared)) * _PAGE

    @property
    def end(self) -> CorpusProblem:
        """Reason for the end of the process."""
        if self.stopped is not None:
            return self.stopped
        code = self.process.wait()
        reason = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        return CorpusProblem("crash", f"the process that read it ended with {reason}")

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin,):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]

    def _stop(self, reason: CorpusProblem) -> None:
        self.stopped = reason
        self.process.kill()

    def _listen(self) -> None:
        """Pass on the answers of the worker, and None when it has ended."""
        with suppress(OSError, ValueError):
            for line in self.process.stdout:  # type: ignore[union-attr]
                self._answers.put((self, json.loads(line)))
        self.process.stdout.close()  # type: ignore[union-attr]
        self._answers.put((self, None))


class Pool:
    """Workers, used in a `with` statement.

    Args:
        size: how many.
        limits: for each item of a task.

    Attributes:
        peak: the most memory in bytes that a worker has used, 0 if unknown.
    """

    def __init__(self, size: int, limits: Limits) -> None:
        self.peak = 0
        self._checked = 0.0
        self._size = size
        self._limits = limits
        self._answers: SimpleQueue[tuple[_Worker, dict[str, Any] | None]] = SimpleQueue()
        self._workers: list[_Worker] = []

    def run(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, dict[str, Any]]]:
        """Yield each task with its answer, as they are completed.

        Raises:
            BitcodecError: workers cannot start.
            OSError: a worker cannot write.
        """
        pending = deque(tasks)
        busy = 0
        while pending or busy:
            busy += self._assign(pending)
            done = self._next_answer(pending)
            if done is not None:
                task, answer = done
                busy -= 1
                if answer is not None:
                    yield task, answer

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.close()
        self._workers.clear()

    def _assign(self, pending: deque[Task]) -> int:
        """Give tasks to idle workers, and return how many."""
        count = 0
        idle = [worker for worker in self._workers if worker.task is None]
        while pending and (idle or len(self._workers) < self._size):
            if not idle:
                idle.append(_Worker(self._answers))
                self._workers.append(idle[-1])
            idle.pop().start(pending.popleft())
            count += 1
        return count

    def _next_answer(self, pending: deque[Task]) -> tuple[Task, dict[str, Any] | None] | None:
        """Return a task with its answer; with None if its worker has ended, which makes it pending again."""
        try:
            worker, message = self._answers.get(timeout=_TICK)
        except Empty:
            worker, message = None, {}
        self._check_limits()
        if worker is None or worker not in self._workers:
            return None
        if message is None:
            return self._replace(worker, pending)
        if "at" in message:
            worker.item, worker.size = message["at"], message["size"]
            worker.stopwatch.restart()
            return None
        return self._finish(worker, message)

    def _check_limits(self) -> None:
        """End workers that have reached a limit, if the last check was a while ago."""
        if monotonic() - self._checked < _TICK:
            return
        self._checked = monotonic()
        for worker in self._workers:
            if worker.task is not None:
                worker.check(self._limits, self._note_memory(worker))

    def _note_memory(self, worker: _Worker) -> int:
        memory = worker.memory or 0
        self.peak = max(self.peak, memory)
        return memory

    def _finish(self, worker: _Worker, answer: dict[str, Any]) -> tuple[Task, dict[str, Any]]:
        task, worker.task, worker.item = worker.task, None, None
        if "failed" in answer:
            raise OSError(0, answer["failed"], answer["file"])
        if self._note_memory(worker) > _RECYCLED:
            self._workers.remove(worker)
            worker.close()
        assert task is not None  # noqa: S101 - workers answer tasks only
        return task, answer

    def _replace(self, worker: _Worker, pending: deque[Task]) -> tuple[Task, None] | None:
        """Drop a worker that has ended, and queue its task again without the item that it was reading."""
        self._workers.remove(worker)
        end = worker.end
        worker.close()
        if worker.task is None:
            return None
        if worker.item is None or worker.item < 0:
            raise BitcodecError(f"a worker of `bitcodec table` could not work: {end.message}")
        worker.task.failures[worker.item] = end
        pending.appendleft(worker.task)
        return worker.task, None
