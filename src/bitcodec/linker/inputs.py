"""Opens inputs: bitcode, text, objects and archives that contain it, and objects that wrappers of compilers made.

`wllvm` and `gllvm` keep the bitcode of an object in a separate file.  The object, and any output linked from it, has a
section with the paths of these files.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bitcodec.bitcode.loading import modules_of_file
from bitcodec.bitcode.saving import dumps
from bitcodec.containers import FileKind, detect
from bitcodec.errors import BitcodecError, NoBitstreamError
from bitcodec.files import read_file
from bitcodec.ir.module import Module
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from bitcodec.ir.context import Context

    Input: TypeAlias = Module | str | os.PathLike[str] | bytes

__all__ = ["open_input"]

_FROM_BYTES = "<bytes>"
_ARCHIVES = {FileKind.ARCHIVE, FileKind.THIN_ARCHIVE}
_SECTION = ".llvm_bc"
"""Sections of wllvm and gllvm: paths, a line each."""


def open_input(
    file: Input, name: str | None = None, context: Context | None = None, *, ignore_non_bitcode: bool = False
) -> tuple[list[Module], bool]:
    """Return the modules of an input in order, and whether the input is an archive, which may be empty.

    Args:
        file: a module, which is copied, a path, or bytes.
        name: of the input, for messages. Default: its path, or the identifier of the module.
        context: owns the types, constants and metadata of the modules. Default: a new one for each module.
        ignore_non_bitcode: whether members of archives may be without bitcode.

    Raises:
        OSError: the file cannot be read.
        BitcodecError: it is malformed, or contains no LLVM IR.
    """
    path = file if isinstance(file, str | os.PathLike) else None
    if isinstance(file, Module):
        name = name or file.identifier
        data = memoryview(dumps(file))
    elif isinstance(file, str | os.PathLike):
        data = memoryview(read_file(file))
    else:
        data = memoryview(file)
    is_archive = detect(data) in _ARCHIVES
    called = name or (os.fsdecode(path) if path is not None else _FROM_BYTES)
    beside = _files_of_members(data, path, ignore_non_bitcode=ignore_non_bitcode) if is_archive else []
    modules = _open_modules(data, called, path, context, beside)
    if name is not None and not is_archive:
        for module in modules:
            module.identifier = name
    return modules, is_archive


def _open_modules(
    data: memoryview, name: str, path: str | os.PathLike[str] | None, context: Context | None, beside: list[str]
) -> list[Module]:
    """Return the modules in a file, and in files next to it that wrappers made.

    Raises:
        BitcodecError: there are none, or one is malformed.
    """
    try:
        modules = list(modules_of_file(data, name, path, context))
    except NoBitstreamError:
        if _is_empty_archive(data):
            return []
        beside = beside or _files_beside(data)
        if not beside:
            raise
        modules = []
    for file in beside:
        called = f"{name}({os.path.basename(file)})"  # noqa: PTH119 - pathlib is slow to import
        modules += modules_of_file(_content(file, name), called, None, context)
    if not modules:
        raise BitcodecError(f"{name} contains no LLVM IR")
    return modules


def _is_empty_archive(data: memoryview) -> bool:
    """Return whether an archive has no members, which LLVM links without a word."""
    from bitcodec.containers.archive import archive_members  # noqa: PLC0415

    return detect(data) is FileKind.ARCHIVE and not any(True for _ in archive_members(data))


def _files_of_members(data: memoryview, path: str | os.PathLike[str] | None, *, ignore_non_bitcode: bool) -> list[str]:
    """Return the files with the bitcode of members that contain none.

    Raises:
        BitcodecError: the file of a member does not exist.
    """
    from bitcodec.containers import find  # noqa: PLC0415 - most inputs are bitcode

    found: list[str] = []
    for name, content in _members(data, path):
        if find(content):
            continue
        files = _files_beside(content)
        if not files and not ignore_non_bitcode:
            hint = "compile it to bitcode, or use --ignore-non-bitcode to skip such members"
            raise BitcodecError(f"member of archive is not a bitcode file: '{name}'; {hint}")
        found += files
    return found


def _members(data: memoryview, path: str | os.PathLike[str] | None) -> Iterator[tuple[str, memoryview]]:
    from bitcodec.containers.archive import archive_members, thin_names  # noqa: PLC0415

    if detect(data) is FileKind.ARCHIVE:
        for part in archive_members(data):
            yield part.name, data[part.start : part.start + part.size]
    elif path is not None:
        for stored in thin_names(data):
            name = os.fsdecode(stored)
            beside = os.path.join(os.path.dirname(path), name)  # noqa: PTH118, PTH120
            yield name, memoryview(read_file(beside))


def _files_beside(data: memoryview) -> list[str]:
    """Return the paths of the files with the bitcode of an object, or of all objects that a file was linked of."""
    if detect(data) is not FileKind.ELF:
        return []
    from bitcodec.containers.elf_file import ElfFile  # noqa: PLC0415

    file = ElfFile(data)
    contents = [bytes(file.content(section)) for section in file.sections if section.name == _SECTION]
    paths = (line for content in contents for line in content.replace(b"\0", b"\n").splitlines() if line)
    return [os.fsdecode(line) for line in dict.fromkeys(paths)]


def _content(file: str, name: str) -> memoryview:
    try:
        if not os.path.isfile(file):  # noqa: PTH113
            raise FileNotFoundError
        return memoryview(read_file(file))
    except (OSError, ValueError) as error:  # ValueError: a path that no system could have
        shown = one_line(file)
        hint = "keep the files that the compiler's wrapper writes"
        raise BitcodecError(f"section {_SECTION} of {name} names {shown}, which cannot be read; {hint}") from error
