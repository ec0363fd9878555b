"""Progress on standard error: a bar for work that takes longer than two seconds, if a terminal shows it."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["counted", "shown_files", "shown_progress", "shown_while"]

DELAY = 2.0
"""Seconds before a bar is shown."""

T = TypeVar("T")


class _Screen:
    """The terminal shows one bar at a time: while one is shown, bars of inner work are not."""

    is_taken = False


class _Bar:
    """A bar that is shown from its first update after the delay."""

    def __init__(self, title: str, total: int | None) -> None:
        self._title, self._total = title, total
        self._start = monotonic()
        self._shown: Any = None
        self._task: Any = None

    def update(self, done: int | None = None, title: str | None = None) -> None:
        """Set how much is done, and the title."""
        self._title = title or self._title
        if self._shown is None:
            if _Screen.is_taken or monotonic() - self._start < DELAY:
                return
            self._show()
        if done is not None:
            self._shown.update(self._task, completed=done)
        if title is not None:
            self._shown.update(self._task, description=self._description)

    def _show(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - only where a terminal is shown to
        from rich.progress import Progress  # noqa: PLC0415

        _Screen.is_taken = True
        # Lines that are printed meanwhile go where they belong, not to the terminal of the bar.
        self._shown = Progress(
            console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
        )
        self._task = self._shown.add_task(self._description, total=self._total)
        self._shown.start()

    @property
    def _description(self) -> str:
        from rich.markup import escape  # noqa: PLC0415

        return escape(one_line(self._title))

    def remove(self) -> None:
        """Remove it from the terminal."""
        if self._shown is not None:
            self._shown.stop()
            _Screen.is_taken = False


@contextmanager
def shown_progress(title: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """Yield a function that takes the share of the work that is done; None if nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _Bar(title, total)
    try:
        yield bar.update
    finally:
        bar.remove()


@contextmanager
def shown_files() -> Iterator[Callable[[str, int, int, int, int], None] | None]:
    """Yield a function that takes a title, files and bytes that are done, and the totals; None if nobody would see.

    The bar shows files, and bytes a second.
    """
    if not sys.stderr.isatty():
        yield None
        return
    bar: _Bar | None = None
    shown, start = "", 0.0

    def update(title: str, files: int, size: int, all_files: int, all_bytes: int) -> None:
        nonlocal bar, shown, start
        if bar is None or title != shown:
            if bar is not None:
                bar.remove()
            bar, shown, start = _Bar(title, all_bytes), title, monotonic()
        rate = size / max(monotonic() - start, 0.001) / 1e6
        bar.update(size, f"{title}: {files:,} of {all_files:,}, {rate:.1f} MB/s")

    try:
        yield update
    finally:
        if bar is not None:
            bar.remove()


def counted(title: str, items: Sequence[T]) -> Iterator[T]:
    """Return an iterator over items; the bar shows how many are done."""
    # A generator that is closed while a signal is handled would swallow the handler's exception.
    return _with_bar(title, items) if sys.stderr.isatty() else iter(items)


def _with_bar(title: str, items: Sequence[T]) -> Iterator[T]:
    with shown_progress(title, len(items)) as update:
        for done, item in enumerate(items):
            if update is not None:
                update(done)
            yield item


@contextmanager
def shown_while(title: str) -> Iterator[None]:
    """Show a bar without a measure during work that cannot be counted."""
    if not sys.stderr.isatty():
        yield
        return
    from threading import Lock, Timer  # noqa: PLC0415 - only where a terminal is shown to

    bar, lock, is_over = _Bar(title, None), Lock(), False

    def show() -> None:
        with lock:
            if not is_over:
                bar.update()

    timer = Timer(DELAY, show)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        with lock:
            is_over = True
            bar.remove()
