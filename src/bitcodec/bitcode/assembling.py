"""Bitcode of LLVM assembly, for programs that read bitstreams: they take text wherever they take bitcode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.saving import dumps
from bitcodec.containers import is_assembly, open_streams
from bitcodec.features import feature

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from bitcodec.containers import FoundStream
    from bitcodec.ir.module import Module

__all__ = ["as_bitcode", "assemble", "module_streams"]


def assemble(
    text: memoryview | bytes,
    name: str,
    dialect: str | None = None,
    check: Callable[[Module], None] | None = None,
    data_layout: str | None = None,
) -> bytes:
    """Return the bitcode of LLVM assembly, with the orders of uses, as `llvm-as` makes it.

    Args:
        text: the text.
        name: its name in messages.
        dialect: the LLVM that wrote the text.  Default: detected from the text.
        check: is called with the module before it is written.  Default: nothing is checked.
        data_layout: the data layout of the module.  Default: the layout in the text.

    Raises:
        AssemblyError: it is malformed.
        ValueError: the dialect is unknown, or the data layout malformed.
    """
    module = feature("parse_assembly")(bytes(text), name=name, dialect=dialect, data_layout=data_layout)
    module.preserves_use_list_order = True
    if check is not None:
        check(module)
    return dumps(module)


def as_bitcode(data: memoryview, name: str) -> memoryview:
    """Return a file, or the bitcode of it if it is LLVM assembly.

    Raises:
        AssemblyError: it is malformed assembly.
    """
    return memoryview(assemble(data, name)) if is_assembly(data, name) else data


def module_streams(data: memoryview, name: str, path: str | os.PathLike[str] | None = None) -> list[FoundStream]:
    """Return the bitstreams in a file, or the one that its text becomes.

    Args:
        data: its bytes.
        name: its name in messages.
        path: its path; members of a thin archive are looked up relative to it.

    Raises:
        BitcodecError: it contains no bitstream, is a malformed container, or malformed assembly.
    """
    return open_streams(as_bitcode(data, name), path=path)
