"""PC sections in ELF files: the input sections of a relocatable object, or the sections of a linked image.

Rules: docs/reference/pc-sections.md, 2.4, 2.5 and 3.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bitcodec.containers.elf_file import ElfFile, Section, SectionFlag, SectionType
from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.objects.dynamic import dynamic_references
from bitcodec.pcsections.objects.fields import PCFields, RelocatedFields, has_pcs, resolve
from bitcodec.tables.elf_machines import MACHINES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from bitcodec.containers.elf_headers import ByteOrder
    from bitcodec.containers.window import BytesLike
    from bitcodec.pcsections.references import Reference
    from bitcodec.tables.elf_machines import Machine

__all__ = ["PCFields", "Piece", "pieces"]

_FLAGS = SectionFlag.WRITE | SectionFlag.ALLOC | SectionFlag.LINK_ORDER
"""Flags of every PC section of an object; other sections may have them too."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One input section of a relocatable object, or a section of an image.

    Attributes:
        name: of the section.
        index: of the section.
        data: its bytes.
        address: where it is in the running program; None in a relocatable object.
        byte_order: of its numbers.
        pointer_size: bytes of an address.
        machine: the processor.
        pcs: its PC fields; None in an image, where no marks of them are left.
        references: addresses that only the linker, or of an image the loader, knows, by byte offset.
        lengths: sizes of functions in bytes that linker relaxation leaves to relocations, by byte offset.
    """

    name: str
    index: int
    data: memoryview
    address: int | None
    byte_order: ByteOrder
    pointer_size: int
    machine: Machine
    pcs: PCFields | None
    references: dict[int, Reference]
    lengths: dict[int, int]


def pieces(data: BytesLike | ElfFile, names: Collection[str] | None = None) -> list[Piece]:
    """Return the PC sections of an ELF file, in the order of the file.

    In a relocatable object several may have one name: there is one for each section of code.

    Args:
        data: the content of the file.
        names: names of the sections. Default: the PC sections of a relocatable object, which are recognised.

    Raises:
        PCSectionsError: the processor has no PC-relative entries; no names are given for an image; or the contents of a
            section cannot be PCs.
        ContainerError: the file is malformed.
    """
    file = data if isinstance(data, ElfFile) else ElfFile(data)
    sections = list(_sections(file, names))
    if not sections:
        return []
    machine = _machine(file, sections[0])
    if file.is_relocatable:
        return [_piece(file, section, machine, resolve(file, section, machine)) for section in sections]
    references = dynamic_references(file, sections, machine)
    return [_piece(file, each, machine, RelocatedFields(None, references[each.index], {})) for each in sections]


def _sections(file: ElfFile, names: Collection[str] | None) -> Iterator[Section]:
    if not file.sections:
        raise PCSectionsError("this ELF file has no section table (sstrip?): nothing specifies where PC sections are")
    if names is not None:
        yield from (section for section in file.sections[1:] if section.name in names)
        return
    if not file.is_relocatable:
        raise PCSectionsError("nothing distinguishes PC sections of a linked file: name the sections")
    for section in file.sections:
        if (
            _may_have_pcs(section)
            and file.relocations(section.index)
            and has_pcs(file, section, _machine(file, section))
        ):
            yield section


def _may_have_pcs(section: Section) -> bool:
    return section.type == SectionType.PROGBITS and section.flags & _FLAGS == _FLAGS


def _machine(file: ElfFile, section: Section) -> Machine:
    number = file.header.machine
    if number not in MACHINES:
        raise PCSectionsError(
            f"{section.title} is for processor {number} of ELF, whose PC sections hold no PC-relative addresses:"
            " they cannot be read"
        )
    return MACHINES[number]


def _piece(file: ElfFile, section: Section, machine: Machine, fields: RelocatedFields) -> Piece:
    header, content = file.header, file.content(section)
    address = None if file.is_relocatable else section.address
    return Piece(section.name, section.index, content, address, header.byte_order, header.word_size, machine, *fields)
