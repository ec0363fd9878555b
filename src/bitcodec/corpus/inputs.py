"""Finding files: paths, folders, and patterns, in an order that depends on their names alone."""

from __future__ import annotations

import glob
import os
import stat
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["InputFile", "find_files"]


class InputFile(NamedTuple):
    """A file to be read.

    Attributes:
        path: its path.
        size: in bytes, 0 if unknown.
        is_named: whether the user named it; a file of a folder that contains no bitcode is passed over.
    """

    path: str
    size: int
    is_named: bool


def find_files(names: Iterable[str], output: str | None = None) -> list[InputFile]:
    """Return the files that names refer to, each once.

    Args:
        names: files, folders, whose files are found at any depth, and patterns with `*`, `?`, `[...]` and `**`.
        output: a folder that is left out.
    """
    excluded = None if output is None else os.path.realpath(output)
    found: dict[str, InputFile] = {}
    for name in names:
        for file in _files_of(name, excluded):
            found.setdefault(file.path, file)
    return list(found.values())


def _files_of(name: str, excluded: str | None) -> Iterator[InputFile]:
    if os.path.isdir(name):  # noqa: PTH112 - names may be no paths at all
        yield from _files_in(name, excluded)
    elif not os.path.lexists(name) and glob.has_magic(name):
        for path in sorted(glob.glob(name, recursive=True)):  # noqa: PTH207
            if not os.path.isdir(path):  # noqa: PTH112
                yield InputFile(path, _size(path) or 0, is_named=False)
    else:
        yield InputFile(name, _size(name) or 0, is_named=True)


def _files_in(folder: str, excluded: str | None) -> Iterator[InputFile]:
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if os.path.realpath(os.path.join(path, each)) != excluded)  # noqa: PTH118
        for file in sorted(files):
            full = os.path.join(path, file)  # noqa: PTH118
            size = _size(full)
            if size is not None:
                yield InputFile(full, size, is_named=False)


def _size(path: str) -> int | None:
    """Return the size of a regular file, None for other files."""
    try:
        status = os.stat(path)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None
