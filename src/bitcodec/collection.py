"""Keeps Python's cyclic garbage collector out of the way while many objects are made."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["without_collection"]


class without_collection:  # noqa: N801 - a context manager, named like those of `contextlib`
    """Collect nothing meanwhile: all that is made stays, and to look through it again and again takes long.

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
            self._has_disabled = True  # first, for an exception may come between
            gc.disable()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stays and not gc.get_freeze_count():
            # Moves all objects to where the collector looks last; what others have frozen would thaw.
            gc.freeze()
            gc.unfreeze()
        self._enable()

    def __del__(self) -> None:
        self._enable()

    def _enable(self) -> None:
        if self._has_disabled:
            gc.enable()
            self._has_disabled = False
