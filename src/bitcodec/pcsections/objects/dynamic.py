"""Addresses in the PC sections of an image that only the loader knows: constants `ptr @g` of shared objects."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from bitcodec.pcsections.references import Reference
from bitcodec.tables.elf_machines import RelocationKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from bitcodec.containers.elf_file import ElfFile, Section
    from bitcodec.containers.elf_tables import Relocations
    from bitcodec.tables.elf_machines import Machine

__all__ = ["dynamic_references"]

_KINDS = {RelocationKind.ABSOLUTE, RelocationKind.RELATIVE}


def dynamic_references(
    file: ElfFile, sections: Collection[Section], machine: Machine
) -> dict[int, dict[int, Reference]]:
    """Return the references that the loader resolves in sections: by the index of the section, and the byte offset.

    Where only the distance to the load address is added, the symbol is "" and the addend is the address in the file.
    Fields that hold their addend themselves can be read directly, and are left out.

    Raises:
        ContainerError: the file is malformed.
    """
    span = range(
        min((each.address for each in sections), default=0),
        max((each.address + each.size for each in sections), default=0),
    )
    rows = {
        address: (table, row)
        for table in file.dynamic_relocations
        if table.addends is not None
        for row, address in enumerate(table.offsets)
        if address in span
    }
    addresses = sorted(rows)
    found: dict[int, dict[int, Reference]] = {}
    for section in sections:
        first = bisect_left(addresses, section.address)
        last = bisect_left(addresses, section.address + section.size)
        references = (
            _reference(file, machine, address - section.address, *rows[address]) for address in addresses[first:last]
        )
        found[section.index] = {each.offset: each for each in references if each is not None}
    return found


def _reference(file: ElfFile, machine: Machine, offset: int, table: Relocations, row: int) -> Reference | None:
    """Return the reference of a relocation, None if it is of another kind."""
    relocation = machine.relocations.get(table.types[row])
    if relocation is None or relocation.kind not in _KINDS or table.addends is None:
        return None
    symbol = table.symbols[row]
    name = file.symbols(table.symbol_table).name(symbol) if symbol else ""
    return Reference(offset, name, table.addends[row], relocation.size or file.header.word_size)
