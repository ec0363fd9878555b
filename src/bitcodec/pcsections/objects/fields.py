"""PC fields of a relocatable object, from the relocations of a PC section.

Each PC has a relocation, so the offsets of relocations are the starts of all PC fields.  Rules:
docs/reference/pc-sections.md, 2.4 and 3.1.
"""

from __future__ import annotations

from array import array
from itertools import islice
from operator import add, le, lt, sub
from typing import TYPE_CHECKING

from bitcodec.containers.elf_tables import RESERVED_SECTIONS
from bitcodec.errors import PCSectionsError
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.references import Reference
from bitcodec.tables.elf_machines import RelocationKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.containers.elf_file import ElfFile, Section
    from bitcodec.containers.elf_tables import Relocations, Symbols
    from bitcodec.tables.elf_machines import Machine

__all__ = ["PCFields", "RelocatedFields", "has_pcs", "resolve"]

_NO_RELOCATION = 0
"""The type that every processor has for a relocation that does nothing."""

_EM_ARM = 40
_FUNCTION = 2
"""A type of symbols."""

_OF_PCS = {RelocationKind.PC_RELATIVE, RelocationKind.SUBTRACT}
_PC_SIZES = {4, 8}
_LIMIT = 1 << 64
"""No offset is as large as this."""


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


class RelocatedFields(NamedTuple):
    """Contents of the relocations of a PC section.

    Attributes:
        pcs: its PC fields; None in an image, which does not mark them.
        references: addresses that only the linker knows, by byte offset.
        lengths: sizes of functions, in bytes, that linker relaxation leaves to relocations, by byte offset.
    """

    pcs: PCFields | None
    references: dict[int, Reference]
    lengths: dict[int, int]


def has_pcs(file: ElfFile, section: Section, machine: Machine) -> bool:
    """Return whether a section has relocations that PCs have."""
    types = {kind for table in file.relocations(section.index) for kind in set(table.types)}
    return any(kind in types for kind, row in machine.relocations.items() if row.kind in _OF_PCS)


def resolve(file: ElfFile, section: Section, machine: Machine) -> RelocatedFields:
    """Return the contents of the relocations of a section.

    Raises:
        PCSectionsError: they are invalid in a PC section.
        ContainerError: the file is malformed.
    """
    resolver = _Resolver(file, section, machine)
    for table in file.relocations(section.index):
        resolver.add(table)
    return resolver.finish()


class _Columns(NamedTuple):
    """Some relocations of one type: byte offsets of their fields, symbols and addends."""

    offsets: Sequence[int]
    symbols: Sequence[int]
    addends: Sequence[int]


