"""PC fields of a relocatable object: what the relocations of a PC section say of its bytes.

Each PC has a relocation, so the offsets of relocations are the starts of all PC fields.  Rules: PC sections reference,
sections 2.4 and 3.1.
"""

from __future__ import annotations

from array import array
from itertools import islice
from operator import le
from typing import TYPE_CHECKING, NamedTuple

from bitcodec.containers.elf_tables import RESERVED_SECTIONS
from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.references import Reference
from bitcodec.tables.elf_machines import RelocationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.containers.elf_file import ElfFile, Section
    from bitcodec.containers.elf_tables import Relocations, Symbols
    from bitcodec.tables.elf_machines import DataRelocation, Machine

__all__ = ["Fields", "PCFields", "has_pcs", "resolve"]

_NO_RELOCATION = 0
"""The type that every processor has for a relocation that does nothing."""

_EM_ARM = 40
_FUNCTION = 2
"""A type of symbols."""

_FIRST_OF_PAIR = {RelocationKind.ADD, RelocationKind.ADD_ULEB128, RelocationKind.SET_ULEB128}
_SECOND_OF_PAIR = {RelocationKind.SUBTRACT, RelocationKind.SUBTRACT_ULEB128}
_OF_PCS = {RelocationKind.PC_RELATIVE, RelocationKind.SUBTRACT}


class PCFields(NamedTuple):
    """The PC fields of a section in parallel columns, by ascending offset.

    Attributes:
        offsets: byte offset of the field in its section.
        sizes: bytes of the field, 4 or 8.
        sections: index of the section that the PC is in.
        targets: byte offset of the PC in that section.
    """

    offsets: array[int]
    sizes: array[int]
    sections: array[int]
    targets: array[int]


class Fields(NamedTuple):
    """What relocations say of a PC section.

    Attributes:
        pcs: its PC fields.
        references: addresses that only the linker knows, by byte offset.
        lengths: sizes of functions, in bytes, that linker relaxation leaves to relocations, by byte offset.
    """

    pcs: PCFields
    references: dict[int, Reference]
    lengths: dict[int, int]


def has_pcs(file: ElfFile, section: Section, machine: Machine) -> bool:
    """Tell whether a section has relocations that PCs have."""
    types = {kind for table in file.relocations(section.index) for kind in set(table.types)}
    return any(kind in types for kind, row in machine.relocations.items() if row.kind in _OF_PCS)


def resolve(file: ElfFile, section: Section, machine: Machine) -> Fields:
    """Return what the relocations of a section say.

    Raises:
        PCSectionsError: they do not make sense in a PC section.
        ContainerError: the file is malformed.
    """
    resolver = _Resolver(file, section, machine)
    for table in file.relocations(section.index):
        resolver.add(table)
    return resolver.fields()


class _Columns(NamedTuple):
    """Some relocations of one type."""

    offsets: Sequence[int]
    symbols: Sequence[int]
    addends: Sequence[int]


class _Operand(NamedTuple):
    """One of the two relocations of a pair: its row of the table, and the place that it names."""

    row: DataRelocation
    section: int
    value: int


