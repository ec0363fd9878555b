"""Symbols as lines, byte for byte as `llvm-nm` prints them, except for names that are not printable.

Such names are quoted as LLVM IR quotes them, also if the output is not a terminal: `llvm-nm` prints them raw.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from bitcodec.cli.demangling import demangled
from bitcodec.cli.inputs import STANDARD_INPUT
from bitcodec.cli.names import encoded, shown_name
from bitcodec.cli.outputs import print_bytes
from bitcodec.printing import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bitcodec.containers.archive_map import ArchiveMap
    from bitcodec.symbols import Symbol

__all__ = ["Format", "Style", "SymbolListing", "print_archive_map", "print_exports", "print_listing"]


class Format(Enum):
    """Format of the lines."""

    BSD = "bsd"
    POSIX = "posix"
    DARWIN = "darwin"
    JUST_SYMBOLS = "just-symbols"


@dataclass(frozen=True, slots=True)
class SymbolListing:
    """The symbols of one stream.

    Attributes:
        file: the file, as the user named it.
        path: of the stream in the file.
        member: the part of it that the stream is, "" if it is the file.
        symbols: in the order of the module.
        is_64_bit: whether addresses have 64 bits.
        is_empty: whether the stream contains no symbols, listed or not.
    """

    file: str
    path: str
    member: str
    symbols: list[Symbol]
    is_64_bit: bool
    is_empty: bool

    @property
    def name(self) -> str:
        """Member, or else file, that the symbols are from."""
        return self.member or ("<stdin>" if self.file == STANDARD_INPUT else self.file)


@dataclass(frozen=True, slots=True)
class Style:
    """Selection, order and format of symbols: the options of `nm`."""

    format: Format
    has_several: bool
    is_quiet: bool
    without_aliases: bool
    extern_only: bool
    undefined_only: bool
    defined_only: bool
    no_weak: bool
    demangle: bool
    debug_syms: bool
    print_file_name: bool
    numeric_sort: bool
    no_sort: bool
    reverse_sort: bool

    def chosen(self, symbols: list[Symbol]) -> list[Symbol]:
        """Return the symbols to show, in order."""
        if not self.no_sort:
            symbols = sorted(symbols, key=self._place, reverse=self.reverse_sort)
        return [symbol for symbol in symbols if self._is_shown(symbol)]

    def _place(self, symbol: Symbol) -> tuple[bool, bytes]:
        # Symbols of bitcode have no addresses: to sort by them leaves the undefined ones in front.
        return self.numeric_sort and symbol.is_defined, encoded(symbol.name)

    def _is_shown(self, symbol: Symbol) -> bool:
        return not (
            (self.undefined_only and symbol.is_defined)
            or (self.defined_only and not symbol.is_defined)
            or (self.extern_only and not symbol.is_global)
            or (self.no_weak and symbol.is_weak)
            or (self.without_aliases and symbol.is_alias)
        )


def print_listing(listing: SymbolListing, style: Style) -> None:
    """Print the symbols of one stream."""
    if listing.is_empty and not style.is_quiet:
        sys.stdout.flush()
        sys.stderr.write(f"{one_line(_prefix(listing, style))}no symbols\n")
    print_bytes(b"".join(encoded(f"{line}\n") for line in _lines(listing, style)))


def print_archive_map(tables: ArchiveMap) -> None:
    """Print the symbol tables of an archive."""
    lines: list[str] = []
    for title, table in (("Archive map", tables.symbols), ("Archive EC map", tables.ec_symbols)):
        if table:
            lines.append(title)
            lines += (f"{_stored(symbol)} in {_stored(member)}" for symbol, member in table)
            lines.append("")
    print_bytes(b"".join(encoded(f"{line}\n") for line in lines))


def _stored(name: bytes) -> str:
    return shown_name(name.decode("utf-8", "surrogateescape"))


def print_exports(listings: Iterable[SymbolListing], style: Style) -> None:
    """Print the names of the symbols of all streams, each once."""
    symbols = style.chosen([symbol for listing in listings for symbol in listing.symbols])
    names = dict.fromkeys(symbol.name for symbol in symbols)
    print_bytes(b"".join(encoded(f"{shown_name(name)}\n") for name in names))


def _lines(listing: SymbolListing, style: Style) -> Iterator[str]:
    has_title = style.has_several and style.format is not Format.DARWIN
    if (listing.member or has_title) and not style.print_file_name:
        yield ""
        yield one_line(f"{listing.name}:")
    prefix = one_line(_prefix(listing, style)) if style.print_file_name else ""
    width = 16 if listing.is_64_bit else 8
    for symbol in style.chosen(listing.symbols):
        yield prefix + _line(symbol, style, width)


def _line(symbol: Symbol, style: Style, width: int) -> str:
    # Dashes mark a missing address.
    if style.format is Format.DARWIN:
        return f"{('-' if symbol.is_defined else ' ') * width} {_described(symbol)} {shown_name(symbol.name)}"
    name = shown_name(demangled(symbol.name) if style.demangle else symbol.name)
    if style.format is Format.JUST_SYMBOLS:
        return name
    if style.format is Format.POSIX:
        return f"{name} {symbol.letter} {'-' * width if symbol.is_defined else '0'} 0"
    return f"{('-' if symbol.is_defined else ' ') * width} {symbol.letter} {name}"


def _described(symbol: Symbol) -> str:
    """Return the kind of a symbol in the words of Darwin's `nm -m`."""
    if not symbol.is_defined:
        kind = "(undefined)"
    elif symbol.is_constant:
        kind = "(LTO,RODATA)"
    else:
        kind = "(LTO,CODE)" if symbol.is_executable else "(LTO,DATA)"
    if symbol.is_defined and not symbol.is_global:
        return f"{kind} non-external"
    words = [kind, "weak" * symbol.is_weak, "private" * symbol.is_hidden, "external"]
    return " ".join(filter(None, words))


def _prefix(listing: SymbolListing, style: Style) -> str:
    if not listing.member:
        return f"{listing.name}: "
    if style.format is Format.POSIX:
        return f"{listing.file}[{listing.member}]: "
    return f"{listing.file}:{listing.member}: "
