"""Members of archives: which of them are linked, and which contain no bitcode."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from bitcodec.containers import FileKind, detect, find, is_assembly
from bitcodec.containers.archive import archive_members, thin_names
from bitcodec.errors import BitcodecError
from bitcodec.files import read_file
from bitcodec.ir.functions import Function
from bitcodec.tables.linkage import Linkage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from bitcodec.ir.module import Module

__all__ = ["check_members", "is_archive", "needed_members", "required"]

_ARCHIVES = {FileKind.ARCHIVE, FileKind.THIN_ARCHIVE}


def is_archive(data: memoryview) -> bool:
    """Return whether a file is an archive."""
    return not is_assembly(data) and detect(data) in _ARCHIVES


def check_members(data: memoryview, path: str | os.PathLike[str] | None) -> None:
    """Refuse an archive that has a member without bitcode: what it defines would be missing.

    Args:
        data: the archive.
        path: its path, which a thin archive needs.

    Raises:
        BitcodecError: it has such a member, or is malformed.
    """
    for name, content in _members(data, path):
        if not find(content):
            hint = "compile it to bitcode, or use --ignore-non-bitcode to skip such members"
            raise BitcodecError(f"member of archive is not a bitcode file: '{name}'; {hint}")


def _members(data: memoryview, path: str | os.PathLike[str] | None) -> Iterator[tuple[str, memoryview]]:
    if detect(data) is FileKind.ARCHIVE:
        for part in archive_members(data):
            yield part.name, data[part.start : part.start + part.size]
    elif path is not None:
        for stored in thin_names(data):
            name = os.fsdecode(stored)
            yield name, memoryview(read_file(Path(path).parent / name))


def needed_members(members: Iterable[Module], needed: Callable[[], Collection[str]]) -> Iterator[Module]:
    """Yield the members of an archive that define what is needed, and then what these need.

    Args:
        members: all members.
        needed: returns the symbols that are needed; called again after each member.
    """
    rest = [(member, offered(member)) for member in members]
    while True:
        names = needed()
        chosen = next((row for row in rest if not row[1].isdisjoint(names)), None)
        if chosen is None:
            return
        rest.remove(chosen)
        yield chosen[0]


def offered(module: Module) -> set[str]:
    """Return the symbols that a module offers to others."""
    return {
        value.name
        for value in module.globals
        if value.name
        and not value.is_declaration
        and not value.linkage.is_local
        and value.linkage is not Linkage.AVAILABLE_EXTERNALLY
    }


def required(module: Module) -> set[str]:
    """Return the symbols that a module needs from others."""
    return {
        value.name
        for value in (*module.functions, *module.global_variables)
        if value.is_declaration
        and value.linkage is not Linkage.EXTERN_WEAK
        and not (isinstance(value, Function) and value.is_intrinsic)
    }
