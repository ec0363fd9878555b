"""Keeps Python's cyclic garbage collector out of the way while many objects are made.

User time without this, compared with it, on SQLite with debug information (CPython 3.11, compiled form): `dis` 4.1 s
instead of 1.9 s, `as` 7.7 instead of 4.5, `verify` 4.9 instead of 3.1.  Without `ObjectGrowth` alone, `dis` takes
2.5 s.
Without the second threshold of `collect_rarely`, `verify` of 150 small modules takes 50 MB instead of 38, `flags lint`
of 200 takes 54 instead of 45.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["ObjectGrowth", "collect_rarely", "without_collection"]


_MANY = 100_000
"""Objects that take long to look through."""
_SEVERAL = 2_500
"""Objects of a few small modules, which fit in the cache."""


def collect_rarely() -> None:
    """Collect garbage first after 100,000 new objects, then after every 2,500, in a process that runs one command.

    A small job makes 40,000 objects, most of them by importing, and needs all of them to its end.  A job that reads
    many small modules is fastest if the memory of one is used again for the next while it is in the processor's cache.
    """
    gc.set_threshold(_MANY)
    gc.callbacks.append(_collect_more_often)


def _collect_more_often(_phase: str, _statistics: dict[str, int]) -> None:
    gc.set_threshold(_SEVERAL)
    gc.callbacks.remove(_collect_more_often)


class ObjectGrowth:
    """Counts the objects of a whole that stays for long and is made step by step: a module that is read."""

    __slots__ = ("made",)

    def __init__(self) -> None:
        self.made = 0


class _Oldest:
    """The objects that the collector looks at last.

    Python counts what it moves there itself, to know when to look at all objects.  Objects moved there by hand are
    counted here: otherwise unused modules, which have reference cycles, would never be freed.
    """

    def __init__(self) -> None:
        self._moved = 0
        self._left = 0
        self._collections = 0

    def make_room(self) -> None:
        """Collect all garbage if as many objects have been moved as were left the last time."""
        self._notice_collections()
        if self._moved > max(self._left, 2 * _MANY) and not gc.get_freeze_count():
            gc.collect()
            gc.freeze()
            self._left, self._moved = gc.get_freeze_count(), 0
            gc.unfreeze()

    def _notice_collections(self) -> None:
        """Reset the count of moved objects if all have been scanned since, as if a program collects garbage itself.

        `_left` stays, because counting objects is slow.
        """
        collections: int = gc.get_stats()[-1]["collections"]
        if collections != self._collections:
            self._collections, self._moved = collections, 0

    def take_new(self, growth: ObjectGrowth) -> None:
        """Move the objects there that were made while nothing was collected, if the whole has many.

        A whole of few objects is left to the collector, which frees it early if it becomes garbage.
        """
        made = gc.get_count()[0]
        # The collector would not look at fewer yet.
        if made > gc.get_threshold()[0]:
            growth.made += made
            # Objects frozen by others would thaw.
            if growth.made > _MANY and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
                self._notice_collections()
                self._moved += made


_oldest = _Oldest()


class without_collection:  # noqa: N801 - a context manager, named like those of `contextlib`
    """Pauses the collector: everything that is created stays, and repeated scans of it are slow.

    The collector is one for all threads.  If several pause it at once, the one that switched it off switches it on
    again, however long the others take: so threads that take turns do not keep it off for ever.  An exception in
    between bytecodes does not either: the rest is then done when this object is deleted.

    Args:
        growth: the whole that the objects become a part of: if it has many, they are not scanned at the end, but
            by the next full collection.
    """

    _has_disabled = False

    def __init__(self, growth: ObjectGrowth | None = None) -> None:
        self._growth = growth

    def __enter__(self) -> Self:
        if gc.isenabled():
            # A growing whole is not garbage: there can be much only before it begins.
            if self._growth is not None and not self._growth.made:
                _oldest.make_room()
            self._has_disabled = True  # first, for an exception may come between
            gc.disable()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._growth is not None and self._has_disabled:
            _oldest.take_new(self._growth)
        self._enable()

    def __del__(self) -> None:
        self._enable()

    def _enable(self) -> None:
        if self._has_disabled:
            gc.enable()
            self._has_disabled = False
