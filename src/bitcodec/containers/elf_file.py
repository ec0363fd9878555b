"""An ELF file: its sections, their content, symbols and relocations, each read when requested.

Rules: ELF specification, "Sections", "Special Sections" and "Section Compression".
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property

from bitcodec.containers.elf_headers import ElfHeader, Segment
from bitcodec.containers.elf_tables import Relocations, Strings, Symbols, read_relocations, read_symbols
from bitcodec.containers.parts import readable
from bitcodec.containers.window import BytesLike, cut, unpack, view_of
from bitcodec.errors import ContainerError

__all__ = ["ElfFile", "Section", "SectionFlag", "SectionType"]

_RELOCATABLE = 1
_ZLIB = 1
_COMPRESSION_HEADERS = {1: "3I", 2: "I4x2Q"}
"""By class: how it is compressed, size in bytes, alignment."""

_MOST_READ = 2
"""Maximum number of times that all bytes of a file may be read, section by section: some may overlap a little."""

_MOST_EXPANSION = 1040
"""Maximum number of bytes that zlib can make of one."""


class SectionType:
    """Values of `sh_type`."""

    PROGBITS = 1
    SYMTAB = 2
    RELA = 4
    NOBITS = 8
    REL = 9
    DYNSYM = 11
    SYMTAB_SHNDX = 18
    CREL = 0x4000_0014


class SectionFlag:
    """Bits of `sh_flags`."""

    WRITE = 0x1
    ALLOC = 0x2
    EXECINSTR = 0x4
    LINK_ORDER = 0x80
    GROUP = 0x200
    COMPRESSED = 0x800
    GNU_RETAIN = 0x20_0000


@dataclass(frozen=True, slots=True)
class Section:
    """A section's header.

    Attributes:
        index: its place in the section table.
        name: of the section; bytes that are not UTF-8 are surrogates.
        type: a SectionType.
        flags: SectionFlag bits.
        address: in the running program, 0 in a relocatable object.
        offset: of its content in the file, in bytes.
        size: of its content, in bytes.
        link, info: indices of other sections, by type.
        alignment: of its address, in bytes.
        entry_size: of a table, in bytes.
    """

    index: int
    name: str
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int

    @property
    def is_executable(self) -> bool:
        """Whether it holds code."""
        return bool(self.flags & SectionFlag.EXECINSTR)

    @property
    def title(self) -> str:
        """How messages call it."""
        return f"section {readable(self.name.encode('utf-8', 'surrogateescape'))} (number {self.index})"


class ElfFile:
    """An ELF file.  Nothing but its header is read before it is requested, and nothing is copied that need not be.

    Args:
        data: the content of the file.

    Attributes:
        data: the same, read-only.
        header: its header.

    Raises:
        ContainerError: here and from all methods, where the file is malformed.
    """

    def __init__(self, data: BytesLike) -> None:
        self.data = view_of(data)
        self.header = ElfHeader.of(self.data)
        self._symbols: dict[int, Symbols] = {}
        self._relocations: dict[int, Relocations] = {}
        self._strings: dict[int, Strings] = {}
        self._read: set[int] = set()
        self._left = _MOST_READ * len(self.data)

    @property
    def is_relocatable(self) -> bool:
        """Whether it is an object that was not linked, or linked to be linked again (`ld -r`)."""
        return self.header.type == _RELOCATABLE

    @cached_property
    def sections(self) -> list[Section]:
        """All sections, the empty first one included."""
        table = self.header.section_table(self.data)
        if table is None:
            return []
        strings = Strings(b"")
        if table.names_index:
            fields = table.row(self.data, table.names_index, "header of the ELF section names")
            strings = Strings(bytes(cut(self.data, fields[4], fields[5], "ELF section names")))
        return [
            Section(index, strings[name] if table.names_index else "", *fields)
            for index, (name, *fields) in enumerate(table.rows(self.data))
        ]

    @cached_property
    def segments(self) -> list[Segment]:
        """Segments that the loader maps, or of a core dump; none in a relocatable object."""
        return self.header.segment_table(self.data)

    def section(self, index: int, what: str) -> Section:
        """Return a section by its index; `what` names the reference in the ContainerError for a missing one."""
        if not 0 <= index < len(self.sections):
            raise ContainerError(f"{what} is of section {index}, of {len(self.sections)} sections")
        return self.sections[index]

    def content(self, section: Section) -> memoryview:
        """Return the bytes of a section, uncompressed if it is compressed with zlib."""
        if section.type == SectionType.NOBITS:
            raise ContainerError(f"{section.title} has no content in this file")
        found = cut(self.data, section.offset, section.size, section.title)
        if section.index not in self._read:
            self._read.add(section.index)
            self._left -= section.size
            if self._left < 0:
                raise ContainerError(f"{section.title} and others overlap too much to be valid")
        return self._uncompressed(section, found) if section.flags & SectionFlag.COMPRESSED else found

    def relocations(self, index: int) -> list[Relocations]:
        """Return the relocations of a section by its index: one table, seldom more."""
        return [self._relocations_of(section) for section in self._relocation_sections.get(index, ())]

    @cached_property
    def dynamic_relocations(self) -> list[Relocations]:
        """Relocations of an image for the loader; offsets are addresses."""
        if self.is_relocatable:
            return []
        kinds = {SectionType.REL, SectionType.RELA}
        found = (section for section in self.sections if section.type in kinds and section.flags & SectionFlag.ALLOC)
        return [self._relocations_of(section) for section in found]

    def symbols(self, index: int) -> Symbols:
        """Return the symbol table whose section has this index."""
        if index not in self._symbols:
            self._symbols[index] = self._read_symbols(self.section(index, "a symbol table"))
        return self._symbols[index]

    @cached_property
    def symbol_table(self) -> int | None:
        """Index of the section with the symbols: all symbols, or, if they were stripped, the dynamic ones."""
        for kind in (SectionType.SYMTAB, SectionType.DYNSYM):
            for section in self.sections:
                if section.type == kind:
                    return section.index
        return None

    @cached_property
    def _relocation_sections(self) -> dict[int, list[Section]]:
        """By the section that they are of."""
        found: dict[int, list[Section]] = {}
        for section in self.sections:
            if section.type in {SectionType.REL, SectionType.RELA, SectionType.CREL}:
                found.setdefault(section.info, []).append(section)
        return found

    @cached_property
    def _extended_indices(self) -> dict[int, Section]:
        """By symbol table: the section that holds indices that do not fit into 16 bits."""
        return {section.link: section for section in self.sections if section.type == SectionType.SYMTAB_SHNDX}

    def _relocations_of(self, section: Section) -> Relocations:
        if section.index not in self._relocations:
            if section.type == SectionType.CREL:
                raise ContainerError(f"{section.title} has compact relocations: compile again without --crel")
            has_addends = section.type == SectionType.RELA
            table = read_relocations(self.content(section), self.header, section.link, has_addends=has_addends)
            self._relocations[section.index] = table
        return self._relocations[section.index]

    def _read_symbols(self, section: Section) -> Symbols:
        if section.type not in {SectionType.SYMTAB, SectionType.DYNSYM}:
            raise ContainerError(f"{section.title} is not a symbol table")
        extended = self._extended_indices.get(section.index)
        names = self.section(section.link, "the table of symbol names")
        if names.index not in self._strings:
            self._strings[names.index] = Strings(bytes(self.content(names)))
        return read_symbols(
            self.content(section),
            self.header,
            self.content(extended) if extended is not None else None,
            self._strings[names.index],
        )

    def _uncompressed(self, section: Section, content: memoryview) -> memoryview:
        layout = self.header.struct(_COMPRESSION_HEADERS[self.header.file_class])
        kind, size, _ = unpack(layout, content, 0, f"compression header of {section.title}")
        packed = content[layout.size :]
        if kind != _ZLIB:
            raise ContainerError(
                f"{section.title} is not compressed with zlib: run llvm-objcopy --decompress-debug-sections"
            )
        if size > _MOST_EXPANSION * len(packed):
            raise ContainerError(f"{section.title} cannot have {size} bytes: {len(packed)} are there, compressed")
        try:
            plain = zlib.decompressobj().decompress(packed, size + 1)
        except zlib.error as error:
            raise ContainerError(f"{section.title} is not compressed as its header states: {error}") from error
        if len(plain) != size:
            more_or_less = "fewer" if len(plain) < size else "more"
            raise ContainerError(f"{section.title}: expected {size} bytes of data, found {more_or_less}")
        return memoryview(plain)
