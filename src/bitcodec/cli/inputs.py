"""Reading inputs of the user: a file, standard input, and the streams inside."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

from bitcodec.bitcode.schema.names import LLVM_IR_NAMES
from bitcodec.bitstream.magic import StreamKind
from bitcodec.bitstream.names import NO_NAMES, Names, NameTable
from bitcodec.cli.problems import Failure, reported, warn_of_ignored_debug_info
from bitcodec.cli.progress import shown_progress
from bitcodec.containers import FileKind, FoundStream, check_module_head, detect, is_assembly, open_streams
from bitcodec.containers.other_files import explain_stream
from bitcodec.files import STANDARD_INPUT, read_file, read_stream
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from bitcodec.bitstream import Columns
    from bitcodec.bitstream.blockinfo import BlockInfo
    from bitcodec.bitstream.stream import Bitstream
    from bitcodec.ir.module import Module

__all__ = [
    "EMPTY",
    "STANDARD_INPUT",
    "FileContents",
    "assembled",
    "contents",
    "decoded",
    "label",
    "llvm_ir",
    "names_of",
    "read",
    "read_checked",
    "reported_in",
    "streams",
    "table_of",
]

EMPTY = "the file is empty (bit 0, top level)"
_HOLD_FILES = {FileKind.ARCHIVE, FileKind.THIN_ARCHIVE, FileKind.UNIVERSAL, FileKind.OFFLOAD}


def read(path: str, *, check: Callable[[bytes], object] | None = None, may_be_empty: bool = False) -> memoryview:
    """Return the bytes of a file, or of standard input.

    Args:
        path: the file.
        check: called with the first 64 KiB of a file that is larger, before the rest is read; may raise.
        may_be_empty: whether it may be empty whatever its name is.

    Raises:
        Failure: it cannot be read, is empty though it is not an assembly file, or is too large.
    """
    with reported(path):
        if path == STANDARD_INPUT:
            data = read_stream(sys.stdin.buffer, check_head=check)
        else:
            data = read_file(path, check_head=check)
    if not data and not may_be_empty and not is_assembly(data, path):
        raise Failure(f"{path}: {EMPTY}")
    return data


class FileContents(NamedTuple):
    """Contents of a file.

    Attributes:
        has_members: whether it is of a kind that contains other files.
        streams: its bitstreams, at least one.
        module: the module of the text, if the file is text; the stream is its bitcode.
    """

    has_members: bool
    streams: list[FoundStream]
    module: Module | None = None

    @property
    def is_assembly(self) -> bool:
        """Whether the file is text."""
        return self.module is not None


def contents(path: str, data: memoryview | None = None) -> FileContents:
    """Find the bitstreams in a file; LLVM assembly is converted to bitcode first.

    Args:
        path: the file.
        data: its bytes, if they have been read already.

    Raises:
        Failure: the file contains no bitstream.
    """
    data = read_checked(path) if data is None else data
    parsed: list[Module] = []
    if is_assembly(data, path):
        data = memoryview(assembled(path, data, check=parsed.append))
    with reported(path):
        found = open_streams(data, path=None if path == STANDARD_INPUT else path)
    return FileContents(detect(data) in _HOLD_FILES, found, *parsed)


def read_checked(path: str) -> memoryview:
    """Return the bytes of a file that may have bitstreams in it.

    Raises:
        Failure: the file cannot be read, is empty or too large, or begins neither as a bitstream nor as a container.
    """
    return read(path, check=partial(check_module_head, name=path))


def assembled(
    path: str,
    data: memoryview,
    dialect: str | None = None,
    check: Callable[[Module], None] | None = None,
    data_layout: str | None = None,
) -> bytes:
    """Return the bitcode of LLVM assembly.

    Args:
        path: the file.
        data: its bytes.
        dialect: the LLVM that wrote the text. Default: derived from the text itself.
        check: is called with the module before it is written. Default: nothing is checked.
        data_layout: the data layout of the module. Default: the layout in the text.

    Raises:
        Failure: the text is malformed.
        ValueError: the dialect is unknown, or the data layout malformed.
    """
    from bitcodec.bitcode.assembling import assemble  # noqa: PLC0415 - few files are text

    def warn_and_check(module: Module) -> None:
        warn_of_ignored_debug_info(module)
        if check is not None:
            check(module)

    with reported(path):
        return assemble(data, "<stdin>" if path == STANDARD_INPUT else path, dialect, warn_and_check, data_layout)


def llvm_ir(path: str, found: FileContents) -> list[FoundStream]:
    """Return the streams of LLVM IR in a file, at least one.

    Raises:
        Failure: the file contains none.
    """
    chosen = [one for one in found.streams if one.stream.kind is StreamKind.LLVM_IR]
    if not chosen:
        raise Failure(f"{path}: {explain_stream(found.streams[0].stream)}")
    return chosen


def reported_in(path: str, found: FoundStream) -> AbstractContextManager[None]:
    """Turn errors in a stream of a file into a `Failure` that names both."""
    return reported(label(path, found.path), Names(table_of(found.stream)), found)


def streams(path: str) -> list[FoundStream]:
    """Return the bitstreams in a file, at least one.

    Raises:
        Failure: the file contains none.
    """
    return contents(path).streams


def label(file: str, path: str) -> str:
    """Return the name of a stream: the file, and its path in the file if it is not all of it."""
    return f"{file}({path})" if path else file


def table_of(stream: Bitstream) -> NameTable:
    """Return the names of the application that wrote a stream, as far as known."""
    return LLVM_IR_NAMES if stream.kind is StreamKind.LLVM_IR else NO_NAMES


def names_of(stream: Bitstream, columns: Columns) -> Names:
    """Return the names in force at the end of a stream."""
    if not columns.block_infos:
        return Names(table_of(stream))
    return Names(table_of(stream), columns.block_infos[-1].info)


def decoded(stream: Bitstream, block_info: BlockInfo | None = None) -> Columns:
    """Decode a stream, or the part before an error; show the progress of a long one.

    Args:
        stream: the stream.
        block_info: the BLOCKINFO in force until the stream defines one. Default: none.
    """
    with shown_progress("reading", len(stream.payload) * 8) as progress:
        return stream.decode(progress=progress, block_info=block_info)
