"""Lazy reading under threads and interrupts: the same text as without them, or a clear error."""

from __future__ import annotations

import random
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import FrameType
from typing import Any

from bitcodec import BitcodecError, InterruptedReadError, asm
from bitcodec.bitcode.loading import loads_all
from bitcodec.ir import Module
from bitcodec.verifier import verify

Pieces = Iterator[str | bytes]
THREADS = 4
_SWITCH_INTERVAL = 1e-6
_MAX_EVENTS = 200_000


class DisturbedError(Exception):
    """What was read is another than without threads or interrupts."""


class Interruption(BaseException):
    """Stands for what a signal handler raises."""


def outcome_of(action: Callable[[], str]) -> str:
    try:
        return action()
    except BitcodecError as error:
        return f"{type(error).__name__}: {error}"


def text_of(module: Module) -> str:
    return "".join(asm.module_text(module))


def _touch(module: Module, source: random.Random) -> None:
    """Materialize some part of a module."""
    verbs: list[Callable[[], object]] = [
        module.materialize,
        lambda: [str(function) for function in list(module.functions)[:3]],
        lambda: [list(value.users) for value in list(module.globals)[:3]],
        lambda: {name: list(named.operands) for name, named in module.named_metadata.items()},
        lambda: verify(module),
        lambda: module.summary,
        lambda: text_of(module),
    ]
    source.choice(verbs)()


def threads(source: random.Random, data: bytes) -> Pieces:
    """Read one module by several threads, each in another order; each text is that of one thread alone."""
    expected = [outcome_of(lambda module=module: text_of(module)) for module in loads_all(data)]  # type: ignore[misc]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        for module, text in zip(loads_all(data), expected, strict=True):
            for outcome in _outcomes_of_threads(module, [source.random() for _ in range(THREADS)]):
                if isinstance(outcome, BaseException):
                    raise outcome
                # Of several faults, which one is found first depends on what is read first.
                if outcome != text and not (_is_refused(text) and _is_refused(outcome)):
                    raise DisturbedError(f"another text by threads: {difference(text, outcome)}")
            yield text
    finally:
        sys.setswitchinterval(interval)


def _outcomes_of_threads(module: Module, seeds: list[float]) -> list[str | BaseException]:
    outcomes: list[str | BaseException] = []
    barrier = threading.Barrier(len(seeds))

    def work(seed: float) -> None:
        barrier.wait()
        try:
            with suppress(BitcodecError):
                _touch(module, random.Random(seed))
            outcomes.append(outcome_of(lambda: text_of(module)))
        except BaseException as error:  # noqa: BLE001 - it belongs to the thread that waits
            outcomes.append(error)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in seeds]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return outcomes


def interrupts(source: random.Random, data: bytes) -> Pieces:
    """Read a module, interrupted at a random place of the code; afterwards it has the same text, or a clear error."""
    kind = source.choice((Interruption, KeyboardInterrupt, MemoryError))
    event = source.choice(("call", "call", "line"))
    seed = source.random()
    expected = [outcome_of(lambda module=module: text_of(module)) for module in loads_all(data)]  # type: ignore[misc]
    count = _Counter(event, None, kind)
    for module in loads_all(data):
        count.run(lambda module=module: _touch(module, random.Random(seed)))  # type: ignore[misc]
    place = source.randrange(1, count.events + 2)
    for module, text in zip(loads_all(data), expected, strict=True):
        _Counter(event, place, kind).run(lambda module=module: _touch(module, random.Random(seed)))  # type: ignore[misc]
        outcome = outcome_of(lambda module=module: text_of(module))  # type: ignore[misc]
        again = outcome_of(lambda module=module: text_of(module))  # type: ignore[misc]
        if again != outcome:
            raise DisturbedError(f"another text the second time: {difference(outcome, again)}")
        if outcome != text and not _is_clear_error(outcome):
            raise DisturbedError(f"another text after {kind.__name__}: {difference(text, outcome)}")
        yield text


def _is_refused(outcome: str) -> bool:
    return outcome.partition(":")[0].endswith("Error")


def _is_clear_error(outcome: str) -> bool:
    return outcome.startswith(InterruptedReadError.__name__) and "\n" not in outcome


class _Counter:
    """Counts events in the code of the package, and raises at one of them if told to."""

    def __init__(self, event: str, place: int | None, kind: type[BaseException]) -> None:
        self._event = event
        self._place = place
        self._kind = kind
        self.events = 0

    def run(self, action: Callable[[], object]) -> None:
        sys.settrace(self._trace)
        try:
            action()
        except (BitcodecError, Interruption, KeyboardInterrupt, MemoryError):
            pass
        finally:
            sys.settrace(None)

    def _trace(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if self.events > _MAX_EVENTS or "bitcodec" not in frame.f_code.co_filename:
            return None
        if event == self._event:
            self.events += 1
            if self.events == self._place:
                raise self._kind
        return self._trace if self._event == "line" else None


def difference(text: str, other: str) -> str:
    """Return the first line in which texts differ, of both."""
    lines, others = text.splitlines(), other.splitlines()
    for line, another in zip(lines, others, strict=False):
        if line != another:
            return f"{line[:80]!r}, now {another[:80]!r}"
    return f"{len(lines)} lines, now {len(others)}"
