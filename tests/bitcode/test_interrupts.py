"""An exception from outside in the middle of reading never leaves a module that reads as something else.

Afterwards the module has the text that it would have had, or refuses to be read with a clear error.
`BITCODEC_READINGS` says for how many files of the corpus, or `all`; `BITCODEC_INTERRUPTS` how many of each file.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import FrameType
from typing import Any

import pytest

import bitcodec
from bitcode.readings import DATA, READINGS, TEXT, Reading, digest, expected, files
from bitcodec.bitcode.malformed import Malformed
from bitcodec.bitcode.reader import functions
from bitcodec.bitcode.reader.functions import FunctionReader
from bitcodec.errors import BitcodecError, InterruptedReadError, PlacedError
from bitcodec.ir.functions import Function
from bitcodec.ir.module import Module
from bitcodec.sentences import Sentence

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""Python drops exceptions in generators that go away, and says so."""

SOURCES = str(Path(bitcodec.__file__).parent)
INTERRUPTS = int(os.environ.get("BITCODEC_INTERRUPTS", "2"))
REFUSAL = r"^reading was interrupted( \(\w+\))?; open the module again$"


class Timeout(Exception):  # noqa: N818 - named like those that programs raise in handlers of signals
    """What a program may raise in a handler of a signal."""


class OddValueError(ValueError):
    """The same, of a class that readers know."""


class OddIndexError(IndexError):
    """Another one."""


KINDS: tuple[type[BaseException], ...] = (KeyboardInterrupt, MemoryError, Timeout, OddValueError, OddIndexError)


