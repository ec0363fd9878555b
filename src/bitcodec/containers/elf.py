"""Sections of ELF objects and executables that hold bitstreams."""

from __future__ import annotations

from collections.abc import Iterator

from bitcodec.containers.elf_headers import ElfHeader
from bitcodec.containers.parts import Part
from bitcodec.containers.sections import BITSTREAM_SECTIONS, NAME_LIMIT, hollow, section
from bitcodec.containers.window import c_string, cut

__all__ = ["elf_sections"]

_NO_BITS = 8
_COMPRESSED = 0x800


def elf_sections(data: memoryview) -> Iterator[Part]:
    """Yield the sections of an ELF file that are there for a bitstream."""
    header = ElfHeader.of(data)
    if header.sections[3] == 0:
        return
    table = header.section_table(data)
    if table is None:
        return
    names_header = table.row(data, table.names_index, "header of the ELF section names")
    strings = cut(data, names_header[4], names_header[5], "ELF section names")
    for fields in table.rows(data):
        name = c_string(strings, fields[0], NAME_LIMIT, "name of an ELF section")
        if name in BITSTREAM_SECTIONS:
            yield _part(data, name, fields)


def _part(data: memoryview, name: bytes, fields: tuple[int, ...]) -> Part:
    _, kind, flags, _, offset, size = fields[:6]
    if kind == _NO_BITS:
        return hollow(name, "has no content in this file")
    if flags & _COMPRESSED:
        title = name.decode("ascii")
        return hollow(name, f"is compressed: first run llvm-objcopy --compress-sections={title}=none")
    return section(data, name, offset, size)
