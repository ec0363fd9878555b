"""Maps addresses of a running or dumped process to addresses of files.

Rules: proc(5), `/proc/pid/maps`; core dumps of Linux, note `NT_FILE`; ELF specification, "Program Header".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bitcodec.containers.elf_file import ElfFile
from bitcodec.containers.elf_headers import MAGIC
from bitcodec.containers.window import cut, rows, unpack
from bitcodec.errors import PCSectionsError, quote_name
from bitcodec.ir.data_layout import aligned
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.containers.window import BytesLike

__all__ = ["Mapping", "displacement", "mappings_of"]

_CORE = 4
_LOAD, _NOTE = 1, 4
_FILES = 0x46494C45
_LINE = re.compile(rb"([0-9a-f]{1,16})-([0-9a-f]{1,16}) \S+ ([0-9a-f]{1,16}) \S+ \d+ +(/.*)")
_DELETED = " (deleted)"
_WORD = 4
"""Alignment of sizes in notes, in bytes."""
_PAGE = 4096
"""The smallest size of pages: segments are mapped in whole pages."""


class Mapping(NamedTuple):
    """A part of a file in the memory of a process.

    Attributes:
        start: the address of its first byte.
        offset: of that byte in the file.
        path: of the file.
    """

    start: int
    offset: int
    path: str


def mappings_of(data: BytesLike) -> list[Mapping]:
    """Return the mappings in the text of `/proc/PID/maps`, or in a core dump.

    Raises:
        PCSectionsError: it is neither.
        ContainerError: the core dump is malformed.
    """
    view = memoryview(data)
    if view[:4] != MAGIC:
        found = list(_of_text(bytes(view)))
        if not found:
            raise PCSectionsError("it maps no file: expected the text of /proc/PID/maps, or a core dump")
        return found
    file = ElfFile(view)
    if file.header.type != _CORE:
        raise PCSectionsError("it is an ELF file, but no core dump: expected one, or the text of /proc/PID/maps")
    found = [mapping for note in _file_notes(file) for mapping in _of_note(file, note)]
    if not found:
        raise PCSectionsError("the core dump does not list the mapped files (no note NT_FILE): use --base")
    return found


def displacement(file: ElfFile, name: str, mappings: Iterable[Mapping]) -> int:
    """Return by how much addresses in a process are above those in a file.

    Args:
        file: an executable or shared object.
        name: of the file; mapped paths that end with the same name match.
        mappings: of the process.

    Raises:
        PCSectionsError: it is not mapped, or not in one way.
        ContainerError: the file is malformed.
    """
    known = list(mappings)
    title = quote_name(_base_name(name))
    wanted = sorted(each for each in known if _base_name(each.path) == _base_name(name))
    if not wanted:
        names = ", ".join(dict.fromkeys(quote_name(_base_name(each.path)) for each in known))
        raise PCSectionsError(f"{title} is not mapped in this process; it maps {names}")
    loaded = [each for each in file.segments if each.type == _LOAD]
    # The loader maps the segments as a whole, the one of the lowest address first.
    lowest = min(loaded, key=lambda each: each.address, default=None)
    if lowest is None or _page(lowest.offset) != wanted[0].offset:
        raise PCSectionsError(f"the {title} that is mapped in this process is another file: its segments differ")
    if len({each.path for each in wanted}) > 1:
        raise PCSectionsError(f"several files {title} are mapped in this process: use --base")
    return wanted[0].start - _page(lowest.address)


def _of_text(text: bytes) -> Iterator[Mapping]:
    for line in text.splitlines():
        if match := _LINE.fullmatch(line.strip()):
            start, _, offset = (int(number, 16) for number in match.groups()[:3])
            yield Mapping(start, offset, match[4].decode("utf-8", "surrogateescape").removesuffix(_DELETED))


def _file_notes(file: ElfFile) -> Iterator[memoryview]:
    """Yield the notes of a core dump that name the files that were mapped."""
    layout = file.header.struct("3I")
    for segment in file.segments:
        if segment.type != _NOTE:
            continue
        content = cut(file.data, segment.offset, segment.size, "notes of a core dump")
        place = 0
        while place < len(content):
            name_size, size, kind = unpack(layout, content, place, "a note of a core dump")
            start = place + layout.size + aligned(name_size, _WORD)
            if kind == _FILES:
                yield cut(content, start, size, "note NT_FILE of a core dump")
            place = start + aligned(size, _WORD)


def _of_note(file: ElfFile, note: memoryview) -> Iterator[Mapping]:
    word = "IQ"[file.header.file_class - 1]
    head, row = file.header.struct(2 * word), file.header.struct(3 * word)
    count, page_size = unpack(head, note, 0, "note NT_FILE of a core dump")
    places = rows(row, note, head.size, count, "note NT_FILE of a core dump")
    paths = bytes(note[head.size + count * row.size :]).split(b"\0")
    for (start, _, offset), path in zip(places, paths, strict=False):
        yield Mapping(start, offset * page_size, path.decode("utf-8", "surrogateescape").removesuffix(_DELETED))


def _page(number: int) -> int:
    """Return where the page of an address or offset begins."""
    return number // _PAGE * _PAGE


def _base_name(path: str) -> str:
    return path.rpartition("/")[2]
