"""The cyclic garbage collector is off while many objects are made, and on again afterwards, whatever happens."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from threading import Barrier, Thread
from types import FrameType
from typing import Any

import pytest

from amounts import amount
from bitcodec.host import collection
from bitcodec.host.collection import ObjectGrowth, collect_rarely, without_collection


@pytest.fixture(autouse=True)
def _enabled() -> Iterator[None]:
    assert gc.isenabled()
    thresholds, callbacks = gc.get_threshold(), list(gc.callbacks)
    gc.unfreeze()  # what was collected by pytest
    yield
    gc.freeze()
    gc.enable()
    gc.set_threshold(*thresholds)
    gc.callbacks[:] = callbacks


@pytest.mark.parametrize("growth", [None, ObjectGrowth()])
def test_it_is_off_meanwhile(growth: ObjectGrowth | None) -> None:
    with without_collection(growth):
        assert not gc.isenabled()
        with without_collection():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    assert not gc.get_freeze_count()


def test_it_stays_off_if_it_was() -> None:
    gc.disable()
    with without_collection():
        assert not gc.isenabled()
    assert not gc.isenabled()


def test_an_error_switches_it_on() -> None:
    with pytest.raises(KeyError), without_collection():
        raise KeyError
    assert gc.isenabled()


def test_pauses_that_overlap_do_not_keep_it_off() -> None:
    """The one that switched it off switches it on, or threads that take turns would never let it run."""
    first, second = without_collection(), without_collection()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_threads_leave_it_on() -> None:
    barrier = Barrier(8)

    def run() -> None:
        barrier.wait()
        for _ in range(2_000):
            with without_collection():
                pass

    threads = [Thread(target=run) for _ in range(8)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert gc.isenabled()


def name_of(frame: FrameType | None) -> str:
    return "" if frame is None else frame.f_code.co_name


def pause(at: int) -> int:
    """Pause it, with an exception at an event of the code that does it; return how many events there were."""
    events = 0

    def trace(frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal events
        if frame.f_code.co_filename != collection.__file__ or "__del__" in (name_of(frame), name_of(frame.f_back)):
            return None  # what is raised in a finalizer, Python drops
        events += 1
        if events == at:
            raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        with without_collection():
            pass
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)
    return events


def test_an_exception_in_between_switches_it_on() -> None:
    count = pause(0)
    assert count > 10
    for at in range(1, count + 1):
        pause(at)
        gc.collect(1)
        assert gc.isenabled(), f"event {at}"


class _Cycle:
    """Something that only the collector frees."""

    def __init__(self) -> None:
        self.itself = self
        self.many = [[] for _ in range(150_000)]  # type: ignore[var-annotated]


@pytest.mark.whole
def test_what_nobody_has_any_more_is_freed() -> None:
    """Even if everything is made while nothing is collected."""
    first = len(gc.get_objects())
    most = 0
    for _ in range(20):
        with without_collection(ObjectGrowth()):
            _Cycle()
        most = max(most, len(gc.get_objects()))
    assert most < 2 * first + 800_000


def full_collections() -> int:
    collections: int = gc.get_stats()[-1]["collections"]
    return collections


def test_a_program_that_collects_garbage_itself_does_not_wait_for_it_twice() -> None:
    for _ in range(amount(2, 6)):
        gc.collect()
        before = full_collections()
        with without_collection(ObjectGrowth()):
            _Cycle()
        assert full_collections() == before


@pytest.mark.whole
def test_a_full_collection_before_the_last_module_does_not_keep_garbage() -> None:
    """Only what has been made before it has been looked at."""
    gc.collect()
    before = full_collections()
    for _ in range(40):
        with without_collection(ObjectGrowth()):
            _Cycle()
    assert full_collections() > before


def test_what_grows_in_small_steps_is_not_looked_through() -> None:
    growth, whole = ObjectGrowth(), list[list[list[int]]]()
    for _ in range(400):
        with without_collection(growth):
            whole.append([[] for _ in range(1000)])
    young = {id(found) for generation in (0, 1) for found in gc.get_objects(generation)}
    assert not [part for step in whole[200:] for part in step if id(part) in young]


def test_a_small_whole_is_left_to_the_collector() -> None:
    growth = ObjectGrowth()
    with without_collection(growth):
        whole = [[] for _ in range(1000)]  # type: ignore[var-annotated]
    assert any(found is whole for generation in (0, 1) for found in gc.get_objects(generation))


def test_a_process_of_many_small_modules_reuses_memory_early() -> None:
    """Nothing is collected while a command starts; later, garbage does not grow beyond a few modules."""
    collect_rarely()
    collect_rarely()
    at_first = gc.get_threshold()[0]
    gc.collect(0)
    later = gc.get_threshold()[0]
    gc.collect(0)
    assert at_first == 40 * later == 100_000
    assert gc.get_threshold()[0] == later
