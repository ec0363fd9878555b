"""Lookup of addresses of a program: their functions, lines and entries in PC sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple
from bitcodec.pcsections.decoding.entries import ProgramCounter

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bitcodec.pcsections.debug_info.lines import Lines
    from bitcodec.pcsections.decoding.code import Code
    from bitcodec.pcsections.decoding.entries import Entry
    from bitcodec.pcsections.decoding.sections import DecodedSection

__all__ = ["Found", "lookup"]


class Found(NamedTuple):
    """The entries, function and line at an address.

    Attributes:
        pc: the address in the file, and its function.
        entries: the entries whose PC it is.
        of_function: the entries of its function; if it is the first address of that, they are in `entries` too.
        file, line: of the source, None if debug info does not specify it.
    """

    pc: ProgramCounter
    entries: tuple[Entry, ...] = ()
    of_function: tuple[Entry, ...] = ()
    file: str | None = None
    line: int | None = None


def lookup(
    sections: Iterable[DecodedSection], code: Code, lines: Lines | None, addresses: Sequence[int]
) -> list[Found]:
    """Return the results for addresses of a linked file, in the order of the addresses."""
    counters = [_counter(code, address) for address in addresses]
    starts = {counter.address - (counter.offset or 0) for counter in counters if counter.address is not None}
    by_pc = _entries_at(sections, starts | set(addresses))
    found = []
    for address, counter in zip(addresses, counters, strict=True):
        start = address - (counter.offset or 0)
        of_function = tuple(entry for entry, is_function in by_pc.get(start, ()) if is_function and counter.symbol)
        file, line = (None if lines is None else lines.find(None, address)) or (None, None)
        entries = tuple(entry for entry, _ in by_pc.get(address, ()))
        found.append(Found(counter, entries, of_function, file, line))
    return found


def _counter(code: Code, address: int) -> ProgramCounter:
    function = code.find(address)
    if function is None:
        return ProgramCounter(None, None, address)
    return ProgramCounter(code.name(function), address - code.entries[function], address)


def _entries_at(sections: Iterable[DecodedSection], wanted: set[int]) -> dict[int, list[tuple[Entry, bool]]]:
    """Return the entries at some addresses, and whether each is the entry of a function."""
    found: dict[int, list[tuple[Entry, bool]]] = {}
    for section in sections:
        for row, pc in enumerate(section.columns.pc):
            if pc in wanted:
                found.setdefault(pc, []).append((section[row], section.is_function(row)))
    return found
