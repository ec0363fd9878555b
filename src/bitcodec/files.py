"""Files: read into memory, or mapped on request; written all or nothing."""

from __future__ import annotations

import errno
import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = [
    "MAX_READ",
    "STANDARD_INPUT",
    "has_stream",
    "make_folder",
    "read_file",
    "read_stream",
    "remove_unfinished",
    "write_pieces",
    "write_whole",
]

STANDARD_INPUT = "-"
"""The name for standard input in command lines."""

MAX_READ = 1 << 32
"""Bytes that are read into memory at most: pipes and devices may have no end, and sparse files cost nothing to make."""

_HEAD_SIZE = 1 << 16
_PIECE_SIZE = 1 << 20
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_unfinished: set[str] = set()
"""Temporary files that are being written."""


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes | None: ...


def has_stream() -> bool:
    """Return whether standard input is a file or a pipe, no terminal."""
    try:
        return sys.stdin is not None and not sys.stdin.isatty()
    except ValueError:  # it has been closed
        return False


def read_file(
    path: str | os.PathLike[str],
    *,
    mmap: bool = False,
    check_head: Callable[[bytes], object] | None = None,
    limit: int = MAX_READ,
) -> memoryview:
    """Return the bytes of a file, read-only.

    Args:
        path: the file.  A pipe or a device is read to its end.
        mmap: map the file instead of reading it, if it is a regular file.  Only pages that are used are loaded then,
            but the system kills the process if the file shrinks meanwhile.
        check_head: called with the first 64 KiB of a file that is larger, before the rest is read; may raise.
        limit: the largest size in bytes that is read; not applied to a file that is mapped.

    Raises:
        OSError: the file cannot be read, or no file can have this name, or it is larger than `limit`.
    """
    name = _file_name(path)
    with open(name, "rb", buffering=0) as file:  # noqa: PTH123 - pathlib takes longer to import than a module to open
        status = os.fstat(file.fileno())
        try:
            if not stat.S_ISREG(status.st_mode):
                return read_stream(file, check_head=check_head, limit=limit)
            if status.st_size > _HEAD_SIZE and check_head is not None:
                check_head(file.read(_HEAD_SIZE))
                file.seek(0)
            mapped = _mapped(file.fileno()) if mmap else None
            if mapped is not None:
                return mapped
            if status.st_size > limit:
                raise _too_large(limit)
            return memoryview(file.readall())
        except OSError as error:
            error.filename = error.filename or name
            raise


def read_stream(
    file: _Readable, *, check_head: Callable[[bytes], object] | None = None, limit: int = MAX_READ
) -> memoryview:
    """Return the bytes of an open file up to its end, read-only; see `read_file`.

    Raises:
        OSError: it cannot be read, or is larger than `limit`.
        TypeError: it is open in text mode.
    """
    data = bytearray()
    while piece := file.read(_PIECE_SIZE):
        if not isinstance(piece, bytes):
            raise TypeError("the file is open in text mode; open it in binary mode ('rb')")
        is_head = len(data) < _HEAD_SIZE <= len(data) + len(piece)
        data += piece
        if is_head and check_head is not None:
            check_head(bytes(data[:_HEAD_SIZE]))
        if len(data) > limit:
            raise _too_large(limit)
    return memoryview(data).toreadonly()


def write_whole(path: str | os.PathLike[str], data: bytes | memoryview, *, follow_links: bool = True) -> None:
    """Write `data` to a file, which is never half written; see `write_pieces`.

    Raises:
        OSError: it cannot be written; `path` is then as it was.
    """
    write_pieces(path, (data,), follow_links=follow_links)


def write_pieces(
    path: str | os.PathLike[str], pieces: Iterable[bytes | memoryview], *, follow_links: bool = True
) -> None:
    """Write pieces to a temporary file in the folder of `path` and rename it, so that `path` is never half written.

    An existing file keeps its permissions.

    Args:
        path: the file.
        pieces: its content.
        follow_links: whether a symbolic link is followed, also one whose target does not exist, and a device or a pipe
            is written to directly: as the shell's `>` does.  If not, the new file replaces whatever has the name, and
            nothing that exists is ever opened.

    Raises:
        OSError: it cannot be written, or no file can have this name; `path` is then as it was, also if making the
            pieces raises something.
    """
    name = _file_name(path)
    if not os.path.basename(name):  # noqa: PTH119
        number = errno.EISDIR if name else errno.ENOENT
        raise OSError(number, os.strerror(number), name)
    mode = _mode(name, follow_links=follow_links)
    if follow_links and mode is not None and not stat.S_ISREG(mode):
        with open(name, "wb") as device:  # noqa: PTH123
            device.writelines(pieces)
        return
    target = os.path.realpath(name) if follow_links else name
    temporary = os.path.join(os.path.dirname(target), f".bitcodec-{os.urandom(8).hex()}")  # noqa: PTH118, PTH120
    _unfinished.add(temporary)
    try:
        _create(temporary, pieces, mode)
        os.replace(temporary, target)  # noqa: PTH105
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)  # noqa: PTH108
        if isinstance(error, OSError) and error.filename == temporary:
            error.filename, error.filename2 = name, None
        raise
    finally:
        _unfinished.discard(temporary)


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder, and those around it, as far as they do not exist.

    Raises:
        OSError: it cannot be made, or no folder can have this name.
    """
    os.makedirs(_file_name(path), exist_ok=True)  # noqa: PTH103


def remove_unfinished() -> None:
    """Remove the temporary files that are being written: for a process that is about to end."""
    for name in list(_unfinished):
        with suppress(OSError):
            os.unlink(name)  # noqa: PTH108


def _create(name: str, pieces: Iterable[bytes | memoryview], mode: int | None) -> None:
    """Write pieces to a new file, with the permissions of `mode`, or those that new files have."""
    with os.fdopen(os.open(name, _CREATE, 0o666 if mode is None else 0o600), "wb") as file:
        file.writelines(pieces)
    if mode is not None:
        os.chmod(name, stat.S_IMODE(mode))  # noqa: PTH101


def _mode(name: str, *, follow_links: bool) -> int | None:
    """Return type and permissions of a file that a new one replaces; None if it does not exist."""
    try:
        mode = os.stat(name, follow_symlinks=follow_links).st_mode  # noqa: PTH116
    except FileNotFoundError:
        return None
    return mode if follow_links or stat.S_ISREG(mode) else None


def _mapped(descriptor: int) -> memoryview | None:
    """Return the bytes of a file, mapped; None if it cannot be mapped, as an empty one."""
    import mmap  # noqa: PLC0415 - only on request

    try:
        return memoryview(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    except (ValueError, OSError):
        return None


def _file_name(path: str | os.PathLike[str]) -> str:
    """Return the name of a file or folder.

    Raises:
        OSError: no file can have this name.
    """
    name = os.fsdecode(path)
    try:
        is_possible = b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        is_possible = False
    if not is_possible:
        raise OSError(errno.EINVAL, "no file can have this name", name)
    return name


def _too_large(limit: int) -> OSError:
    return OSError(errno.EFBIG, f"File too large: more than {limit:,} bytes")
