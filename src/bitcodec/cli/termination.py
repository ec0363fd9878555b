"""Signals that end a command: temporary files are removed first."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["Terminated", "end_by_signal", "handle_signals"]

_NAMES = (
    "SIGHUP",
    "SIGINT",
    "SIGQUIT",
    "SIGTERM",
    "SIGPIPE",
    "SIGXCPU",
    "SIGALRM",
    "SIGVTALRM",
    "SIGPROF",
    "SIGUSR1",
    "SIGUSR2",
)
_SIGNALS = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
"""Signals whose default action ends a process, and which a process may handle."""


class Terminated(BaseException):
    """A signal ends the command.

    Attributes:
        number: of the signal.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def handle_signals() -> None:
    """Raise `Terminated` in the main thread at the first signal that ends a command; the second one ends it at once.

    A signal that whoever started the process has it ignore, as nohup does, stays ignored.
    """
    for number in _SIGNALS:
        # Python itself ignores SIGPIPE, so that writing raises an error; a command ends silently, as any other tool.
        if signal.getsignal(number) is not signal.SIG_IGN or number == getattr(signal, "SIGPIPE", None):
            signal.signal(number, _terminate)


def end_by_signal(number: int) -> NoReturn:
    """End the process as a signal does, so that a shell reports status 128 + `number`; nothing is left behind."""
    from bitcodec.files import remove_unfinished  # noqa: PLC0415 - few commands write files

    remove_unfinished()
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    os._exit(128 + number)  # where signals do not end processes


def _terminate(number: int, _frame: FrameType | None) -> NoReturn:
    for each in _SIGNALS:
        if signal.getsignal(each) is _terminate:
            signal.signal(each, _end_at_once)
    raise Terminated(number)


def _end_at_once(number: int, _frame: FrameType | None) -> NoReturn:
    end_by_signal(number)
