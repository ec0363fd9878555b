"""Inputs of linkers: modules, and files of every kind that contains some."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bitcodec.bitcode.loading import modules_of_file
from bitcodec.bitcode.saving import dumps
from bitcodec.containers import FileKind, detect, is_assembly
from bitcodec.errors import BitcodecError
from bitcodec.files import read_file
from bitcodec.ir.module import Module

if TYPE_CHECKING:
    from typing import TypeAlias

    from bitcodec.ir.context import Context

    Input: TypeAlias = Module | str | os.PathLike[str] | bytes

__all__ = ["open_input"]

_ARCHIVES = {FileKind.ARCHIVE, FileKind.THIN_ARCHIVE}
_FROM_BYTES = "<bytes>"


def open_input(file: Input, name: str | None = None, context: Context | None = None) -> tuple[list[Module], bool]:
    """Return the modules of an input in order, and whether it is an archive.

    Args:
        file: a module, which is copied, a path, or bytes.
        name: of the input, for messages. Default: its path, or the identifier of the module.
        context: owns the types, constants and metadata of the modules. Default: a new one for each module.

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
    is_archive = not is_assembly(data) and detect(data) in _ARCHIVES
    called = name or (os.fsdecode(path) if path is not None else _FROM_BYTES)
    modules = list(modules_of_file(data, called, path, context))
    if not modules:
        raise BitcodecError(f"{called} contains no LLVM IR")
    if name is not None and not is_archive:
        for module in modules:
            module.identifier = name
    return modules, is_archive
