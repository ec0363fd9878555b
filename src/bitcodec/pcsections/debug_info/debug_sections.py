"""Sections of debug information, with the relocations of a relocatable object carried out.

Sections of such an object all begin at address 0, so code of different sections could not be distinguished: here each
section of code gets a different address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.containers.elf_tables import RESERVED_SECTIONS
from bitcodec.errors import ContainerError
from bitcodec.tables.elf_machines import MACHINES, RelocationKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bitcodec.containers.elf_file import ElfFile, Section
    from bitcodec.containers.elf_tables import Relocations, Symbols
    from bitcodec.pcsections.objects.code_ranges import CodeRanges
    from bitcodec.tables.elf_machines import DataRelocation

__all__ = ["base_addresses", "debug_section"]

_GROUP = 0x200
_PAGE = 0x1000
_FORMATS = {1: "B", 2: "H", 4: "I", 8: "Q"}
_SIGNS = {RelocationKind.ABSOLUTE: 1, RelocationKind.ADD: 1, RelocationKind.SUBTRACT: -1}


def base_addresses(code: CodeRanges) -> dict[int | None, int]:
    """Return where each section with code is taken to begin; of an image, nothing is moved."""
    bases: dict[int | None, int] = {}
    end = _PAGE
    for section, places in code.ranges.items():
        bases[section] = 0 if section is None else end
        # One byte more, as a line may begin where a section ends.
        end += places[-1].stop + 1 if places else 0
    return bases


def debug_section(file: ElfFile, name: str, bases: dict[int | None, int]) -> bytes | None:
    """Return the content of the section of this name, None if it is missing.

    Raises:
        ContainerError: the file is malformed.
    """
    found = [section for section in file.sections if section.name == name]
    if not found:
        return None
    # Those in groups hold types that several objects share.
    section = min(found, key=lambda each: bool(each.flags & _GROUP))
    content = file.content(section)
    return bytes(_Relocator(file, section, content, bases).run() if file.is_relocatable else content)


class _Relocator:
    """Carries out the relocations of one section."""

    def __init__(self, file: ElfFile, section: Section, content: memoryview, bases: dict[int | None, int]) -> None:
        self._file, self._section, self._bases = file, section, bases
        self._content = bytearray(content)
        machine = MACHINES.get(file.header.machine)
        self._rows = machine.relocations if machine is not None else {}

    def run(self) -> bytearray:
        for table in self._file.relocations(self._section.index):
            symbols = self._file.symbols(table.symbol_table)
            for kind in set(table.types):
                row = self._rows.get(kind)
                if row is not None and row.kind in _SIGNS:
                    self._apply(table, kind, row, symbols)
        return self._content

    def _apply(self, table: Relocations, kind: int, row: DataRelocation, symbols: Symbols) -> None:
        picks = [index for index, each in enumerate(table.types) if each == kind]
        if max(table.offsets[index] for index in picks) + row.size > len(self._content):
            raise ContainerError(f"{self._section.title} has a relocation behind its end")
        if max(table.symbols[index] for index in picks) >= len(symbols.values):
            raise ContainerError(f"{self._section.title} has a relocation with a symbol that is not there")
        places = {index: self._address(symbols, index) for index in {table.symbols[each] for each in picks}}
        layout = self._file.header.struct(_FORMATS[row.size])
        mask, sign = (1 << 8 * row.size) - 1, _SIGNS[row.kind]
        addends: Sequence[int] | None = table.addends
        # What is added or subtracted is the field's too, whoever holds the addend.
        keeps = addends is None or row.kind is not RelocationKind.ABSOLUTE
        for index in picks:
            offset = table.offsets[index]
            value = places[table.symbols[index]] + (addends[index] if addends is not None else 0)
            before = layout.unpack_from(self._content, offset)[0] if keeps else 0
            layout.pack_into(self._content, offset, (before + sign * value) & mask)

    def _address(self, symbols: Symbols, index: int) -> int:
        section = symbols.sections[index]
        base = self._bases.get(section, 0) if section < RESERVED_SECTIONS else 0
        return base + symbols.values[index]
