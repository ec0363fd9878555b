"""The headers of ELF files, 32 and 64 bit, in both byte orders: the one statement of how they lie in the file.

Rules: ELF specification, "Object Files", and its extension for files with 0xff00 sections and more.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Literal

from bitcodec.containers.window import cut, rows, unpack
from bitcodec.errors import ContainerError
from bitcodec.named_tuple import NamedTuple

__all__ = ["MAGIC", "ByteOrder", "ElfHeader", "SectionTable", "Segment"]

ByteOrder = Literal["little", "big"]

MAGIC = b"\x7fELF"

_BYTE_ORDERS: dict[int, ByteOrder] = {1: "little", 2: "big"}
_MARKS: dict[ByteOrder, str] = {"little": "<", "big": ">"}
"""Prefixes of formats of `struct`."""

_HEADERS = {1: "16x2HI3II6H", 2: "16x2HI3QI6H"}
"""By class (32, 64 bit): type, machine, version, entry, segment table, section table, flags, six sizes and counts."""

_SECTION_HEADERS = {1: "10I", 2: "2I4Q2I2Q"}
"""By class: name, type, flags, address, offset, size, link, info, alignment, entry size."""

_SEGMENT_HEADERS = {1: "3I4xI12x", 2: "I4x2Q8xQ16x"}
"""By class: type, offset, address, size in the file."""

_EXTENDED_INDEX = _EXTENDED_COUNT = 0xFFFF


class SectionTable(NamedTuple):
    """Place of the section headers.

    Attributes:
        layout: of one.
        start: byte offset of the first.
        length: how many there are.
        names_index: the section that holds the names of sections, 0 if none does.
    """

    layout: Struct
    start: int
    length: int
    names_index: int

    def rows(self, data: memoryview) -> Iterator[tuple[int, ...]]:
        """Yield name, type, flags, address, offset, size, link, info, alignment and entry size of each section."""
        return rows(self.layout, data, self.start, self.length, "ELF section table")

    def row(self, data: memoryview, index: int, what: str) -> tuple[int, ...]:
        """Return the fields of one section."""
        return unpack(self.layout, data, self.start + index * self.layout.size, what)


class Segment(NamedTuple):
    """A segment that the loader maps or reads, or part of a core dump.

    Attributes:
        type: `p_type`.
        offset: of its content in the file, in bytes.
        address: in the running program, before the loader moves it.
        size: of its content in the file, in bytes.
    """

    type: int
    offset: int
    address: int
    size: int


class ElfHeader(NamedTuple):
    """Header of an ELF file.

    Attributes:
        file_class: 1 if its words have 32 bits, 2 if they have 64.
        byte_order: of all its numbers.
        type: `e_type`: relocatable object, executable, shared object.
        machine: `e_machine`, a processor.
        flags: `e_flags`, whose meaning depends on the processor.
        sections: byte offset of the section table, size and count of its entries, and index of the section of names.
        segments: byte offset of the segment table, size and count of its entries.
    """

    file_class: int
    byte_order: ByteOrder
    type: int
    machine: int
    flags: int
    sections: tuple[int, int, int, int]
    segments: tuple[int, int, int]

    @classmethod
    def of(cls, data: memoryview) -> ElfHeader:
        """Return the header of a file.

        Raises:
            ContainerError: it has no header, or one of an unknown class or byte order.
        """
        ident = cut(data, 0, 16, "ELF identification")
        if ident[:4] != MAGIC:
            raise ContainerError(f"no ELF file: it begins with the bytes {bytes(ident[:4]).hex(' ')}")
        file_class, encoding = ident[4], ident[5]
        if file_class not in _HEADERS or encoding not in _BYTE_ORDERS:
            raise ContainerError(f"ELF class {file_class} and byte order {encoding} at byte 4: each must be 1 or 2")
        byte_order = _BYTE_ORDERS[encoding]
        fields = unpack(Struct(_MARKS[byte_order] + _HEADERS[file_class]), data, 0, "ELF header")
        sections, segments = (fields[5], *fields[10:13]), (fields[4], *fields[8:10])
        return cls(file_class, byte_order, fields[0], fields[1], fields[6], sections, segments)

    @property
    def word_size(self) -> int:
        """Bytes of an address."""
        return 4 * self.file_class

    def struct(self, layout: str) -> Struct:
        """Return a structure whose numbers have the byte order of the file."""
        return Struct(_MARKS[self.byte_order] + layout)

    def section_table(self, data: memoryview) -> SectionTable | None:
        """Return where the section headers are, None if there are none.

        Raises:
            ContainerError: the header of the file lies about it.
        """
        start, entry_size, count, names_index = self.sections
        if start == 0:
            return None
        layout = self.struct(_SECTION_HEADERS[self.file_class])
        if entry_size != layout.size:
            raise ContainerError(
                f"expected section headers of {layout.size} bytes, found {entry_size} in the ELF header"
            )
        # Where 16 bits are too few for a number it is kept in the first section header.
        first = unpack(layout, data, start, "first ELF section header")
        return SectionTable(
            layout, start, count or first[5], first[6] if names_index == _EXTENDED_INDEX else names_index
        )

    def segment_table(self, data: memoryview) -> list[Segment]:
        """Return the segments; empty for a relocatable object.

        Raises:
            ContainerError: the header of the file is wrong about them.
        """
        start, entry_size, count = self.segments
        if start == 0 or count == 0:
            return []
        layout = self.struct(_SEGMENT_HEADERS[self.file_class])
        if entry_size != layout.size:
            raise ContainerError(
                f"expected segment headers of {layout.size} bytes, found {entry_size} in the ELF header"
            )
        if count == _EXTENDED_COUNT and self.sections[0]:
            sections = self.struct(_SECTION_HEADERS[self.file_class])
            count = unpack(sections, data, self.sections[0], "first ELF section header")[7]
        return [Segment(*row) for row in rows(layout, data, start, count, "ELF segment table")]
