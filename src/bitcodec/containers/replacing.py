"""Replaces bitstreams in the files that contain them: members of archives, sections of ELF objects."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

from bitcodec.containers.archive import archive_members
from bitcodec.containers.archive_writing import replace_members
from bitcodec.containers.detection import FileKind, detect
from bitcodec.containers.elf import elf_sections
from bitcodec.containers.elf_writing import replace_sections
from bitcodec.containers.parts import Part
from bitcodec.containers.streams import split
from bitcodec.errors import ContainerError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["replace_streams"]

_NESTING_LIMIT = 8
_WORD = 4


def replace_streams(data: memoryview | bytes, contents: Mapping[int, bytes]) -> bytes:
    """Return a file with other contents for some of its bitstreams.

    An archive keeps its table of symbols, so a new content must define the symbols of the old one. A section of an ELF
    object that grows is put at the end of the object.

    >>> from pathlib import Path
    >>> from bitcodec.containers import open_streams, replace_streams
    >>> data = Path("tests/data/lib-gnu.a").read_bytes()
    >>> first, second = open_streams(memoryview(data))[:2]
    >>> changed = replace_streams(data, {first.offset: bytes(second.stream.data)})
    >>> [len(found.stream.data) for found in open_streams(memoryview(changed))[:2]] == [len(second.stream.data)] * 2
    True

    Args:
        data: the content of the file.
        contents: new contents by the offset of the old content in the file, as in `FoundStream.offset`.

    Raises:
        ContainerError: the file is malformed, no bitstream begins at an offset, or the container is of another kind.
    """
    return _replace(memoryview(data), contents, 0)


def _replace(data: memoryview, contents: Mapping[int, bytes], depth: int) -> bytes:
    kind = detect(data)
    if kind in {FileKind.BITSTREAM, FileKind.WRAPPER}:
        return _replace_pieces(data, contents)
    if kind in _PARTS and depth < _NESTING_LIMIT:
        find_parts, replace_parts = _PARTS[kind]
        return replace_parts(data, _made_parts(data, find_parts(data), contents, depth))
    raise ContainerError(
        f"the bitcode in this {kind.label} cannot be replaced; write it to a file of its own,"
        " from which `llvm-objcopy --update-section SECTION=FILE` puts it back"
    )


def _made_parts(data: memoryview, parts: Iterable[Part], contents: Mapping[int, bytes], depth: int) -> dict[int, bytes]:
    """Return new contents of parts of a container, by the offset of the old content."""
    made: dict[int, bytes] = {}
    starts = sorted(contents)
    for part in parts:
        first, end = bisect_left(starts, part.start), bisect_left(starts, part.start + part.size)
        if first < end:
            inside = {start - part.start: contents[start] for start in starts[first:end]}
            made[part.start] = _replace(data[part.start : part.start + part.size], inside, depth + 1)
            del starts[first:end]
    if starts:
        raise ContainerError(f"no bitstream begins at byte {starts[0]} of this {detect(data).label}")
    return made


def _replace_pieces(data: memoryview, contents: Mapping[int, bytes]) -> bytes:
    """Return one bitstream, or several in a row, with other contents for some."""
    starts = [start for start, _ in split(data)]
    unknown = contents.keys() - set(starts)
    if unknown:
        raise ContainerError(f"no bitstream begins at byte {min(unknown)}")
    made = bytearray()
    for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
        made += bytes(-len(made) % _WORD)
        made += contents.get(start, data[start:end])
    return bytes(made)


_FindParts: TypeAlias = Callable[[memoryview], Iterable[Part]]
_ReplaceParts: TypeAlias = Callable[[memoryview, dict[int, bytes]], bytes]
_PARTS: dict[FileKind, tuple[_FindParts, _ReplaceParts]] = {
    FileKind.ARCHIVE: (archive_members, replace_members),
    FileKind.ELF: (elf_sections, replace_sections),
}
"""Functions that find the parts of a container, and replace them."""
