"""The lock that parts are read with: one reader at a time, none after an interrupted one."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

import pytest

from bitcodec.errors import BitcodecError, InterruptedReadError
from bitcodec.ir.lazy import DeferredPart, DeferredStep, MaterializationLock


class StepHolder:
    """Has a slot for a step."""

    def __init__(self, lock: MaterializationLock, read: Callable[[], None]) -> None:
        self.step: DeferredStep | None = DeferredStep(lock, read)

    def read(self) -> None:
        if self.step is not None:
            self.step.fill(self, "step")


class Holder:
    """Has a slot for a part."""

    def __init__(self, lock: MaterializationLock, read: Callable[[], object]) -> None:
        self.part: object = DeferredPart(lock, read)

    @property
    def read(self) -> object:
        """The part."""
        part = self.part
        return part.fill(self, "part") if isinstance(part, DeferredPart) else part


def refuse() -> None:
    raise BitcodecError("malformed")


def interrupt() -> None:
    raise KeyboardInterrupt


@pytest.fixture
def lock() -> MaterializationLock:
    return MaterializationLock()


def test_what_reads_may_read_more(lock: MaterializationLock) -> None:
    assert lock.run(lock.run, lock.run_exclusively, max, 3, 4) == 4


def test_a_refusal_has_no_consequences(lock: MaterializationLock) -> None:
    for _ in range(2):
        with pytest.raises(BitcodecError, match="malformed"):
            lock.run(refuse)
    assert lock.run(int) == 0


def test_a_refusal_inside_may_be_caught(lock: MaterializationLock) -> None:
    def read() -> str:
        with pytest.raises(BitcodecError, match="malformed"):
            lock.run(refuse)
        return "read all the same"

    assert lock.run(read) == "read all the same"
    assert lock.run(int) == 0


@pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError, ValueError, GeneratorExit])
def test_nothing_is_read_after_an_interrupted_read(lock: MaterializationLock, kind: type[BaseException]) -> None:
    def read() -> None:
        raise kind

    holder, unread = Holder(lock, lambda: "complete"), Holder(lock, list)
    step = StepHolder(lock, lambda: None)
    assert holder.read == "complete"
    with pytest.raises(kind):
        lock.run(lock.run, read)
    for again in (lambda: lock.run(int), lambda: unread.read, step.read):
        with pytest.raises(InterruptedReadError) as caught:
            again()
        assert str(caught.value) == f"reading was interrupted ({kind.__name__}); open the module again"
        assert caught.value.interruption == kind.__name__
    assert holder.read == "complete"
    assert lock.run_exclusively(int) == 0


def test_an_exception_where_nothing_is_read_has_no_consequences(lock: MaterializationLock) -> None:
    with pytest.raises(KeyboardInterrupt):
        lock.run_exclusively(interrupt)
    assert lock.run(int) == 0


def test_an_unknown_interruption_is_refused_too() -> None:
    assert str(InterruptedReadError()) == "reading was interrupted; open the module again"


def test_other_threads_wait_for_a_part(lock: MaterializationLock) -> None:
    begun, go_on = Event(), Event()
    made: list[list[int]] = []

    def read() -> list[int]:
        found: list[int] = []
        made.append(found)
        begun.set()
        assert go_on.wait(60)
        found.append(1)
        return found

    holder = Holder(lock, read)
    results: list[object] = []
    first = Thread(target=lambda: results.append(holder.read))
    first.start()
    assert begun.wait(60)
    others = [Thread(target=lambda: results.append(holder.read)) for _ in range(4)]
    for thread in others:
        thread.start()
    assert isinstance(holder.part, DeferredPart), "it is not complete"
    assert not results
    go_on.set()
    for thread in (first, *others):
        thread.join()
    assert len(made) == 1
    assert all(result is made[0] for result in results)
    assert len(results) == 5


def test_a_part_that_needs_itself_stays_unread_until_it_is_complete(lock: MaterializationLock) -> None:
    depth = 0

    def read() -> int:
        nonlocal depth
        depth += 1
        if depth == 1:
            assert holder.read == 2, "an inner one, for the outer one alone"
            assert isinstance(holder.part, DeferredPart)
            return 1
        return depth

    holder = Holder(lock, read)
    assert holder.read == 1
    assert holder.part == 1


def test_a_part_under_way_is_not_read_again_inside(lock: MaterializationLock) -> None:
    reads: list[int] = []

    def read() -> None:
        reads.append(len(reads))
        assert not lock.run_once("part", read)

    assert lock.run_once("part", read)
    assert reads == [0]


def test_a_step_under_way_is_not_done_again_inside(lock: MaterializationLock) -> None:
    reads: list[int] = []

    def read() -> None:
        reads.append(len(reads))
        holder.read()
        assert holder.step is not None, "it is not complete"

    holder = StepHolder(lock, read)
    for _ in range(2):
        holder.read()
        assert holder.step is None
    assert reads == [0]


def test_a_step_that_was_done_in_between_is_not_done_again(lock: MaterializationLock) -> None:
    reads: list[int] = []
    holder = StepHolder(lock, lambda: reads.append(1))
    step = holder.step
    assert step is not None
    for _ in range(2):
        step.fill(holder, "step")
    assert reads == [1]


def test_arguments_of_what_reads(lock: MaterializationLock) -> None:
    holder = Holder(lock, int)
    holder.part = DeferredPart(lock, max, 3, 4)
    assert holder.read == 4


def test_a_refused_part_is_refused_with_the_same_error(lock: MaterializationLock) -> None:
    attempts: list[int] = []

    def read() -> None:
        attempts.append(1)
        raise BitcodecError("malformed", len(attempts))

    errors = []
    holder = StepHolder(lock, read)
    for _ in range(3):
        with pytest.raises(BitcodecError) as caught:
            holder.read()
        errors.append(caught.value)
    assert [error.args for error in errors] == [("malformed", 1)] * 3
    assert len({*map(id, errors)}) == 3
    StepHolder(lock, lambda: None).read()
