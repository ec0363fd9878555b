"""Keeps Python's cyclic garbage collector out of the way while many objects are made."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["without_collection"]


@contextmanager
def without_collection(*, stays: bool = False) -> Iterator[None]:
    """Collect nothing meanwhile: all that is made stays, and to look through it again and again takes long.

    Args:
        stays: whether what was made will stay for long afterwards, too, so that it need not be looked through at the
            end: for who is about to exit.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if stays:
            # Moves all that there is to where the collector looks last.
            gc.freeze()
            gc.unfreeze()
        if was_enabled:
            gc.enable()
