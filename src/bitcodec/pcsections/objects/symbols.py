"""Functions of an ELF file, by address: from its symbols.

Rules: ELF specification, "Symbol Table".
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

from bitcodec.containers.elf_file import ElfFile
from bitcodec.containers.elf_tables import RESERVED_SECTIONS, Symbols
from bitcodec.errors import PCSectionsError
from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.objects.code_ranges import CodeRanges
from bitcodec.pcsections.objects.extents import Extents, SymbolExtent, extents_of
from bitcodec.pcsections.objects.places import CodePlaces

if TYPE_CHECKING:
    from bitcodec.containers.window import BytesLike

__all__ = ["FunctionColumns", "FunctionSymbol", "FunctionSymbols"]

_NOTYPE, _FUNC, _GNU_IFUNC = 0, 2, 10
_CODE = {_FUNC, _GNU_IFUNC}
_LOCAL, _GLOBAL, _WEAK, _GNU_UNIQUE = 0, 1, 2, 10
_RANKS = {_GLOBAL: 0, _GNU_UNIQUE: 0, _WEAK: 1, _LOCAL: 2}
"""By binding: which of several names of one function is taken."""


class FunctionSymbol(NamedTuple):
    """A function.

    Attributes:
        name: of its symbol.
        start: where it begins: an offset in its section in a relocatable object, an address in an image.
        size: in bytes, 0 if its symbol does not specify it.
    """

    name: str
    start: int
    size: int


class _SymbolNames(Sequence[str]):
    """Names of some symbols, read when requested."""

    def __init__(self, symbols: Symbols, rows: array[int]) -> None:
        self._symbols, self._rows = symbols, rows

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return _SymbolNames(self._symbols, self._rows[index])
        return self._symbols.name(self._rows[index])


class FunctionColumns(NamedTuple):
    """Extents of functions, that do not overlap, by ascending address: parallel columns.

    One row is one function, but that a function around another one has a row before and a row behind that.

    Attributes:
        starts, ends: of the extent; the end is the first address that is not in it.
        entries: where the function begins.
        sizes: of the function in bytes, 0 if its symbol does not specify it.
        names: of the function, read when requested.
    """

    starts: array[int]
    ends: array[int]
    entries: array[int]
    sizes: array[int]
    names: Sequence[str]

    def find(self, address: int) -> FunctionSymbol | None:
        """Return the innermost function that an address is in, None if it is in none."""
        row = bisect_right(self.starts, address) - 1
        if row < 0 or address >= self.ends[row]:
            return None
        return FunctionSymbol(self.names[row], self.entries[row], self.sizes[row])


class FunctionSymbols:
    """The functions of an ELF file.

    In a relocatable object, addresses are offsets in a section, which is given by its index; in an image, they are
    addresses of the running program, and the section is None.

    Args:
        data: the content of the file.

    Attributes:
        columns: by section; sections without functions are absent.
        executable: addresses where code can be, by section: ranges that ascend and do not overlap.

    Raises:
        PCSectionsError: it has no section table.
        ContainerError: it is malformed.
    """

    def __init__(self, data: BytesLike | ElfFile) -> None:
        self._file = data if isinstance(data, ElfFile) else ElfFile(data)
        if not self._file.sections:
            raise PCSectionsError(
                "this ELF file has no section table (sstrip?): nothing specifies where its functions are"
            )
        self._code = CodeRanges.of(self._file)
        self.executable: dict[int | None, list[range]] = self._code.ranges
        self._symbols = None if self._file.symbol_table is None else self._file.symbols(self._file.symbol_table)
        self.columns: Mapping[int | None, FunctionColumns] = dict(self._columns())

    def find(self, section: int | None, address: int) -> FunctionSymbol | None:
        """Return the function that an address is in, None if no symbol specifies it."""
        columns = self.columns.get(section)
        return columns.find(address) if columns is not None else None

    @property
    def section_names(self) -> list[str]:
        """The names of all sections of the file, by index."""
        return [section.name for section in self._file.sections]

    @cached_property
    def places(self) -> dict[str, list[tuple[int | None, int]]]:
        """Section and start of the functions of each name, aliases included; local functions may share a name."""
        found: dict[str, list[tuple[int | None, int]]] = {}
        if self._symbols is not None:
            for section, candidate in self._functions(self._symbols):
                found.setdefault(self._symbols.name(candidate.symbol), []).append((section, candidate.start))
        return found

    def _columns(self) -> Iterator[tuple[int | None, FunctionColumns]]:
        if self._symbols is None:
            return
        by_section: dict[int | None, list[SymbolExtent]] = {}
        for section, candidate in self._functions(self._symbols):
            by_section.setdefault(section, []).append(candidate)
        infos = self._symbols.infos
        for section, candidates in by_section.items():
            # Sorting keeps the order of the file among equals.
            candidates.sort(
                key=lambda each: (
                    each.start,
                    each.fills,
                    not each.size,
                    _RANKS.get(infos[each.symbol] >> 4, len(_RANKS)),
                )
            )
            extents = _extents(candidates, self.executable[section])
            yield section, FunctionColumns(*extents[:4], _SymbolNames(self._symbols, extents.symbols))

    def _functions(self, symbols: Symbols) -> Iterator[tuple[int | None, SymbolExtent]]:
        """Yield the functions of a symbol table, by section, in the order of the file."""
        places = CodePlaces(self._file, symbols)
        for row, info in enumerate(symbols.infos):
            fills = info & 0xF == _NOTYPE and info >> 4 != _LOCAL
            if (fills or info & 0xF in _CODE) and 0 < symbols.sections[row] < RESERVED_SECTIONS:
                section, start = places[row]
                if self._code.contain(section, start):
                    yield section, SymbolExtent(start, symbols.sizes[row], row, fills)


def _extents(candidates: list[SymbolExtent], places: list[range]) -> Extents:
    """Return the extents of functions, ascending, within ranges of code, ascending."""
    found = Extents(*(array("Q") for _ in Extents._fields))
    starts = [each.start for each in candidates]
    for place in places:
        inside = candidates[bisect_left(starts, place.start) : bisect_left(starts, place.stop)]
        for column, more in zip(found, extents_of(inside, place.stop), strict=True):
            column.extend(more)
    return found