class Interrupter:
    """Raises an exception at an event of the code of bitcodec, in between bytecodes: at a line, a call, a return.

    Args:
        at: at which event, counted from 1; 0 counts them all.
        kind: the exception.
    """

    def __init__(self, at: int, kind: type[BaseException] = KeyboardInterrupt) -> None:
        self.events = 0
        self._at = at
        self._kind = kind

    def run(self, do: Callable[[], object]) -> object:
        """Do something; return what it returns, or the exception that it raises."""
        sys.settrace(self._trace)
        try:
            return do()
        except (*KINDS, BitcodecError) as error:
            return error
        finally:
            sys.settrace(None)

    def _trace(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(SOURCES) or is_of_finalizer(frame):
            return None
        self.events += 1
        if self.events == self._at:
            raise self._kind
        return self._trace


def is_of_finalizer(frame: FrameType) -> bool:
    """Return whether Python drops what a frame raises."""
    return "__del__" in (frame.f_code.co_name, "" if frame.f_back is None else frame.f_back.f_code.co_name)


def in_thread(do: Callable[[], object]) -> object:
    """Return what another thread gets, or raises, for what was interrupted may hold a lock for ever."""
    results: list[object] = []

    def run() -> None:
        try:
            results.append(do())
        except BitcodecError as error:
            results.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(60)
    assert results, "it waits for ever"
    return results[0]


def check(module: Module, path: Path) -> bool:
    """Check what an interrupted module says now; return whether it can still be read."""
    is_readable = True
    for reading in (TEXT, READINGS[1], READINGS[2]):
        found = in_thread(lambda reading=reading: reading.do(module))  # type: ignore[misc]
        if isinstance(found, BitcodecError):
            # What a reader takes for a malformed record it refuses as such.
            assert isinstance(found, PlacedError) or re.match(REFUSAL, str(found))
            is_readable = False
        else:
            assert expected(path, reading) in (None, digest(found)), reading.name
    return is_readable


def interrupt(path: Path, reading: Reading, at: int, kind: type[BaseException]) -> bool:
    """Interrupt a reading of a fresh module, check the module, and return whether it can still be read."""
    module = bitcodec.open(path)
    Interrupter(at, kind).run(lambda: reading.do(module))
    return check(module, path)


def places(count: int, number: int) -> list[int]:
    """Return numbers of events spread over all of them: for each of several files others."""
    if not count:
        return []
    step = count / INTERRUPTS
    return sorted({1 + int(step * index + (number * 7919) % max(1, int(step))) for index in range(INTERRUPTS)})


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_what_is_interrupted_reads_the_same_or_is_refused(path: Path) -> None:
    expected(path, TEXT)  # which fills what is made once in a process
    number = files().index(path)
    reading = READINGS[number % len(READINGS)]
    counter = Interrupter(0)
    module = bitcodec.open(path)
    assert not isinstance(counter.run(lambda: reading.do(module)), BaseException)
    for index, at in enumerate(places(counter.events, number)):
        interrupt(path, reading, at, KINDS[(number + index) % len(KINDS)])


def test_parts_that_are_complete_stay_readable() -> None:
    path = next(path for path in files() if path.name.startswith("exceptions"))

    def interrupted(event: int) -> tuple[Module, Function, str, Interrupter]:
        module = bitcodec.open(path)
        first, *others = [function for function in module.functions if not function.is_declaration]
        text, interrupter = str(first), Interrupter(event)
        interrupter.run(lambda: [function.blocks for function in others])
        return module, first, text, interrupter

    names = [function.name for function in bitcodec.open(path).functions]
    middle = interrupted(0)[3].events // 2
    # In between two bodies nothing is interrupted.
    for event in range(middle, middle + 100):
        module, first, text, _ = interrupted(event)
        with suppress(InterruptedReadError):
            module.materialize()
            continue
        break
    with pytest.raises(InterruptedReadError, match=r"^reading was interrupted \(KeyboardInterrupt\); open the module"):
        module.materialize()
    assert str(first) == text
    assert [function.name for function in module.functions] == names
    assert module.target_triple == bitcodec.open(path).target_triple
    assert len(bitcodec.open(path).functions) == len(names), "another module is none the worse for it"


def test_a_callback_that_raises_interrupts_no_reading() -> None:
    """What is read so far is complete whenever progress is told."""
    path = next(path for path in files() if path.name.startswith("exceptions"))
    module = bitcodec.open(path)

    def progress(number: int) -> None:
        if number == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        module.materialize(progress)
    assert check(module, path)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs timers that send signals")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_signals(kind: type[BaseException]) -> None:
    """The same with what really comes in between bytecodes, and in compiled code."""
    path = next(path for path in files() if path.name.startswith("ir_metadata"))
    expected(path, TEXT)
    raised = 0

    def handle(_number: int, frame: FrameType | None) -> None:
        nonlocal raised
        if frame is not None and frame.f_code.co_filename.startswith(SOURCES) and not is_of_finalizer(frame):
            raised += 1
            raise kind

    before = signal.signal(signal.SIGALRM, handle)
    try:
        for number in range(12):
            module = bitcodec.open(path)
            signal.setitimer(signal.ITIMER_REAL, 1e-5 * (1 + number * 60))
            with suppress(kind, BitcodecError):
                str(module)
            signal.setitimer(signal.ITIMER_REAL, 0)
            check(module, path)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert raised


def test_what_is_half_linked_does_not_hide_the_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """The users of a value need not fit its operands when an exception comes in between."""

    def interrupt(self: FunctionReader, _: object) -> None:
        user = next(each for each in self._instructions if each.operands)
        user.operands[0]._uses.clear()
        raise KeyboardInterrupt

    monkeypatch.setattr(FunctionReader, "_finish", interrupt)
    module = bitcodec.open(Path(__file__).parents[2] / "examples" / "hello.bc")
    with pytest.raises(KeyboardInterrupt):
        module.functions["main"].materialize()
    with pytest.raises(InterruptedReadError):
        _ = module.functions["main"].blocks


def test_a_body_that_was_refused_is_refused_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused after locals have names may have left some behind: it is not read a second time."""
    module = bitcodec.open(DATA / "ir_metadata-22.bc")
    name_locals = functions.name_locals

    def fail(*arguments: Any) -> None:
        name_locals(*arguments)
        raise Malformed(Sentence("for this test"))

    with monkeypatch.context() as patch:
        patch.setattr(functions, "name_locals", fail)
        with pytest.raises(BitcodecError, match="for this test"):
            module.materialize()
    with pytest.raises(BitcodecError, match="for this test"):
        TEXT.do(module)
