"""Replaces the contents of sections of ELF files: the section table gets the new offsets and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.containers.elf_headers import ElfHeader
from bitcodec.errors import ContainerError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["replace_sections"]

_NO_BITS = 8
_ALLOCATED = 0x2
_OFFSET, _SIZE, _ALIGNMENT = 4, 5, 8
"""Fields of a section header."""
_MAX_ALIGNMENT = 1 << 16


def replace_sections(data: memoryview | bytes, contents: Mapping[int, bytes]) -> bytes:
    """Return an ELF file with other contents for some sections; all other sections stay where they are.

    A content that is larger than the old one is put at the end of the file.

    Args:
        data: the file.
        contents: new contents by the offset of the old content in the file.

    Raises:
        ContainerError: the file is malformed, no section begins at an offset, or a larger content is for a section that
            is part of the memory image.
    """
    view = memoryview(data)
    header = ElfHeader.of(view)
    table = header.section_table(view)
    made, left = bytearray(view), dict(contents)
    for index, fields in enumerate(table.rows(view) if table else ()):
        start, size = fields[_OFFSET], fields[_SIZE]
        if fields[1] == _NO_BITS or not size or start not in left or table is None:
            continue
        content = left.pop(start)
        if len(content) <= size:
            made[start : start + size] = content + bytes(size - len(content))
        else:
            if fields[2] & _ALLOCATED:
                raise ContainerError(f"the section at byte {start} is part of the memory image and cannot grow")
            if fields[_ALIGNMENT] > _MAX_ALIGNMENT:
                raise ContainerError(f"the section at byte {start} has an alignment of {fields[_ALIGNMENT]:,} bytes")
            if start + size == len(made) and table.start + table.length * table.layout.size <= start:
                del made[start:]
            made += bytes(-len(made) % max(fields[_ALIGNMENT], 1))
            start = len(made)
            made += content
        changed = (*fields[:_OFFSET], start, len(content), *fields[_SIZE + 1 :])
        table.layout.pack_into(made, table.start + index * table.layout.size, *changed)
    if left:
        raise ContainerError(f"no section of the ELF file has its content at byte {min(left)}")
    return bytes(made)