class _Resolver:
    """Collects what the relocations of one section say."""

    def __init__(self, file: ElfFile, section: Section, machine: Machine) -> None:
        self._file, self._section, self._machine = file, section, machine
        self._data = file.content(section)
        self._pcs = PCFields(array("Q"), array("B"), array("I"), array("Q"))
        self._references: dict[int, Reference] = {}
        self._lengths: dict[int, int] = {}
        self._first: dict[int, _Operand] = {}
        self._second: dict[int, _Operand] = {}

    def add(self, table: Relocations) -> None:
        """Take in a table of relocations."""
        symbols = self._file.symbols(table.symbol_table)
        for kind in sorted(set(table.types) - {_NO_RELOCATION}):
            row = self._machine.relocations.get(kind)
            columns = self._of_type(table, kind, row)
            if row is None:
                raise self._error(columns.offsets[0], f"relocation type {kind}, which is none of data")
            if row.kind is RelocationKind.PC_RELATIVE:
                self._add_pcs(columns, row, symbols)
            elif row.kind is RelocationKind.ABSOLUTE:
                self._add_references(columns, row, symbols)
            else:
                self._add_operands(columns, row, symbols)

    def fields(self) -> Fields:
        """Return what was collected."""
        self._join_pairs()
        self._sort()
        self._check()
        return Fields(self._pcs, self._references, self._lengths)

    def _of_type(self, table: Relocations, kind: int, row: DataRelocation | None) -> _Columns:
        """Return the relocations of one type; what lies in the fields themselves is read from them."""
        picks = [index for index, each in enumerate(table.types) if each == kind]
        offsets = [table.offsets[index] for index in picks]
        symbols = [table.symbols[index] for index in picks]
        size = row.size if row else 0
        if max(offsets) + size > len(self._data):
            raise self._error(max(offsets), f"a relocation, behind the end of the section ({len(self._data)} bytes)")
        if table.addends is not None:
            return _Columns(offsets, symbols, [table.addends[index] for index in picks])
        return _Columns(offsets, symbols, self._numbers(offsets, size))

    def _numbers(self, offsets: Sequence[int], size: int) -> list[int]:
        """Return the signed numbers in some fields."""
        read = self._file.header.struct({4: "i", 8: "q"}.get(size, "")).unpack_from
        return [read(self._data, offset)[0] if size else 0 for offset in offsets]

    def _add_pcs(self, columns: _Columns, row: DataRelocation, symbols: Symbols) -> None:
        places = {index: self._place(symbols, index) for index in set(columns.symbols)}
        self._check_sections(columns, places)
        sections = {index: place[0] for index, place in places.items()}
        values = {index: place[1] for index, place in places.items()}
        targets = [values[index] + addend for index, addend in zip(columns.symbols, columns.addends, strict=True)]
        if targets and not 0 <= min(targets) <= max(targets) < 1 << 64:
            raise self._error(columns.offsets[0], "a PC far outside of its section")
        self._pcs.offsets.extend(columns.offsets)
        self._pcs.sizes.extend([row.size] * len(targets))
        self._pcs.sections.extend(map(sections.__getitem__, columns.symbols))
        self._pcs.targets.extend(targets)

    def _add_references(self, columns: _Columns, row: DataRelocation, symbols: Symbols) -> None:
        names = {index: self._name(symbols, index) for index in set(columns.symbols)}
        for offset, index, addend in zip(*columns, strict=True):
            self._references[offset] = Reference(offset, names[index], addend, row.size)

    def _add_operands(self, columns: _Columns, row: DataRelocation, symbols: Symbols) -> None:
        operands = self._first if row.kind in _FIRST_OF_PAIR else self._second
        places = {index: self._place(symbols, index) for index in set(columns.symbols)}
        for offset, index, addend in zip(*columns, strict=True):
            if offset in operands:
                raise self._error(offset, f"two relocations {row.name} of one field")
            section, value = places[index]
            operands[offset] = _Operand(row, section, value + addend)

    def _join_pairs(self) -> None:
        """Make PCs and sizes of what is a difference of two symbols."""
        for offset in sorted(self._first.keys() | self._second.keys()):
            first, second = self._first.get(offset), self._second.get(offset)
            if first is None or second is None or first.row.size != second.row.size:
                raise self._error(offset, "one half of a pair of relocations")
            difference = first.value - second.value
            if second.section == self._section.index:
                self._add_pair(offset, first, difference + offset)
            elif second.section == first.section and difference >= 0:
                self._lengths[offset] = difference
            else:
                raise self._error(offset, "a difference that is neither a PC nor a size")

    def _add_pair(self, offset: int, first: _Operand, target: int) -> None:
        if not 0 <= target < 1 << 64 or not self._is_executable(first.section):
            raise self._error(offset, "a PC that is in no executable section")
        for column, item in zip(self._pcs, (offset, first.row.size, first.section, target), strict=True):
            column.append(item)

    def _place(self, symbols: Symbols, index: int) -> tuple[int, int]:
        """Return section and value of a symbol."""
        if index >= len(symbols.values):
            raise PCSectionsError(f"{self._section.title}: a relocation names symbol {index} of {len(symbols.values)}")
        value = symbols.values[index]
        # The lowest bit of a function says that it is Thumb code.
        if self._machine.number == _EM_ARM and symbols.infos[index] & 0xF == _FUNCTION:
            value &= ~1
        return symbols.sections[index], value

    def _name(self, symbols: Symbols, index: int) -> str:
        """Return the name of a symbol; of the symbol of a section, that of the section."""
        section, _ = self._place(symbols, index)
        name = symbols.name(index)
        if name or not 0 < section < RESERVED_SECTIONS:
            return name
        return self._file.section(section, f"symbol {index}").name

    def _check_sections(self, columns: _Columns, places: dict[int, tuple[int, int]]) -> None:
        wrong = {index for index, (section, _) in places.items() if not self._is_executable(section)}
        for offset, index in zip(columns.offsets, columns.symbols, strict=True):
            if index in wrong:
                raise self._error(offset, "a PC that is in no executable section")

    def _is_executable(self, section: int) -> bool:
        return 0 < section < RESERVED_SECTIONS and self._file.section(section, "a PC").is_executable

    def _sort(self) -> None:
        offsets = self._pcs.offsets
        if not all(map(le, offsets, islice(offsets, 1, None))):
            order = sorted(range(len(offsets)), key=offsets.__getitem__)
            self._pcs = PCFields(*(_picked(column, order) for column in self._pcs))

    def _check(self) -> None:
        """Check that fields do not overlap, and that PCs are in their sections, or at their ends."""
        offsets, sizes, sections, targets = self._pcs
        ends = [offset + size for offset, size in zip(offsets, sizes, strict=True)]
        if not all(map(le, ends, islice(offsets, 1, None))):
            at = next(row for row, end in enumerate(ends[:-1]) if end > offsets[row + 1])
            raise self._error(offsets[at + 1], "a PC that overlaps the one before")
        limits = {index: self._file.sections[index].size for index in set(sections)}
        if not all(map(le, targets, map(limits.__getitem__, sections))):
            at = next(row for row, target in enumerate(targets) if target > limits[sections[row]])
            title = self._file.sections[sections[at]].title
            raise self._error(offsets[at], f"a PC at byte {targets[at]} of {title}, which is behind its end")

    def _error(self, offset: int, what: str) -> PCSectionsError:
        return PCSectionsError(f"{self._section.title} has {what} (byte {offset})")


def _picked(column: array[int], order: Iterable[int]) -> array[int]:
    return array(column.typecode, [column[index] for index in order])
