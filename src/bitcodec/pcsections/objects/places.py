"""Address of the code of a symbol: its value, without the marks and indirections of some processors.

Rules: ELF for the Arm Architecture, "Symbol Values"; 64-bit PowerPC ELF ABI Supplement 1.9, "Function Descriptors";
`st_other` marks compressed MIPS code.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.containers.elf_file import SectionType
from bitcodec.errors import ContainerError
from bitcodec.pcsections.objects.dynamic import dynamic_references
from bitcodec.tables.elf_machines import MACHINES, RelocationKind

if TYPE_CHECKING:
    from bitcodec.containers.elf_file import ElfFile, Section
    from bitcodec.containers.elf_tables import Symbols

__all__ = ["CodePlaces"]

_EM_MIPS, _EM_PPC64, _EM_ARM = 8, 21, 40
_FUNCTION = 2
_MIPS_COMPRESSED = 0x80

_DESCRIPTORS = ".opd"

CodePlace = tuple[int | None, int]
"""Section and offset in a relocatable object, None and address in an image."""


class CodePlaces:
    """Finds the code of functions, by their symbols.

    Args:
        file: an ELF file.
        symbols: a symbol table of it.
    """

    def __init__(self, file: ElfFile, symbols: Symbols) -> None:
        self._file, self._symbols = file, symbols
        self._machine = file.header.machine

    def __getitem__(self, row: int) -> CodePlace:
        """Return the place of the code of the symbol in a row, which is defined in a section.

        Raises:
            ContainerError: the file is malformed.
        """
        section, value = self._symbols.sections[row], self._symbols.values[row]
        if self._descriptors is not None and section == self._descriptors.index:
            offset = value if self._file.is_relocatable else value - self._descriptors.address
            place = self._described.get(offset)
            return place if place is not None else (None, -1)
        if self._has_mark(row):
            value &= ~1
        return (section if self._file.is_relocatable else None), value

    def _has_mark(self, row: int) -> bool:
        """Return whether the lowest bit of a symbol's value is not one of its address."""
        if self._machine == _EM_ARM:
            return self._symbols.infos[row] & 0xF == _FUNCTION
        return self._machine == _EM_MIPS and bool(self._symbols.others[row] & _MIPS_COMPRESSED)

    @cached_property
    def _descriptors(self) -> Section | None:
        """The section that symbols of functions are in where they are not in the code."""
        if self._machine != _EM_PPC64:
            return None
        return next((each for each in self._file.sections if each.name == _DESCRIPTORS), None)

    @cached_property
    def _described(self) -> dict[int, CodePlace]:
        """Address of the code of each descriptor."""
        section = self._descriptors
        if section is None or section.type != SectionType.PROGBITS:
            return {}
        if self._file.is_relocatable:
            return self._described_by_relocations(section)
        content = self._file.content(section)
        words = self._file.header.struct(f"{len(content) // 8}Q").unpack_from(content)
        places: dict[int, CodePlace] = {8 * index: (None, word) for index, word in enumerate(words)}
        references = dynamic_references(self._file, [section], MACHINES[self._machine])[section.index]
        return places | {offset: (None, reference.addend) for offset, reference in references.items()}

    def _described_by_relocations(self, section: Section) -> dict[int, CodePlace]:
        found: dict[int, CodePlace] = {}
        rows = MACHINES[self._machine].relocations
        for table in self._file.relocations(section.index):
            symbols = self._file.symbols(table.symbol_table)
            for offset, kind, symbol, addend in zip(
                table.offsets, table.types, table.symbols, table.addends or (), strict=True
            ):
                if symbol >= len(symbols.values):
                    raise ContainerError(
                        f"{section.title}: a relocation names symbol {symbol} of {len(symbols.values)}"
                    )
                if kind in rows and rows[kind].kind is RelocationKind.ABSOLUTE:
                    found[offset] = symbols.sections[symbol], symbols.values[symbol] + addend
        return found
