"""Saves modules: as bytes or to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode import proving
from bitcodec.bitstream.wrapper import wrapped
from bitcodec.features import feature
from bitcodec.files import write_whole
from bitcodec.tables.versions import MODEL, OLDEST

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from bitcodec.bitcode.loss import Loss
    from bitcodec.ir.module import Module

__all__ = ["NEWEST_VERSION", "OLDEST_VERSION", "dumps", "save"]


NEWEST_VERSION = MODEL
"""The newest version of LLVM that bitcode can be written for."""
OLDEST_VERSION = OLDEST
"""The oldest one that bitcode can be written for."""


def _is_version(given: object) -> bool:
    return isinstance(given, int) and OLDEST_VERSION <= given <= NEWEST_VERSION


def dumps(
    module: Module,
    *,
    llvm_version: int | None = None,
    profile: str | None = None,
    copies_unchanged: bool = True,
    is_strict: bool = False,
    on_loss: Callable[[Loss], object] | None = None,
) -> bytes:
    """Return a module as bitcode.

    Unchanged parts of a file that LLVM 22 can read are copied, and so are all bodies that are not materialized.  A
    change that needs a new value number, such as a new global, rewrites the whole module.  A new name is appended to
    the string table, in which the previous name stays until the module is rewritten.
    The hash of a module that had one is computed from the bytes that are written, as LLVM does it.
    Summaries for link-time optimization are written as they were read, if the globals that they count are still the
    first in the module: after a change of the code that they describe, call `Module.drop_summaries`.  The symbol table
    for linkers has LLVM 22's format; modules with assembly text and files for other versions lack it, and linkers build
    it themselves.
    A module that was read from a wrapper (`Module.wrapper`) is written in one.

    Args:
        module: the module.
        llvm_version: the oldest version of LLVM that must read it, 4 to 22.  Constructs that it lacks are written in
            another form or left out if the program means the same without it; the module itself is not changed.
            None, the default, writes everything: LLVM 22 reads it, unless the module contains something that LLVM 22
            does not have.
        profile: the reader that must accept it, if it has further rules than a version: "nvvm" (libNVVM of CUDA 12)
            or another of `bitcodec.downgrade.profiles.PROFILES`.  It decides the version.
        copies_unchanged: whether unchanged parts may be copied.  If not, the same module gives the same bytes,
            whatever was read of it before.  For versions older than the file's format nothing is copied.
        is_strict: whether to refuse the module if the version lacks anything in it that has no other form.
        on_loss: is called for each construct that the version lacks, see `Loss`.

    Raises:
        EncodingError: something in the module cannot be written at all, or not for that version.
        BitcodecError: something in it is malformed.
        ValueError: bitcode for that version cannot be written.
    """
    if llvm_version is not None and not _is_version(llvm_version):
        raise ValueError(f"llvm_version must be {OLDEST_VERSION} to {NEWEST_VERSION}; got {llvm_version!r}")
    llvm_version = llvm_version if profile is None else feature("profile_of")(profile).version
    data = _encode(
        module, llvm_version, profile, copies_unchanged=copies_unchanged, is_strict=is_strict, on_loss=on_loss
    )
    return data if module.wrapper is None else wrapped(data, *module.wrapper)


def _encode(
    module: Module,
    version: int | None,
    profile: str | None,
    *,
    copies_unchanged: bool,
    is_strict: bool,
    on_loss: Callable[[Loss], object] | None,
) -> bytes:
    from bitcodec.bitcode.editing.copying import copy_module  # noqa: PLC0415
    from bitcodec.bitcode.writer.boundary import writing  # noqa: PLC0415 - need not wait for these
    from bitcodec.bitcode.writer.dialect import own_dialect  # noqa: PLC0415 - as above
    from bitcodec.bitcode.writer.module import write_module  # noqa: PLC0415
    from bitcodec.host.collection import without_collection  # noqa: PLC0415 - who only requests the version

    with without_collection(), writing("the module"):
        dialect = own_dialect(module, version)
        is_older = version is not None and version < dialect.version
        if version is not None and is_older:
            write = feature("write_downgraded")
            data: bytes = write(module, version, profile=profile, is_strict=is_strict, on_loss=on_loss)
        else:
            copy = copy_module(module) if copies_unchanged else None
            data = copy or write_module(module, dialect)
    if proving.IS_ON and not is_older:
        proving.prove_module(module, data, is_copied=copy is not None)
    return data


def save(
    module: Module,
    path: str | os.PathLike[str],
    *,
    llvm_version: int | None = None,
    profile: str | None = None,
    is_strict: bool = False,
    on_loss: Callable[[Loss], object] | None = None,
) -> None:
    """Write a module to a file as bitcode.  The file is never half written: it is written next to `path` and renamed.

    Args:
        module: the module; it may have been opened from the same file.
        path: the file.
        llvm_version, profile, is_strict, on_loss: as for `dumps`.

    Raises:
        OSError: the file cannot be written; it is then unchanged.
        BitcodecError: as in `dumps`; the file is then unchanged.
        ValueError: as `dumps` does.
    """
    data = dumps(module, llvm_version=llvm_version, profile=profile, is_strict=is_strict, on_loss=on_loss)
    write_whole(path, data)
