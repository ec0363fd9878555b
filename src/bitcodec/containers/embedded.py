"""Find the bitstreams in a file, through archives, universal files, objects and offload binaries."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bitcodec.containers.archive import archive_members, thin_names
from bitcodec.containers.coff import coff_sections
from bitcodec.containers.detection import FileKind, detect
from bitcodec.containers.elf import elf_sections
from bitcodec.containers.macho import macho_sections
from bitcodec.containers.offload import offload_images
from bitcodec.containers.parts import Part, disjoint, readable
from bitcodec.containers.thin import FileId, read_member
from bitcodec.containers.universal import universal_slices
from bitcodec.containers.wasm import wasm_sections
from bitcodec.containers.window import BytesLike, view_of
from bitcodec.errors import ContainerError, NoBitstreamError

__all__ = ["Embedded", "Findings", "Hollow", "find", "require", "scan"]

_NESTING_LIMIT = 8
"""Containers within containers; a universal file of archives of objects with offloaded archives of objects has six."""

_READERS: dict[FileKind, Callable[[memoryview], Iterable[Part]]] = {
    FileKind.ELF: elf_sections,
    FileKind.MACHO: macho_sections,
    FileKind.COFF: coff_sections,
    FileKind.WASM: wasm_sections,
    FileKind.UNIVERSAL: universal_slices,
    FileKind.OFFLOAD: offload_images,
    FileKind.ARCHIVE: archive_members,
}

_OBJECTS = {FileKind.ELF, FileKind.MACHO, FileKind.COFF, FileKind.WASM}


@dataclass(frozen=True, slots=True)
class Embedded:
    """A stretch of bytes that is a bitstream, or several in a row with zero bytes after them.

    Attributes:
        path: where it hides, for people: `a.o`, `.llvmbc`, `a.o:.llvmbc`; empty for the file itself.
        data: its bytes; the first may be a wrapper's.
        offset: byte offset of `data` in the outermost file; None when it lies in another file (thin archives).
    """

    path: str
    data: memoryview
    offset: int | None


@dataclass(frozen=True, slots=True)
class Hollow:
    """A place that was made for a bitstream and holds none.

    Attributes:
        path: as in Embedded.
        reason: the problem, and where possible advice; it continues a sentence that begins with the path.
    """

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Findings:
    """Result of `scan`: the kind of the file, the bitstreams in the order of the file, and the places without one."""

    kind: FileKind
    found: list[Embedded] = field(default_factory=list)
    hollow: list[Hollow] = field(default_factory=list)


def find(data: BytesLike, *, path: os.PathLike[str] | str | None = None) -> list[Embedded]:
    """Return the bitstreams in `data`, in the order of the file; none for a file that can hold none.

    Args:
        data: the content of a file of any FileKind.  Nothing of it is copied.
        path: the file, needed for thin archives alone: their members are found from its folder.

    Raises:
        ContainerError: a container is malformed, nested too deep, or a thin archive's member cannot be read.
    """
    return scan(data, path=path).found


def require(data: BytesLike, *, path: os.PathLike[str] | str | None = None) -> list[Embedded]:
    """Return the result of `find`, but at least one bitstream.

    Raises:
        NoBitstreamError: no bitstream was found; the message gives the reason and advice.
        ContainerError: as `find` does.
    """
    findings = scan(data, path=path)
    if not findings.found:
        raise NoBitstreamError(_why_nothing(view_of(data), findings))
    return findings.found


def scan(data: BytesLike, *, path: os.PathLike[str] | str | None = None) -> Findings:
    """Look for bitstreams as `find` does, and also return the places that were made for one and hold none."""
    view = view_of(data)
    walk = _FileWalk(Findings(detect(view)))
    walk.explore(_Item("", view, 0, Path(path) if path is not None else None), depth=0)
    return walk.findings


@dataclass(frozen=True, slots=True)
class _Item:
    """Bytes to search; `offset` as in Embedded, `file` the path of the file that they are the whole of."""

    path: str
    data: memoryview
    offset: int | None
    file: Path | None


class _FileWalk:
    """One search through a file and its parts."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self._files_read: set[FileId] = set()

    def explore(self, item: _Item, depth: int) -> None:
        kind = detect(item.data)
        if kind in {FileKind.BITSTREAM, FileKind.WRAPPER}:
            self.findings.found.append(Embedded(item.path, item.data, item.offset))
        elif kind is not FileKind.UNKNOWN:
            if depth == _NESTING_LIMIT:
                raise ContainerError(f"{item.path}: containers are nested more than {_NESTING_LIMIT} deep")
            children = self._files_named(item) if kind is FileKind.THIN_ARCHIVE else self._parts(item, kind)
            for child in children:
                self.explore(child, depth + 1)

    def _parts(self, item: _Item, kind: FileKind) -> Iterator[_Item]:
        with _placing_errors_in(item):
            parts = disjoint(_READERS[kind](item.data))
        names = _DistinctNames()
        for part in parts:
            path = _joined(item.path, names.add(part.name))
            if part.hollow:
                self.findings.hollow.append(Hollow(path, part.hollow))
            else:
                offset = None if item.offset is None else item.offset + part.start
                yield _Item(path, item.data[part.start : part.start + part.size], offset, None)

    def _files_named(self, item: _Item) -> Iterator[_Item]:
        names = _DistinctNames()
        with _placing_errors_in(item):
            if item.file is None:
                hint = "it must be a file of its own" if item.path else "give its path"
                raise ContainerError(f"the members of a thin archive are separate files: {hint}")
            for name in thin_names(item.data):
                file = item.file.parent / name.decode("utf-8", "surrogateescape")
                content = read_member(file, self._files_read)
                if content is not None:
                    yield _Item(_joined(item.path, names.add(readable(name))), content, None, file)


