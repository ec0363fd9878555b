"""Inputs of a link that the user names by a link map or a compilation database."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from bitcodec.cli.inputs import STANDARD_INPUT
from bitcodec.cli.problems import Failure, reported, warn
from bitcodec.files import read_file
from bitcodec.lint.build_files import BuildFile, files_in_listing, kind_of_listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.lint.build_files import BuildListing

__all__ = ["BuildInputs"]

_HEAD = 1 << 9
"""Bytes that identify the kind of a file."""
_MAX_SIZE = 1 << 28
"""Bytes of a listing."""
_LTO_OUTPUT = re.compile(r"(\.lto(\..+)?\.o|\.ltrans\.o|lto\.tmp|lto-llvm\.o)\Z")
"""The end of the names that LLD, GNU ld with LLVM's plugin and Apple's ld give to outputs of LTO.

LLD names the output of ThinLTO for `main.o` `program.lto.main.o`.
"""
_NEVER = (".o", ".bc", ".a", ".obj", ".lib", ".ll", ".so", ".rlib", ".rmeta")
"""Suffixes of files that list no others."""


class BuildInputs:
    """The files that the user names, with listings replaced by the files that they name.

    Args:
        paths: the files.

    Attributes:
        paths: the files to read.

    Raises:
        Failure: a listing cannot be read, or names no file that exists.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._members: dict[str, set[str]] = {}
        files: dict[str, None] = {}
        for path in paths:
            kind = _listing(path)
            if kind is None:
                files[path] = None
                self._members.pop(path, None)
                continue
            for each in _existing(path, kind):
                if each.member and (each.path not in files or each.path in self._members):
                    self._members.setdefault(each.path, set()).add(each.member)
                files[each.path] = None
        self.paths = list(files)

    def contains(self, path: str, member: str) -> bool:
        """Return whether the build uses a member of a file; `member` may go on with a place inside the member."""
        used = self._members.get(path)
        return used is None or member in used or any(member.startswith(f"{each}/") for each in used)


def _listing(path: str) -> BuildListing | None:
    if path == STANDARD_INPUT or path.endswith(_NEVER):
        return None
    try:
        with Path(path).open("rb") as file:
            return kind_of_listing(file.read(_HEAD))
    except (OSError, ValueError):  # reading the file later says what is wrong
        return None


def _existing(path: str, kind: BuildListing) -> list[BuildFile]:
    """Return the files that a listing names; paths are relative to the current folder or to the listing's."""
    with reported(path):
        text = bytes(read_file(path, limit=_MAX_SIZE)).decode("utf-8", "surrogateescape")
    try:
        named = files_in_listing(text, kind)
    except ValueError as error:
        raise Failure(f"{path}: {error}") from error
    folder = Path(path).parent
    found = []
    for each in named:
        place = next((place for place in (Path(each.path), folder / each.path) if place.exists()), None)
        if place is not None:
            found.append(each._replace(path=str(place)))
    missing = len(named) - len(found)
    if any(_LTO_OUTPUT.search(each.path) for each in named):
        warn(f"{path}: a map of a link with LTO, which names the output of LTO, not the inputs: name these instead")
    if not found:
        raise Failure(f"{path}: {kind.value}, but no file that it names exists")
    if missing:
        warn(f"{path}: {missing} of {len(named)} files that it names do not exist")
    return found
