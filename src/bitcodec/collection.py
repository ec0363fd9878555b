"""Keeps Python's cyclic garbage collector out of the way while many objects are made."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["without_collection"]


_MANY = 100_000
"""Objects that take long to look through."""


class _Oldest:
    """The objects that the collector looks at last.

    Python counts what it moves there itself, to know when to look at all objects.  What is moved there by hand is
    counted here: else modules that nobody has any more, which refer to themselves, would never be freed.
    """

    def __init__(self) -> None:
        self._moved = 0
        self._left = 0

    def make_room(self) -> None:
        """Collect all garbage if as many objects have been moved as were left the last time."""
        if self._moved > max(self._left, 2 * _MANY) and not gc.get_freeze_count():
            gc.collect()
            gc.freeze()
            self._left, self._moved = gc.get_freeze_count(), 0
            gc.unfreeze()

    def take_new(self) -> None:
        """Move the objects there that were made while nothing was collected, if they are many."""
        made = gc.get_count()[0]
        # What others have frozen would thaw.
        if made > _MANY and not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()
            self._moved += made


_oldest = _Oldest()


class without_collection:  # noqa: N801 - a context manager, named like those of `contextlib`
    """Collect nothing meanwhile: everything that is made stays, and to look through it again and again takes long.

    The collector is one for all threads.  If several pause it at once, the one that switched it off switches it on
    again, however long the others take: so threads that take turns do not keep it off for ever.  An exception in
    between bytecodes does not either: what is left undone then is done when this object goes away.

    Args:
        stays: whether what was made stays for long: then it is not looked through at the end, but by the next full
            collection.
    """

    _has_disabled = False

    def __init__(self, *, stays: bool = False) -> None:
        self._stays = stays

    def __enter__(self) -> Self:
        if gc.isenabled():
            if self._stays:
                _oldest.make_room()
            self._has_disabled = True  # first, for an exception may come between
            gc.disable()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stays:
            _oldest.take_new()
        self._enable()

    def __del__(self) -> None:
        self._enable()

    def _enable(self) -> None:
        if self._has_disabled:
            gc.enable()
            self._has_disabled = False
