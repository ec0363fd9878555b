"""Members of archives (`.a`, `.lib`): the GNU, BSD, Darwin and COFF forms, and GNU's thin one.

A member is a header of text fields, then its bytes, padded to an even offset.  The forms differ in where a name longer
than the field is kept: in a member `//` (GNU, COFF) or before the content (BSD, Darwin).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from struct import Struct

from bitcodec.containers.detection import FileKind, detect
from bitcodec.containers.parts import Part, readable
from bitcodec.containers.window import c_string, cut, unpack
from bitcodec.errors import ContainerError

__all__ = ["MAGIC_SIZE", "SIZE_FIELD", "StoredMember", "archive_members", "stored_members", "thin_names"]

MAGIC_SIZE = 8
SIZE_FIELD = slice(48, 58)
"""Bytes of a header that give the size of the member."""
_HEADER = Struct("16s32x10s2s")  # name, (date, owner, group, mode), size in decimal, end mark
_END_MARK = b"`\n"
_LONG_NAMES = b"//"
_BSD_TABLE = b"__.SYMDEF"
_NAME_LIMIT = 4096
"""Longest path Linux takes."""

_DARWIN_PADDING = b"\n" * 4


@dataclass(frozen=True, slots=True)
class _Member:
    """Name as stored, whether in the GNU way (a slash ends it), and offset and size of the content."""

    name: bytes
    is_gnu: bool
    start: int
    size: int


def archive_members(data: memoryview) -> Iterator[Part]:
    """Yield the members of an archive, without its own tables."""
    for member in _members(data, is_thin=False):
        size = member.size
        if not member.is_gnu:
            size -= _darwin_padding(cut(data, member.start, size, "archive member"))
        yield Part(readable(member.name), member.start, size)


def thin_names(data: memoryview) -> Iterator[bytes]:
    """Yield the names of the files that a thin archive refers to, as stored."""
    return (member.name for member in _members(data, is_thin=True))


@dataclass(frozen=True, slots=True)
class StoredMember:
    """A stored member, or a table of the archive.

    Attributes:
        name: the name, without the slash of GNU's form.
        is_gnu: whether the name is in the form of GNU, or the member is a table.
        header: offset of the header.
        start: offset of the content, behind a name of BSD's form.
        end: offset of the next header.
    """

    name: bytes
    is_gnu: bool
    header: int
    start: int
    end: int


def stored_members(data: memoryview, *, is_thin: bool = False) -> Iterator[StoredMember]:
    """Yield the members and the tables of an archive, in order; members of a thin one are empty."""
    long_names = data[:0]
    at = MAGIC_SIZE
    while at < len(data):
        field, size = _header(data, at)
        size = 0 if is_thin and not _is_table(field) else size
        start = at + _HEADER.size
        content = cut(data, start, size, f"archive member {readable(field)}")
        end = min(start + size + size % 2, len(data))
        if _is_table(field):
            long_names = content if field == _LONG_NAMES else long_names
            yield StoredMember(field, is_gnu=True, header=at, start=start, end=end)
        else:
            member = _member(field, start, size, content, long_names)
            yield StoredMember(member.name, is_gnu=member.is_gnu, header=at, start=member.start, end=end)
        at = end


def _members(data: memoryview, *, is_thin: bool) -> Iterator[_Member]:
    long_names = data[:0]
    at = MAGIC_SIZE
    while at < len(data):
        field, size = _header(data, at)
        start = at + _HEADER.size
        stored = 0 if is_thin and not _is_table(field) else size
        content = cut(data, start, stored, f"archive member {readable(field)}")
        if field == _LONG_NAMES:
            long_names = content
        elif not _is_table(field):
            member = _member(field, start, size, content, long_names)
            if not member.name.startswith(_BSD_TABLE):
                yield member
        at = start + stored + stored % 2


def _header(data: memoryview, at: int) -> tuple[bytes, int]:
    """Return the name field, without the spaces after it, and the size of the member whose header is at byte `at`."""
    name, size, mark = unpack(_HEADER, data, at, "archive member header")
    if mark != _END_MARK:
        raise ContainerError(f"archive member header at byte {at} lacks its end mark")
    return name.rstrip(b" "), _number(size.rstrip(b" "), f"size in the archive member header at byte {at}")


def _is_table(field: bytes) -> bool:
    """Distinguish symbol tables and the like (`/`, `//`, `/SYM64/`, `/<ECSYMBOLS>/`) from long names (`/123`)."""
    return field.startswith(b"/") and not field[1:2].isdigit()


def _member(field: bytes, start: int, size: int, content: memoryview, long_names: memoryview) -> _Member:
    if field.startswith(b"#1/"):
        length = _number(field[3:], f"length of the name of the archive member at byte {start}")
        name = bytes(cut(content, 0, length, f"name of the archive member at byte {start}")).rstrip(b"\0")
        return _Member(name, is_gnu=False, start=start + length, size=size - length)
    if field.startswith(b"/"):
        return _Member(_long_name(field, long_names), is_gnu=True, start=start, size=size)
    return _Member(field.removesuffix(b"/"), is_gnu=field.endswith(b"/"), start=start, size=size)


def _long_name(field: bytes, long_names: memoryview) -> bytes:
    """Resolve `/OFFSET` in the member `//`.

    GNU's thin archives write `/OFFSET:PLACE` for the member at PLACE of another archive; the name is that archive's.
    """
    what = f"long archive member name {readable(field)}"
    offset = _number(field[1:].partition(b":")[0], what)
    name = c_string(long_names, offset, _NAME_LIMIT, what)
    return name.partition(b"\n")[0].removesuffix(b"/")


def _darwin_padding(content: memoryview) -> int:
    """Return how many bytes of padding a BSD member ends with.

    Darwin pads members with newlines to eight bytes, and counts those in the size.  A bitstream has a multiple of four
    bytes and could not distinguish them from content.
    """
    is_bitstream = detect(content) in {FileKind.BITSTREAM, FileKind.WRAPPER}
    is_padded = len(content) % 8 == 0 and content[-4:] == _DARWIN_PADDING
    return len(_DARWIN_PADDING) if is_bitstream and is_padded else 0


def _number(digits: bytes, what: str) -> int:
    if not digits.isdigit():
        raise ContainerError(f"{what} is not a number: {readable(digits)!r}")
    return int(digits)
