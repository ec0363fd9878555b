"""Addresses in the PC sections of an image that only the loader knows: constants `ptr @g` of shared objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.pcsections.references import Reference
from bitcodec.tables.elf_machines import RelocationKind

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from bitcodec.containers.elf_file import ElfFile, Section
    from bitcodec.containers.elf_tables import Relocations
    from bitcodec.tables.elf_machines import Machine

__all__ = ["dynamic_references"]

_KINDS = {RelocationKind.ABSOLUTE, RelocationKind.RELATIVE}


def dynamic_references(file: ElfFile, section: Section, machine: Machine) -> dict[int, Reference]:
    """Return what the loader writes into a section, by byte offset in it.

    Where only the distance to the load address is added, the symbol is "" and the addend is the address in the file.
    Fields that hold their addend themselves can be read as they are, and are left out.
    """
    return {
        reference.offset: reference
        for table in file.dynamic_relocations
        if table.addends is not None
        for reference in _references(file, section, machine, table, table.addends)
    }


def _references(
    file: ElfFile, section: Section, machine: Machine, table: Relocations, addends: array[int]
) -> Iterator[Reference]:
    place = range(section.address, section.address + section.size)
    for index in [row for row, address in enumerate(table.offsets) if address in place]:
        row = machine.relocations.get(table.types[index])
        if row is not None and row.kind in _KINDS:
            symbol = table.symbols[index]
            name = file.symbols(table.symbol_table).name(symbol) if symbol else ""
            offset = table.offsets[index] - section.address
            yield Reference(offset, name, addends[index], row.size or file.header.word_size)
