"""Keeps Python's cyclic garbage collector out of the way while many objects are made."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["without_collection"]


@contextmanager
def without_collection() -> Iterator[None]:
    """Collect nothing meanwhile: all that is made stays, and to look through it again and again takes long."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
