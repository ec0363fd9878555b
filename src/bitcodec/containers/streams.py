"""Opens the bitstreams embedded in a file; consecutive ones in one place are opened separately."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.bitstream.magic import MAGIC_SIZE
from bitcodec.bitstream.stream import Bitstream, leading_zeros
from bitcodec.containers.detection import HEAD_SIZE, FileKind, detect
from bitcodec.containers.other_files import explain
from bitcodec.errors import ContainerError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

__all__ = ["ASSEMBLY_SUFFIX", "FoundStream", "check_head", "check_module_head", "open_streams", "split"]

_WORD = 4
_STREAMS = (FileKind.BITSTREAM, FileKind.WRAPPER)
_ASSEMBLY = (
    rb"(?:\s|;[^\n]*(?:\n|\Z)|/\*.*?\*/)*"
    rb"(?:[@%$!^][\w.$\\-]+\s*=|[@%$]\"[^\"]*\"\s*=|\Z"
    rb"|(?:source_filename|target|define|declare|module\s+asm|attributes|uselistorder)\b)"
)
"""How assembly text begins, behind comments; a text may consist of comments."""


_TEXT = rb"[\t\n\r -~]{8,}"
"""The beginning of a text file in ASCII."""
ASSEMBLY_SUFFIX = ".ll"
"""The end of the names of files of LLVM assembly."""
_NAMED_ASSEMBLY = rb"[\t\n\f\r -~\x80-\xff]*"
"""The beginning of a text in any character set, which suffices if the file has the name of an assembly file."""


class FoundStream(NamedTuple):
    """A bitstream in a file.

    Attributes:
        path: where it hides, as `Embedded.path` has it; "" for the file itself.
        stream: the stream, opened.
        offset: its first byte in the file, None if it lies in another file (a thin archive's member).
    """

    path: str
    stream: Bitstream
    offset: int | None


def open_streams(data: memoryview, *, path: str | os.PathLike[str] | None = None) -> list[FoundStream]:
    """Open all bitstreams in a file: there is at least one.

    Args:
        data: the file's bytes.
        path: where it lies; a thin archive names its members relative to that.

    Raises:
        ContainerError: the file contains none, or its container is malformed.
        BitstreamError: a wrapper is malformed.
    """
    kind = detect(data)
    if kind is FileKind.UNKNOWN:
        return [FoundStream("", _unknown(data), 0)]
    found = []
    for place, part, offset in [("", data, 0)] if kind in _STREAMS else _parts(data, path):
        pieces = list(split(part))
        for number, (start, stream) in enumerate(pieces, 1):
            name = f"{place}[{number}]" if len(pieces) > 1 else place
            found.append(FoundStream(name, stream, None if offset is None else offset + start))
    return found


def check_head(head: bytes) -> None:
    """Refuse a file by its first bytes, before the rest of it is read.

    Raises:
        ContainerError: the file cannot contain a bitstream, whatever follows.
    """
    if detect(head) is FileKind.UNKNOWN:
        _unknown(memoryview(head))


def is_assembly(data: bytes | memoryview, name: str = "") -> bool:
    """Return whether a file is LLVM assembly, by its first bytes.

    Args:
        data: its bytes, or the first of them.
        name: its name. Any text in a file `.ll` is assembly, so that the parser explains its errors.
    """
    head = bytes(data[:HEAD_SIZE])
    if detect(data) is not FileKind.UNKNOWN:
        return False
    if head.strip() and re.match(_ASSEMBLY, head, re.DOTALL):
        return True
    return name.endswith(ASSEMBLY_SUFFIX) and bool(re.fullmatch(_NAMED_ASSEMBLY, head)) and not explain(head)


def check_module_head(head: bytes, name: str = "") -> None:
    """Refuse a file by its first bytes if it is neither text nor anything that contains bitcode.

    Args:
        head: the bytes.
        name: of the file.

    Raises:
        ContainerError: it is not.
    """
    if not is_assembly(head, name):
        check_head(head)


def _unknown(data: memoryview) -> Bitstream:
    """Open a stream of an unknown magic number: any four bytes may be one, so the data behind it decides."""
    stream = Bitstream(data)
    columns = stream.decode(max_depth=0)
    if not len(columns.blocks) and len(data) > MAGIC_SIZE:
        head = bytes(data[:HEAD_SIZE])
        if other := explain(head):
            raise ContainerError(other)
        if is_assembly(head):
            raise ContainerError("this is LLVM assembly text, not bitcode: `bitcodec as` makes bitcode of it")
        if re.fullmatch(_TEXT, head):
            raise ContainerError("this is text, not bitcode: clang -c -emit-llvm makes bitcode of C and C++")
        raise ContainerError(f"no bitcode, object file or archive: it begins with {stream.magic!r}")
    return stream


def _parts(data: memoryview, path: str | os.PathLike[str] | None) -> list[tuple[str, memoryview, int | None]]:
    from bitcodec.containers.embedded import require  # noqa: PLC0415 - most files are bitcode, and no container

    return [(part.path, part.data, part.offset) for part in require(data, path=path)]


def split(data: memoryview) -> Iterator[tuple[int, Bitstream]]:
    """Yield the streams that follow one another in `data`, zero bytes between them, each with its first byte.

    A magic number without a block is not a stream that another may follow.
    """
    start = 0
    while True:
        rest = data[start:]
        stream = Bitstream(rest)
        size = _size(stream)
        following = start + size + _padding(rest[size:])
        if size == MAGIC_SIZE or detect(data[following:]) not in _STREAMS:
            yield start, stream
            return
        yield start, Bitstream(rest[:size])
        start = following


def _size(stream: Bitstream) -> int:
    """Return the size in bytes of a stream, or of a wrapped one, that others may follow."""
    if stream.wrapper is not None:
        return stream.wrapper.offset + stream.wrapper.size
    return max(stream.listing.end // 8, MAGIC_SIZE)


def _padding(data: memoryview) -> int:
    """Return how many whole words of zeros `data` begins with, in bytes."""
    return leading_zeros(data) // _WORD * _WORD
