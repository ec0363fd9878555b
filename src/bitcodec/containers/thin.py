"""The files that a thin archive names: its members lie next to it, not in it."""

from __future__ import annotations

import stat
from pathlib import Path

from bitcodec.containers.detection import HEAD_SIZE, FileKind, detect
from bitcodec.containers.parts import readable
from bitcodec.errors import ContainerError
from bitcodec.files import read_file

__all__ = ["FileId", "read_member"]

FileId = tuple[int, int]
"""Device and number of a file: the same for all its paths."""


def read_member(path: Path, seen: set[FileId]) -> memoryview | None:
    """Return the content of a member, or None when it is in `seen` or nothing that may hold a bitstream.

    A file is added to `seen`, so that an archive that names one file many times is read as if it named it once.

    Raises:
        ContainerError: the file cannot be read, or is a device, pipe or folder.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ContainerError(f"{_shown(path)} is named by a thin archive but is not a regular file")
        identity = (status.st_dev, status.st_ino)
        if identity in seen:
            return None
        seen.add(identity)
        return _read_known(path)
    except (OSError, ValueError, MemoryError) as error:  # ValueError: a path that no system could have
        reason = getattr(error, "strerror", None) or str(error)
        raise ContainerError(f"{_shown(path)} is named by a thin archive but cannot be read: {reason}") from error


def _read_known(path: Path) -> memoryview | None:
    """Read a file, or only its head when that shows that it holds nothing for us."""
    with path.open("rb", buffering=0) as file:
        head = file.read(HEAD_SIZE)
    return None if detect(head) is FileKind.UNKNOWN else read_file(path)


def _shown(path: Path) -> str:
    return readable(str(path).encode("utf-8", "backslashreplace"))
