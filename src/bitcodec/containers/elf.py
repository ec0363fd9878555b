"""Sections of ELF objects and executables: 32 and 64 bit, both byte orders."""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct

from bitcodec.containers.parts import Part
from bitcodec.containers.sections import BITSTREAM_SECTIONS, NAME_LIMIT, hollow, section
from bitcodec.containers.window import c_string, cut, rows, unpack
from bitcodec.errors import ContainerError

__all__ = ["elf_sections"]

_BYTE_ORDERS = {1: "<", 2: ">"}
_HEADERS = {1: "16x2HI3II6H", 2: "16x2HI3QI6H"}
"""By class (32, 64 bit): type, machine, version, entry, segment table, section table, flags, six sizes and counts."""

_SECTION_HEADERS = {1: "10I", 2: "2I4Q2I2Q"}
"""By class: name, type, flags, address, offset, size, link, info, alignment, entry size."""

_NO_BITS = 8
_COMPRESSED = 0x800
_EXTENDED_INDEX = 0xFFFF


def elf_sections(data: memoryview) -> Iterator[Part]:
    """Yield the sections of an ELF file that are there for a bitstream."""
    header_layout, layout = _layouts(data)
    header = unpack(header_layout, data, 0, "ELF header")
    table, entry_size, count, names_index = header[5], header[10], header[11], header[12]
    if table == 0 or names_index == 0:
        return
    if entry_size != layout.size:
        raise ContainerError(f"ELF header says section headers of {entry_size} bytes; they have {layout.size}")
    # Where 16 bits are too few for a number it is kept in the first section header.
    first = unpack(layout, data, table, "first ELF section header")
    count = count or first[5]
    names_index = first[6] if names_index == _EXTENDED_INDEX else names_index
    strings = _section_names(data, layout, table + names_index * layout.size)
    for fields in rows(layout, data, table, count, "ELF section table"):
        name = c_string(strings, fields[0], NAME_LIMIT, "name of an ELF section")
        if name in BITSTREAM_SECTIONS:
            yield _part(data, name, fields)


def _section_names(data: memoryview, layout: Struct, header_at: int) -> memoryview:
    fields = unpack(layout, data, header_at, "header of the ELF section names")
    return cut(data, fields[4], fields[5], "ELF section names")


def _layouts(data: memoryview) -> tuple[Struct, Struct]:
    ident = cut(data, 0, 16, "ELF identification")
    file_class, encoding = ident[4], ident[5]
    if file_class not in _HEADERS or encoding not in _BYTE_ORDERS:
        raise ContainerError(f"ELF class {file_class} and byte order {encoding} at byte 4: each must be 1 or 2")
    order = _BYTE_ORDERS[encoding]
    return Struct(order + _HEADERS[file_class]), Struct(order + _SECTION_HEADERS[file_class])


def _part(data: memoryview, name: bytes, fields: tuple[int, ...]) -> Part:
    _, kind, flags, _, offset, size = fields[:6]
    if kind == _NO_BITS:
        return hollow(name, "has no content in this file")
    if flags & _COMPRESSED:
        title = name.decode("ascii")
        return hollow(name, f"is compressed: first run llvm-objcopy --compress-sections={title}=none")
    return section(data, name, offset, size)
