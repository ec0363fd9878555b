"""Files: read without copying, written all or nothing."""

from __future__ import annotations

import mmap
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["read_mapped", "write_pieces", "write_whole"]

_MAPPED_FROM = 1 << 16
"""Bytes; what is smaller is read in less time than it takes to map it."""


def read_mapped(path: str | os.PathLike[str]) -> memoryview:
    """Return the bytes of a file, mapped into memory if it is large and that can be done, read if not (pipes).

    Raises:
        OSError: it cannot be read.
    """
    with open(path, "rb") as file:  # noqa: PTH123 - pathlib takes longer to import than a module to open
        first = file.read(_MAPPED_FROM)
        if len(first) < _MAPPED_FROM:
            return memoryview(first)
        try:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        except (ValueError, OSError):
            return memoryview(first + file.read())


def write_whole(path: str | os.PathLike[str], data: bytes | memoryview) -> None:
    """Write `data` to a file, which is never half written; see `write_pieces`.

    Raises:
        OSError: it cannot be written; `path` is then as it was.
    """
    write_pieces(path, (data,))


def write_pieces(path: str | os.PathLike[str], pieces: Iterable[bytes | memoryview]) -> None:
    """Write pieces to a temporary file beside `path` and rename it, so that `path` is never half written.

    An existing file keeps its permissions; a link is followed; a device or a pipe is written to directly.

    Raises:
        OSError: it cannot be written; `path` is then as it was, also if making the pieces raises something.
    """
    import tempfile  # noqa: PLC0415 - who only reads need not wait for these
    from pathlib import Path  # noqa: PLC0415

    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            device.writelines(pieces)
        return
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(pieces)
        Path(name).chmod(_permissions(target))
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _permissions(target: Path) -> int:
    if target.exists():
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
