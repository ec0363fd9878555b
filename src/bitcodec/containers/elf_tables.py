"""Tables of ELF files as columns: symbols and relocations, of which a file may have millions.

Rules: ELF specification, "Symbol Table" and "Relocation"; 64-bit ELF Object File Specification of MIPS, section 2.9.1;
SPARC Compliance Definition 2.4, "Relocation".
"""

from __future__ import annotations

import sys
from array import array
from typing import TYPE_CHECKING

from bitcodec.errors import ContainerError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from bitcodec.containers.elf_headers import ByteOrder, ElfHeader

__all__ = ["RESERVED_SECTIONS", "Relocations", "Strings", "Symbols", "read_relocations", "read_symbols"]

_SYMBOLS = {
    1: (16, {"names": "I0", "values": "I4", "sizes": "I8", "infos": "B12", "others": "B13", "sections": "H14"}),
    2: (24, {"names": "I0", "infos": "B4", "others": "B5", "sections": "H6", "values": "Q8", "sizes": "Q16"}),
}
"""By class: bytes of a symbol, and of each column the type code of `array` and the byte where it begins."""

_RELOCATIONS = {
    (1, False): (8, {"offsets": "I0", "infos": "I4"}),
    (1, True): (12, {"offsets": "I0", "infos": "I4", "addends": "i8"}),
    (2, False): (16, {"offsets": "Q0", "first": "I8", "second": "I12"}),
    (2, True): (24, {"offsets": "Q0", "first": "I8", "second": "I12", "addends": "q16"}),
}
"""By class, and whether there are addends: as in _SYMBOLS; `r_info` of 64 bits in two halves."""

_EM_MIPS, _EM_SPARCV9 = 8, 43
_TYPE_MASKS = {_EM_MIPS: 0xFFFFFF, _EM_SPARCV9: 0xFF}
"""Of 64-bit files, by machine: bits of `r_info` that hold the type, where they are not 32."""

RESERVED_SECTIONS = 0xFFFF_0000
"""Section indices from here on are not sections, but kinds of undefined places: absolute, common, ..."""

_FIRST_RESERVED, _EXTENDED = 0xFF00, 0xFFFF

_NAMES_PER_BYTE = 16
_NAMES_ALWAYS = 1 << 20


