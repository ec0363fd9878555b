"""Replaces members of archives: headers get their new sizes, tables of symbols the new offsets."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from bitcodec.containers.archive import MAGIC_SIZE, SIZE_FIELD, stored_members
from bitcodec.errors import ContainerError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bitcodec.containers.archive import StoredMember

__all__ = ["replace_members"]

_BSD_ALIGNMENT = 8
_HEADER_SIZE = 60


def replace_members(data: memoryview | bytes, contents: Mapping[int, bytes]) -> bytes:
    """Return an archive with other contents for some members; all other bytes stay, except for sizes and offsets.

    A new content must have the symbols of the old one, because the symbol table is not rebuilt.

    Args:
        data: the archive; it is not a thin one.
        contents: new contents by the offset of the old content in the archive.

    Raises:
        ContainerError: the archive is malformed, or an offset is not the start of a member's content.
    """
    view = memoryview(data)
    members = list(stored_members(view))
    unknown = contents.keys() - {member.start for member in members}
    if unknown:
        raise ContainerError(f"no member of the archive has its content at byte {min(unknown)}")
    made = [_with_content(view, member, contents.get(member.start)) for member in members]
    offsets: dict[int, int] = {}
    at = MAGIC_SIZE
    for member, piece in zip(members, made, strict=True):
        offsets[member.header] = at
        at += len(piece)
    pieces = [bytes(view[:MAGIC_SIZE])]
    for member, piece in zip(members, made, strict=True):
        head = member.start - member.header
        move = _MOVERS.get(member.name.rstrip(b"\0"))
        pieces.append(piece[:head] + move(piece[head:], offsets) if move else piece)
    return b"".join(pieces)


def _with_content(view: memoryview, member: StoredMember, content: bytes | None) -> bytes:
    """Return a member from its header to its padding."""
    if content is None:
        return bytes(view[member.header : member.end])
    if not member.is_gnu and len(content) % _BSD_ALIGNMENT:
        content += b"\n" * (-len(content) % _BSD_ALIGNMENT)  # counted in the size
    head = bytearray(view[member.header : member.start])
    size = member.start - member.header - _HEADER_SIZE + len(content)
    head[SIZE_FIELD] = str(size).encode().ljust(SIZE_FIELD.stop - SIZE_FIELD.start)
    return bytes(head) + content + b"\n" * (size % 2)


def _moved(table: bytes, start: int, form: str, count: int, step: int, offsets: Mapping[int, int]) -> bytes:
    """Return a table in which some numbers, one in each `step` bytes, are new offsets of headers."""
    moved = bytearray(table)
    for place in range(start, start + count * step, step):
        try:
            (old,) = struct.unpack_from(form, table, place)
            struct.pack_into(form, moved, place, offsets.get(old, old))
        except struct.error as error:
            raise ContainerError("the table of symbols of the archive is malformed") from error
    return bytes(moved)


def _first(table: bytes, form: str) -> int:
    size = struct.calcsize(form)
    return int(struct.unpack_from(form, table)[0]) if len(table) >= size else 0


def _moved_gnu(table: bytes, offsets: Mapping[int, int]) -> bytes:
    """Return GNU's table: the number of symbols, then an offset for each; or the second table of COFF."""
    count = _first(table, ">I")
    if 4 + 4 * count <= len(table):
        return _moved(table, 4, ">I", count, 4, offsets)
    return _moved(table, 4, "<I", _first(table, "<I"), 4, offsets)


def _moved_gnu_64(table: bytes, offsets: Mapping[int, int]) -> bytes:
    return _moved(table, 8, ">Q", _first(table, ">Q"), 8, offsets)


def _moved_bsd(table: bytes, offsets: Mapping[int, int]) -> bytes:
    """Return BSD's table: its size in bytes, then pairs of a name and an offset."""
    return _moved(table, 8, "<I", _first(table, "<I") // 8, 8, offsets)


def _moved_bsd_64(table: bytes, offsets: Mapping[int, int]) -> bytes:
    return _moved(table, 16, "<Q", _first(table, "<Q") // 16, 16, offsets)


_MOVERS: dict[bytes, Callable[[bytes, Mapping[int, int]], bytes]] = {
    b"/": _moved_gnu,
    b"/SYM64/": _moved_gnu_64,
    b"__.SYMDEF": _moved_bsd,
    b"__.SYMDEF SORTED": _moved_bsd,
    b"__.SYMDEF_64": _moved_bsd_64,
    b"__.SYMDEF_64 SORTED": _moved_bsd_64,
}
"""Functions that move the offsets in tables of symbols, by the name of the member."""
