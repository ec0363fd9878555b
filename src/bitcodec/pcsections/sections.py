"""A decoded section: its columns, and its entries made of them one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.pcsections.entries import Entry, ProgramCounter
from bitcodec.pcsections.values import Constants

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

    from bitcodec.pcsections.code import Code
    from bitcodec.pcsections.columns import EntryColumns
    from bitcodec.pcsections.entries import AuxValue
    from bitcodec.pcsections.kinds import Kind
    from bitcodec.pcsections.lines import Lines
    from bitcodec.pcsections.reading import Reading, SectionBytes
    from bitcodec.pcsections.references import Reference

__all__ = ["DecodedSection"]


class DecodedSection:
    """The entries of one section: iterate over it for them, or take its columns.

    Attributes:
        name: of the section.
        columns: its entries.
        kinds: what `columns.kind` stands for.
        code: the functions that `columns.function` stands for.
        is_ambiguous: whether it can be read in another way too.
        is_linked: whether PCs are addresses, not offsets in sections of an object.
    """

    def __init__(
        self,
        source: SectionBytes,
        kinds: Sequence[Kind],
        reading: Reading,
        code: Code,
        references: Mapping[int, Reference] | None = None,
        lines: Lines | None = None,
    ) -> None:
        self.name = source.name
        self.columns: EntryColumns = reading.columns
        self.kinds = tuple(kinds)
        self.code = code
        self.is_ambiguous = reading.is_ambiguous
        self.is_linked = source.pcs is None
        self._constants = Constants(source.data, source.byte_order, source.pointer_size, references or {})
        self._lines = lines

    def __len__(self) -> int:
        return len(self.columns)

    def __iter__(self) -> Iterator[Entry]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, row: int) -> Entry:
        columns = self.columns
        place = columns.place[row]
        kind = columns.kind[row]
        size = columns.size[row] if kind >= 0 and self.kinds[kind].is_function else None
        file, line = self.line(row) or (None, None)
        return Entry(self.name, place, self.pc(row), size, self.aux(row), file, line)

    def pc(self, row: int) -> ProgramCounter:
        """Return the PC in a row."""
        pc, function = self.columns.pc[row], self.columns.function[row]
        address = pc if self.is_linked else None
        if function < 0:
            return ProgramCounter(None, None if self.is_linked else pc, address)
        return ProgramCounter(self.code.name(function), pc - self.code.entries[function], address)

    def aux(self, row: int) -> tuple[AuxValue, ...]:
        """Return the constants in a row."""
        columns = self.columns
        kind = columns.kind[row]
        if kind < 0:
            return ()
        return self._constants.values(self.kinds[kind], columns.aux_start[row], columns.aux_end[row])

    def line(self, row: int) -> tuple[str, int] | None:
        """Return file and line of the source of the PC in a row, None if debug info does not tell."""
        if self._lines is None:
            return None
        return self._lines.find(None if self.is_linked else self.columns.section[row], self.columns.pc[row])

    def to_arrow(self) -> pa.Table:
        """Return a table with a row for each PC; see `bitcodec.pcsections.arrow`.

        Raises:
            ImportError: pyarrow is not installed.
        """
        from bitcodec.pcsections.arrow import to_arrow  # noqa: PLC0415 - an extra

        return to_arrow([self])

    def __repr__(self) -> str:
        return f"<DecodedSection {self.name}: {len(self):,} entries>"
