"""Source files and lines of addresses, from the debug information of an ELF file, read by pyelftools.

Rules: DWARF Debugging Information Format 5, section 6.2; paths are as `llvm-symbolizer` prints them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from bitcodec.containers.elf_file import ElfFile
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.debug_info.debug_sections import base_addresses, debug_section
from bitcodec.pcsections.debug_info.dwarf import DebugInformation, line_rows
from bitcodec.pcsections.objects.code_ranges import CodeRanges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bitcodec.containers.window import BytesLike
    from bitcodec.pcsections.debug_info.dwarf import LineRow

__all__ = ["LineTable", "Lines"]


class LineTable(NamedTuple):
    """Ranges of addresses in parallel columns, ascending: where one begins and ends, its file and line.

    Attributes:
        starts, ends: addresses; in a relocatable object, sections follow one another.
        files: paths.
        lines: numbers.
    """

    starts: array[int]
    ends: array[int]
    files: list[str]
    lines: array[int]


class Lines:
    """The lines of an ELF file, read at the first question.

    Debug information that is malformed gives nothing, and raises no error.

    Args:
        data: the content of the file.

    Attributes:
        warning: after the first question, why debug information, or a part of it, could not be read; None if it could,
            or if there is none.
    """

    def __init__(self, data: BytesLike | ElfFile) -> None:
        self._file = data if isinstance(data, ElfFile) else ElfFile(data)
        self.warning: str | None = None

    def find(self, section: int | None, address: int) -> tuple[str, int] | None:
        """Return the path of the source file and the line of the code at an address, None if unknown.

        Args:
            section: index of the section in a relocatable object, None in an image.
            address: offset in that section, or address.

        Line 0 means code that belongs to no line.
        """
        base = self._bases.get(section)
        if base is None or address < 0:
            return None
        starts, ends, files, lines = self.table
        row = bisect_right(starts, address + base) - 1
        if row < 0 or address + base >= ends[row]:
            return None
        return files[row], lines[row]

    def base(self, section: int | None) -> int | None:
        """Return the offset from offsets in a section (None: from addresses) to the table, None if nothing is known."""
        return self._bases.get(section)

    @cached_property
    def _code(self) -> CodeRanges:
        return CodeRanges.of(self._file)

    @cached_property
    def _bases(self) -> dict[int | None, int]:
        return base_addresses(self._code)

    @cached_property
    def table(self) -> LineTable:
        """The lines of all code, read when they are requested first."""
        rows = sorted(self._rows(), key=lambda row: (row.start, row.end))
        return LineTable(
            array("Q", [row.start for row in rows]),
            array("Q", [row.end for row in rows]),
            [row.file for row in rows],
            array("Q", [row.line for row in rows]),
        )

    def _rows(self) -> Iterator[LineRow]:
        """Yield the lines of code that is there; of functions that the linker left out, lines are at address 0."""
        moved = (
            range(base + place.start, base + place.stop)
            for section, base in self._bases.items()
            for place in self._code.ranges[section]
        )
        there = CodeRanges({None: moved})
        for row in line_rows(self._debug_information(), self._warn):
            if there.contain(None, row.start):
                yield row

    def _debug_information(self) -> DebugInformation:
        header = self._file.header
        return DebugInformation(header.byte_order, header.word_size, self._section)

    def _section(self, name: str) -> bytes | None:
        return debug_section(self._file, name, self._bases)

    def _warn(self, message: str) -> None:
        self.warning = self.warning or message
