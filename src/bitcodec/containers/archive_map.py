"""Symbol tables of archives: which member defines a symbol.

Rules: "GNU and COFF archive format", `/`, `/SYM64/` and `/<ECSYMBOLS>/`; `__.SYMDEF` of BSD and Darwin.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from bitcodec.containers.archive import stored_members
from bitcodec.containers.window import cut, rows, unpack
from bitcodec.errors import ContainerError
from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["ArchiveMap", "archive_map"]

_WHAT = "archive symbol table"
_COFF_TABLES = 2
"""An archive for Windows has a second table `/`, which counts."""


class ArchiveMap(NamedTuple):
    """The symbol tables of an archive: names of symbols and of the members that define them, as stored.

    Attributes:
        symbols: the table for all, in order.
        ec_symbols: the table for Arm64EC code, in order.
    """

    symbols: list[tuple[bytes, bytes]]
    ec_symbols: list[tuple[bytes, bytes]]


def archive_map(data: memoryview, *, is_thin: bool) -> ArchiveMap:
    """Return the symbol tables of an archive; they are empty if the archive lacks them.

    Args:
        data: the archive.
        is_thin: whether its members are separate files.

    Raises:
        ContainerError: a table is malformed.
    """
    members = list(stored_members(data, is_thin=is_thin))
    names = {member.header: member.name for member in members}
    tables = [member for member in members[:_COFF_TABLES] if member.name == b"/"]
    if len(tables) == _COFF_TABLES:
        second = _Coff(data[tables[1].start : tables[1].end])
        own = next((member for member in members if member.name == b"/<ECSYMBOLS>/"), None)
        ec_table = data[:0] if own is None else data[own.start : own.end]
        return ArchiveMap(
            [(symbol, _member(names, header)) for symbol, header in second.symbols()],
            [(symbol, _member(names, header)) for symbol, header in second.ec_symbols(ec_table)],
        )
    read = _READERS.get(members[0].name) if members else None
    found = [] if read is None else read(data[members[0].start : members[0].end])
    return ArchiveMap([(symbol, _member(names, header)) for symbol, header in found], [])


def _member(names: Mapping[int, bytes], header: int) -> bytes:
    name = names.get(header)
    if name is None:
        raise ContainerError(f"{_WHAT}: expected a member at byte {header:#x}")
    return name


def _strings(data: memoryview, start: int, count: int) -> Iterator[bytes]:
    """Yield strings that follow each other, each with a zero byte behind it."""
    found = bytes(data[start:]).split(b"\0", count)
    if len(found) <= count:
        raise ContainerError(f"{_WHAT}: expected {count} names, found {len(found) - 1}")
    return iter(found[:count])


def _gnu(number: Struct) -> Callable[[memoryview], list[tuple[bytes, int]]]:
    """Return a function that reads the table of GNU: a count, the offsets of members, and the names."""

    def read(data: memoryview) -> list[tuple[bytes, int]]:
        (count,) = unpack(number, data, 0, _WHAT)
        offsets = [offset for (offset,) in rows(number, data, number.size, count, _WHAT)]
        return list(zip(_strings(data, number.size * (count + 1), count), offsets, strict=True))

    return read


def _bsd(number: Struct, pair: Struct) -> Callable[[memoryview], list[tuple[bytes, int]]]:
    """Return a function that reads the table of BSD: pairs of the offset of a name and of a member, and the names."""

    def read(data: memoryview) -> list[tuple[bytes, int]]:
        (size,) = unpack(number, data, 0, _WHAT)
        pairs = list(rows(pair, data, number.size, size // pair.size, _WHAT))
        text = bytes(cut(data, 2 * number.size + size, len(data) - 2 * number.size - size, _WHAT))
        return [(_string_at(text, at), offset) for at, offset in pairs]

    return read


_LONGEST_NAME = 1 << 20


def _string_at(text: bytes, at: int) -> bytes:
    end = text.find(b"\0", at, at + _LONGEST_NAME)
    if at >= len(text) or end < 0:
        raise ContainerError(f"{_WHAT}: expected a name at byte {at:#x} of its strings")
    return text[at:end]


class _Coff:
    """The second table of an archive for Windows: offsets of members, then for each symbol the number of one.

    Args:
        data: its bytes.
    """

    def __init__(self, data: memoryview) -> None:
        (count,) = unpack(_LITTLE_32, data, 0, _WHAT)
        self._offsets = [offset for (offset,) in rows(_LITTLE_32, data, _LITTLE_32.size, count, _WHAT)]
        self._table = data[_LITTLE_32.size * (count + 1) :]

    def symbols(self) -> list[tuple[bytes, int]]:
        """Return the symbols and the offsets of their members."""
        return self._symbols(self._table)

    def ec_symbols(self, table: memoryview) -> list[tuple[bytes, int]]:
        """Return the symbols of the table for Arm64EC, which uses the other table's offsets."""
        return self._symbols(table) if len(table) else []

    def _symbols(self, table: memoryview) -> list[tuple[bytes, int]]:
        (count,) = unpack(_LITTLE_32, table, 0, _WHAT)
        numbers = [number for (number,) in rows(_LITTLE_16, table, _LITTLE_32.size, count, _WHAT)]
        for number in numbers:
            if not 0 < number <= len(self._offsets):
                raise ContainerError(f"{_WHAT}: expected the number of a member, got {number}")
        names = _strings(table, _LITTLE_32.size + _LITTLE_16.size * count, count)
        return [(name, self._offsets[number - 1]) for name, number in zip(names, numbers, strict=True)]


_LITTLE_16, _LITTLE_32, _LITTLE_64 = Struct("<H"), Struct("<I"), Struct("<Q")
_BSD_32 = _bsd(_LITTLE_32, Struct("<II"))
_BSD_64 = _bsd(_LITTLE_64, Struct("<QQ"))
_READERS: Mapping[bytes, Callable[[memoryview], list[tuple[bytes, int]]]] = {
    b"/": _gnu(Struct(">I")),
    b"/SYM64/": _gnu(Struct(">Q")),
    b"__.SYMDEF": _BSD_32,
    b"__.SYMDEF SORTED": _BSD_32,
    b"__.SYMDEF_64": _BSD_64,
    b"__.SYMDEF_64 SORTED": _BSD_64,
}