class _DistinctNames:
    """Distinguishes parts of one name: `a.o`, `a.o#2`, `a.o#3`."""

    def __init__(self) -> None:
        self._used: set[str] = set()
        self._counts: dict[str, int] = {}

    def add(self, name: str) -> str:
        """Return `name`, with a number if it was given before."""
        distinct = name
        while distinct in self._used:
            self._counts[name] = self._counts.get(name, 1) + 1
            distinct = f"{name}#{self._counts[name]}"
        self._used.add(distinct)
        return distinct


def _joined(path: str, name: str) -> str:
    return f"{path}:{name}" if path else name


@contextmanager
def _placing_errors_in(item: _Item) -> Iterator[None]:
    """Add the part of the file to an error, as its offsets count from there."""
    try:
        yield
    except ContainerError as error:
        if not item.path:
            raise
        place = f" (which begins at byte {item.offset})" if item.offset is not None else ""
        raise ContainerError(f"in {item.path}{place}: {error}") from error


_GCC_SECTIONS = re.compile(rb"\.gnu\.lto_")
_MAGIC = re.compile(rb"BC\xC0\xDE")


def _hint_for_object(data: memoryview) -> str:
    """Return why an object has no section with bitcode, and advice."""
    if _GCC_SECTIONS.search(data):
        return "its LTO sections (.gnu.lto_*) contain GCC's own intermediate code; compile it with clang"
    magic = _MAGIC.search(data)
    if magic:
        return (
            f"bytes like the beginning of bitcode are at offset {magic.start()}, outside the sections for bitcode; "
            "copy them to a file of their own"
        )
    return "it has no section for one; compile with -emit-llvm, -fembed-bitcode or -flto -ffat-lto-objects"


def _why_nothing(data: memoryview, findings: Findings) -> str:
    kind = findings.kind
    if not data:
        return "the file is empty"
    if kind is FileKind.UNKNOWN:
        first = bytes(data[:4]).hex(" ")
        return f"neither a bitstream nor a file that could hold one: it begins with the bytes {first}"
    if findings.hollow:
        first_hollow = findings.hollow[0]
        others = f" (and {len(findings.hollow) - 1} more)" if len(findings.hollow) > 1 else ""
        return f"no bitstream in this {kind.label}: {first_hollow.path} {first_hollow.reason}{others}"
    if kind in _OBJECTS:
        return f"no bitstream in this {kind.label}: {_hint_for_object(data)}"
    return f"no bitstream in this {kind.label}: no member is or contains one"
