"""A decoded section: its columns, and its entries made of them one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.pcsections.decoding.entries import Entry, ProgramCounter
from bitcodec.pcsections.decoding.values import Constants

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

    from bitcodec.pcsections.debug_info.lines import Lines
    from bitcodec.pcsections.decoding.code import Code
    from bitcodec.pcsections.decoding.columns import EntryColumns
    from bitcodec.pcsections.decoding.entries import AuxValue
    from bitcodec.pcsections.decoding.reading import SectionBytes, SectionReading
    from bitcodec.pcsections.references import Reference
    from bitcodec.pcsections.schemas.kinds import Kind

__all__ = ["DecodedSection"]


class DecodedSection:
    """The entries of one section: iterate over it for them, or take its columns.

    Attributes:
        name: of the section.
        data: its bytes.
        columns: its entries.
        kinds: the kinds, by their numbers in `columns.kind`.
        code: the functions, by their numbers in `columns.function`.
        is_ambiguous: whether it can be read in another way too.
        is_linked: whether PCs are addresses, not offsets in sections of an object.
        lines: the lines of the file, None if they are not requested.
    """

    def __init__(
        self,
        source: SectionBytes,
        kinds: Sequence[Kind],
        reading: SectionReading,
        code: Code,
        references: Mapping[int, Reference] | None = None,
        lines: Lines | None = None,
    ) -> None:
        self.name = source.name
        self.data = source.data
        self.columns: EntryColumns = reading.columns
        self.kinds = tuple(kinds)
        self.code = code
        self.is_ambiguous = reading.is_ambiguous
        self.is_linked = source.pcs is None
        self.lines = lines
        self._constants = Constants(source.data, source.byte_order, source.pointer_size, references or {})

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Entry]:
        return map(self._entry, *self.columns)

    def __getitem__(self, row: int) -> Entry:
        return self._entry(*(column[row] for column in self.columns))

    def _entry(
        self, place: int, pc: int, section: int, function: int, kind: int, size: int, aux_start: int, aux_end: int
    ) -> Entry:
        """Return an entry, of the cells of its row."""
        address = pc if self.is_linked else None
        if function >= 0:
            counter = ProgramCounter(self.code.name(function), pc - self.code.entries[function], address)
        elif self.is_linked:
            counter = ProgramCounter(None, None, address)
        else:
            counter = ProgramCounter(None, pc, None, self.code.section_name(section))
        aux: tuple[AuxValue, ...] = ()
        function_size = None
        if kind >= 0:
            known = self.kinds[kind]
            aux = self._constants.values(known, aux_start, aux_end) if known.fields else ()
            function_size = size if known.is_function else None
        found = None if self.lines is None else self.lines.find(None if self.is_linked else section, pc)
        file, line = found or (None, None)
        return Entry(self.name, place, counter, function_size, aux, file, line)

    def constants(self, row: int) -> tuple[AuxValue, ...]:
        """Return the constants of a row."""
        columns = self.columns
        kind = columns.kind[row]
        known = self.kinds[kind] if kind >= 0 else None
        if known is None or not known.fields:
            return ()
        return self._constants.values(known, columns.aux_start[row], columns.aux_end[row])

    @property
    def has_references(self) -> bool:
        """Whether constants contain addresses that the linker or the loader fills in."""
        return self._constants.has_references

    def is_function(self, row: int) -> bool:
        """Return whether a row is the entry of a function."""
        kind = self.columns.kind[row]
        return kind >= 0 and self.kinds[kind].is_function

    def to_arrow(self) -> pa.Table:
        """Return a table with a row for each PC; see `bitcodec.pcsections.decoding.arrow`.

        Raises:
            ImportError: pyarrow is not installed.
        """
        from bitcodec.pcsections.decoding.arrow import to_arrow  # noqa: PLC0415 - an extra

        return to_arrow([self])

    def __repr__(self) -> str:
        return f"<DecodedSection {self.name}: {len(self):,} entries>"