class Strings:
    """A string table.

    Strings may share their ends, so a small table can hold any amount of text: the length read of one is limited.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._known: dict[int, str] = {}
        self._left = _NAMES_ALWAYS + _NAMES_PER_BYTE * len(data)

    def __getitem__(self, offset: int) -> str:
        found = self._known.get(offset)
        if found is None:
            found = self._known[offset] = self._read(offset)
        return found

    def _read(self, offset: int) -> str:
        if offset >= len(self._data):
            if offset == 0:
                return ""
            raise ContainerError(f"a name at byte {offset} of an ELF string table of {len(self._data)} bytes")
        end = self._data.find(b"\0", offset)
        raw = self._data[offset : end if end >= 0 else len(self._data)]
        self._left -= len(raw)
        if self._left < 0:
            raise ContainerError("names of an ELF string table overlap too much to be valid")
        return raw.decode("utf-8", "surrogateescape")


class Symbols(NamedTuple):
    """A symbol table, as parallel columns.

    Attributes:
        names: byte offsets into `strings`.
        values: offsets in their section in a relocatable object, addresses in an image.
        sizes: in bytes, 0 if unknown.
        infos: binding in the upper four bits, type in the lower four.
        others: visibility, and additions of processors.
        sections: indices; indices from RESERVED_SECTIONS on are not sections.
    """

    names: array[int]
    values: array[int]
    sizes: array[int]
    infos: array[int]
    others: array[int]
    sections: array[int]
    strings: Strings

    def name(self, index: int) -> str:
        """Return the name of a symbol; bytes that are not UTF-8 are surrogates.

        Raises:
            ContainerError: it is not in the string table.
        """
        return self.strings[self.names[index]]


class Relocations(NamedTuple):
    """A relocation section, as parallel columns.

    Attributes:
        offsets: of the field: in its section in a relocatable object, an address in an image.
        types: of MIPS64, where one field may have up to three types, the second and third are shifted by 8 and 16 bits.
        symbols: indices of symbols.
        addends: None where the field holds its addend itself.
        symbol_table: the section with the symbols.
    """

    offsets: array[int]
    types: array[int]
    symbols: array[int]
    addends: array[int] | None
    symbol_table: int


def read_symbols(data: memoryview, header: ElfHeader, extended: memoryview | None, strings: Strings) -> Symbols:
    """Return the symbols of a table.

    Args:
        data: the bytes of the table.
        header: of the file.
        extended: the bytes of the table of section indices that need more than 16 bits.
        strings: their names.

    Raises:
        ContainerError: a table is not as long as it has to be.
    """
    size, layout = _SYMBOLS[header.file_class]
    columns = _columns(data, size, layout, header.byte_order, "ELF symbol table")
    sections = array("I", columns["sections"])
    if sections and max(sections) >= _FIRST_RESERVED:
        sections = _section_indices(sections, extended, header.byte_order)
    values, sizes = (_widened(columns[name]) for name in ("values", "sizes"))
    return Symbols(columns["names"], values, sizes, columns["infos"], columns["others"], sections, strings)


def read_relocations(data: memoryview, header: ElfHeader, symbol_table: int, *, has_addends: bool) -> Relocations:
    """Return the relocations of a section whose bytes are `data`.

    Raises:
        ContainerError: it does not hold whole relocations.
    """
    size, layout = _RELOCATIONS[header.file_class, has_addends]
    columns = _columns(data, size, layout, header.byte_order, "ELF relocations")
    types, symbols = _types_and_symbols(columns, header)
    addends = array("q", columns["addends"]) if has_addends else None
    return Relocations(_widened(columns["offsets"]), types, symbols, addends, symbol_table)


def _columns(
    data: memoryview, size: int, layout: dict[str, str], byte_order: ByteOrder, what: str
) -> dict[str, array[int]]:
    """Return the columns of a table whose rows have `size` bytes."""
    if len(data) % size:
        raise ContainerError(f"{what} of {len(data)} bytes: expected a multiple of {size}, the size of an entry")
    cells: dict[str, array[int]] = {code: array(code) for code in {place[0] for place in layout.values()}}
    for cell in cells.values():
        cell.frombytes(data)
    columns = {}
    for name, place in layout.items():
        cell, start = cells[place[0]], int(place[1:])
        column = columns[name] = cell[start // cell.itemsize :: size // cell.itemsize]
        if byte_order != sys.byteorder:
            column.byteswap()
    return columns


def _widened(column: array[int]) -> array[int]:
    return column if column.typecode == "Q" else array("Q", column)


def _section_indices(sections: array[int], extended: memoryview | None, byte_order: ByteOrder) -> array[int]:
    """Return indices of 32 bits."""
    wide: array[int] = array("I")
    if extended is not None:
        wide = _columns(extended, 4, {"sections": "I0"}, byte_order, "extended section indices")["sections"]
    for row, index in enumerate(sections):
        if index == _EXTENDED:
            if row >= len(wide):
                raise ContainerError(f"the section of ELF symbol {row} is stored in a table that has no such row")
            sections[row] = wide[row]
        elif index >= _FIRST_RESERVED:
            sections[row] = RESERVED_SECTIONS | index
    return sections


def _types_and_symbols(columns: dict[str, array[int]], header: ElfHeader) -> tuple[array[int], array[int]]:
    """Return the types and symbols in `r_info`."""
    if header.file_class == 1:
        infos = columns["infos"]
        return array("I", [info & 0xFF for info in infos]), array("I", [info >> 8 for info in infos])
    types, symbols = columns["first"], columns["second"]
    if header.byte_order == "big" or header.machine == _EM_MIPS:
        types, symbols = symbols, types
    if header.byte_order == "little" and header.machine == _EM_MIPS:
        # Single bytes, which have one order in all files.
        types.byteswap()
    mask = _TYPE_MASKS.get(header.machine)
    return (types if mask is None else array("I", [each & mask for each in types])), symbols
