"""Saves modules: as bytes or to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode import proving
from bitcodec.bitstream.wrapper import wrapped
from bitcodec.errors import EncodingError
from bitcodec.files import write_whole
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    import os

    from bitcodec.ir.module import Module

__all__ = ["LLVMVersion", "dumps", "save"]


class LLVMVersion(NamedTuple):
    """A version of LLVM, as what is written is for."""

    major: int

    def __str__(self) -> str:
        return f"LLVM {self.major}"


_NEWEST = LLVMVersion(22)
_TARGETS = (_NEWEST,)


def dumps(module: Module, *, target: LLVMVersion = _NEWEST, copies_unchanged: bool = True) -> bytes:
    """Return a module as bitcode.

    If it was read from a file of LLVM 22, what is unchanged is copied from there, all bodies among it that nobody has
    read; what needs a number that the file has none for, as a new global does, has all be read and rewritten.
    A hash of what the file held is left out if anything is found to be another.  Summaries for link-time optimization
    are written as they were read, if the globals that they count are still the first in the
    module: who changes what they describe says `Module.drop_summaries`.  A table of symbols for linkers is left out,
    linkers rebuild it.  A module that was read from a wrapper (`Module.wrapper`) is written in one.

    Args:
        module: the module.
        target: the oldest LLVM that is to read it.
        copies_unchanged: whether what is unchanged may be copied.  If not, the same module gives the same bytes,
            whatever was read of it before.

    Raises:
        EncodingError: nothing can be written for that LLVM, or something in the module cannot be written at all.
        BitcodecError: something in it is malformed.
    """
    if target not in _TARGETS:
        known = ", ".join(map(str, _TARGETS))
        raise EncodingError(f"bitcode for {target} cannot be written; what can: {known}")
    from bitcodec.bitcode.editing.copying import copy_module  # noqa: PLC0415
    from bitcodec.bitcode.writer.boundary import writing  # noqa: PLC0415 - need not wait for these
    from bitcodec.bitcode.writer.module import write_module  # noqa: PLC0415
    from bitcodec.collection import without_collection  # noqa: PLC0415 - who only requests the version

    with without_collection(), writing("the module"):
        copy = copy_module(module) if copies_unchanged else None
        data = copy or write_module(module)
    if proving.IS_ON:
        proving.prove_module(module, data, is_copied=copy is not None)
    return data if module.wrapper is None else wrapped(data, *module.wrapper)


def save(module: Module, path: str | os.PathLike[str], *, target: LLVMVersion = _NEWEST) -> None:
    """Write a module to a file as bitcode.  The file is never half written: it is made beside `path` and renamed.

    Args:
        module: the module; it may have been opened from the same file.
        path: the file.
        target: the oldest LLVM that is to read it.

    Raises:
        OSError: the file cannot be written; it is then as it was.
        BitcodecError: as `dumps` does; the file is then as it was.
    """
    write_whole(path, dumps(module, target=target))