class _Resolver:
    """Collects the contents of the relocations of one section."""

    def __init__(self, file: ElfFile, section: Section, machine: Machine) -> None:
        self._file, self._section, self._machine = file, section, machine
        self._data = file.content(section)
        self._references: dict[int, Reference] = {}
        self._lengths: dict[int, int] = {}
        self._pcs = _no_fields()
        added, subtracted = self._pair = _no_fields(), _no_fields()
        self._fields = {
            RelocationKind.PC_RELATIVE: self._pcs,
            RelocationKind.ADD: added,
            RelocationKind.ADD_ULEB128: added,
            RelocationKind.SET_ULEB128: added,
            RelocationKind.SUBTRACT: subtracted,
            RelocationKind.SUBTRACT_ULEB128: subtracted,
        }

    def add(self, table: Relocations) -> None:
        """Take in a table of relocations."""
        symbols = self._file.symbols(table.symbol_table)
        for kind in sorted(set(table.types) - {_NO_RELOCATION}):
            row = self._machine.relocations.get(kind)
            columns = self._of_type(table, kind, row.size if row is not None else 0)
            last = max(columns.symbols)
            if last >= len(symbols.values):
                raise PCSectionsError(f"{self._section.title}: a relocation has symbol {last} of {len(symbols.values)}")
            if row is not None and row.kind in self._fields:
                self._add_fields(self._fields[row.kind], columns, row.size, symbols)
            elif row is not None and row.kind is RelocationKind.ABSOLUTE:
                self._add_references(columns, row.size, symbols)
            else:
                raise self._error(columns.offsets[0], f"relocation type {kind}, which is not for data")

    def finish(self) -> RelocatedFields:
        """Return the collected fields."""
        self._join(*map(_sorted, self._pair))
        pcs = _sorted(self._pcs)
        self._check_places(pcs)
        self._check_targets(pcs)
        return RelocatedFields(pcs, self._references, self._lengths)

    def _of_type(self, table: Relocations, kind: int, size: int) -> _Columns:
        """Return the relocations of one type; addends in the fields themselves are read from them."""
        offsets, types, symbols, addends, _ = table
        columns: list[Sequence[int]] = [offsets, symbols, *([addends] if addends is not None else [])]
        if types.count(kind) != len(types):
            picks = [index for index, each in enumerate(types) if each == kind]
            columns = [[column[index] for index in picks] for column in columns]
        last = max(columns[0])
        if last + size > len(self._data):
            raise self._error(last, f"a relocation, behind the end of the section ({len(self._data)} bytes)")
        if addends is None:
            columns.append(self._numbers(columns[0], size))
        return _Columns(*columns)

    def _numbers(self, offsets: Sequence[int], size: int) -> list[int]:
        """Return the signed numbers in some fields."""
        read = self._file.header.struct({4: "i", 8: "q"}.get(size, "")).unpack_from
        return [read(self._data, offset)[0] if size in _PC_SIZES else 0 for offset in offsets]

    def _add_fields(self, fields: PCFields, columns: _Columns, size: int, symbols: Symbols) -> None:
        """Take in fields with the places that their relocations name."""
        values: Iterable[int] = map(symbols.values.__getitem__, columns.symbols)
        if self._machine.number == _EM_ARM:
            # The lowest bit of a function marks Thumb code.
            infos = symbols.infos
            values = [symbols.values[each] & ~(infos[each] & 0xF == _FUNCTION) for each in columns.symbols]
        targets = list(map(add, values, columns.addends))
        if not 0 <= min(targets) <= max(targets) < _LIMIT:
            raise self._error(columns.offsets[0], "PCs that are in no section, there or behind")
        fields.offsets.extend(columns.offsets)
        fields.sizes.extend([size] * len(targets))
        fields.sections.extend(map(symbols.sections.__getitem__, columns.symbols))
        fields.targets.extend(targets)

    def _add_references(self, columns: _Columns, size: int, symbols: Symbols) -> None:
        names = {index: self._name(symbols, index) for index in set(columns.symbols)}
        for offset, index, addend in zip(*columns, strict=True):
            self._references[offset] = Reference(offset, names[index], addend, size)

    def _name(self, symbols: Symbols, index: int) -> str:
        """Return the name of a symbol; for the symbol of a section, the name of the section."""
        name, section = symbols.name(index), symbols.sections[index]
        if name or not 0 < section < RESERVED_SECTIONS:
            return name
        return self._file.section(section, f"symbol {index}").name

    def _join(self, added: PCFields, subtracted: PCFields) -> None:
        """Make PCs and sizes from differences of two symbols."""
        offsets, _, _, targets = added
        if added[:2] != subtracted[:2] or not all(map(lt, offsets, islice(offsets, 1, None))):
            wrong = set(offsets) ^ set(subtracted.offsets) or set(offsets)
            raise self._error(min(wrong), "relocations that do not form a pair")
        differences = list(map(sub, targets, subtracted.targets))
        own = self._section.index
        picks = [row for row, base_section in enumerate(subtracted.sections) if base_section == own]
        for column, items in zip(self._pcs[:3], added[:3], strict=True):
            column.extend([items[row] for row in picks])
        self._pcs.targets.extend([(differences[row] + offsets[row]) % _LIMIT for row in picks])
        if len(picks) < len(offsets):
            self._add_lengths(added, subtracted, differences)

    def _add_lengths(self, added: PCFields, subtracted: PCFields, differences: Sequence[int]) -> None:
        """Take in differences of two places in one section of code."""
        rows = zip(added.offsets, added.sections, subtracted.sections, differences, strict=True)
        for offset, section, base_section, difference in rows:
            if section == base_section and difference >= 0:
                self._lengths[offset] = difference
            elif base_section != self._section.index:
                raise self._error(offset, "a difference that is neither a PC nor a size")

    def _check_places(self, pcs: PCFields) -> None:
        """Check that fields have sizes of PCs and do not overlap."""
        ends = array("Q", map(add, pcs.offsets, pcs.sizes))
        if not all(map(le, ends, islice(pcs.offsets, 1, None))):
            row = next(row for row, end in enumerate(ends) if end > pcs.offsets[row + 1])
            raise self._error(pcs.offsets[row + 1], "a PC that overlaps the one before")
        if not _PC_SIZES.issuperset(pcs.sizes):
            row = next(row for row, size in enumerate(pcs.sizes) if size not in _PC_SIZES)
            raise self._error(pcs.offsets[row], "a PC that has not 4 or 8 bytes")

    def _check_targets(self, pcs: PCFields) -> None:
        """Check that PCs are in code, or at the end of it."""
        sizes = {section: self._code_size(section) for section in set(pcs.sections)}
        if not all(map(le, pcs.targets, map(sizes.__getitem__, pcs.sections))):
            row = next(row for row, target in enumerate(pcs.targets) if target > sizes[pcs.sections[row]])
            raise self._error(
                pcs.offsets[row],
                f"a PC that is not in code, but at byte {pcs.targets[row]} of section {pcs.sections[row]}",
            )

    def _code_size(self, index: int) -> int:
        """Return the size of a section in bytes, -1 if it has no code."""
        if not 0 < index < RESERVED_SECTIONS:
            return -1
        section = self._file.section(index, "a PC")
        return section.size if section.is_executable else -1

    def _error(self, offset: int, what: str) -> PCSectionsError:
        return PCSectionsError(f"{self._section.title} has {what} (byte {offset})")


def _no_fields() -> PCFields:
    return PCFields(array("Q"), array("B"), array("I"), array("Q"))


def _sorted(fields: PCFields) -> PCFields:
    """Return fields by ascending offset, which mostly they are."""
    offsets = fields.offsets
    if all(map(le, offsets, islice(offsets, 1, None))):
        return fields
    order = sorted(range(len(offsets)), key=offsets.__getitem__)
    return PCFields(*(array(column.typecode, [column[index] for index in order]) for column in fields))
