"""The one door to the bytes of a container: every offset and size is checked against the data, here and nowhere else.

Offsets and sizes are in bytes and count from the start of the given view.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from struct import Struct
from typing import Any, TypeAlias

from bitcodec.errors import ContainerError

__all__ = ["BytesLike", "c_string", "cut", "rows", "unpack", "view_of"]

BytesLike: TypeAlias = bytes | bytearray | memoryview | mmap.mmap
"""Types of a file's content."""


def view_of(data: BytesLike) -> memoryview:
    """Return `data` as read-only bytes, without a copy."""
    return memoryview(data).cast("B").toreadonly()


def cut(data: memoryview, start: int, size: int, what: str) -> memoryview:
    """Return `size` bytes from byte `start`; `what` names them in the ContainerError raised if they are missing."""
    if start < 0 or size < 0 or start + size > len(data):
        raise ContainerError(f"{what} does not fit: {size} bytes at byte {start} of {len(data)}")
    return data[start : start + size]


def unpack(layout: Struct, data: memoryview, start: int, what: str) -> tuple[Any, ...]:
    """Return the fields of one structure at byte `start`."""
    return layout.unpack(cut(data, start, layout.size, what))


def rows(layout: Struct, data: memoryview, start: int, count: int, what: str) -> Iterator[tuple[Any, ...]]:
    """Yield the fields of `count` structures that follow each other from byte `start`."""
    # A copy, as CPython 3.11 crashes when it collects a cycle of a view and an iterator that still reads it, which an
    # error with its traceback may be part of.
    return layout.iter_unpack(bytes(cut(data, start, layout.size * count, what)))


def c_string(data: memoryview, start: int, limit: int, what: str) -> bytes:
    """Return the bytes from `start` up to a zero byte, the end, or `limit` bytes, whichever comes first.

    A limit keeps the work per string small when a file names one long string many times.
    """
    window = cut(data, start, min(limit, max(0, len(data) - start)), what)
    return bytes(window).partition(b"\0")[0]
