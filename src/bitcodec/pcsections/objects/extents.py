"""Assigns addresses to functions, which may lie within each other and have unknown sizes."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Extents", "SymbolExtent", "extents_of"]


class SymbolExtent(NamedTuple):
    """A function, as a symbol gives it; by ascending address, of one address the best first.

    Attributes:
        start: where it begins.
        size: in bytes, 0 if the symbol does not specify it.
        symbol: row of the symbol.
        fills: whether it is taken only where no other is.
    """

    start: int
    size: int
    symbol: int
    fills: bool


class Extents(NamedTuple):
    """Ranges of addresses that do not overlap, by ascending address, in parallel columns.

    A function around another one has two extents, one before and one behind it.

    Attributes:
        starts, ends: of the range; the end is the first address that is not in it.
        entries: where the function begins.
        sizes: of the function, in bytes, 0 if unknown.
        symbols: row of its symbol.
    """

    starts: array[int]
    ends: array[int]
    entries: array[int]
    sizes: array[int]
    symbols: array[int]


def extents_of(candidates: Iterable[SymbolExtent], end: int) -> Extents:
    """Return the extents of the functions of one range of code that ends at address `end`.

    A function of unknown size reaches to the next one, or to the end of the function around it.
    """
    walk = _AddressWalk(end)
    for candidate in candidates:
        walk.add(candidate)
    walk.advance(end)
    return walk.found


class _AddressWalk:
    """Goes up the addresses, with the functions that are open at each, the innermost last."""

    def __init__(self, end: int) -> None:
        self.found = Extents(*(array("Q") for _ in Extents._fields))
        self._end = end
        self._at = 0
        self._open: list[tuple[SymbolExtent, int]] = []
        self._last_start = -1

    def add(self, candidate: SymbolExtent) -> None:
        """Open a function, unless one precedes it at the same address, or it fills gaps and is inside a sized one."""
        self.advance(candidate.start)
        around = self._open[-1] if self._open else None
        if candidate.start == self._last_start or (candidate.fills and around and around[0].size):
            return
        if around and not around[0].size:
            self._open.pop()
        outer_end = self._open[-1][1] if self._open else self._end
        end = min(candidate.start + candidate.size, self._end) if candidate.size else outer_end
        self._open.append((candidate, end))
        self._last_start = candidate.start

    def advance(self, address: int) -> None:
        """Assign everything before an address to the open functions, and close the ones that end there."""
        while self._open:
            function, end = self._open[-1]
            self._give(function, min(end, address))
            if end > address:
                break
            self._open.pop()
        self._at = max(self._at, address)

    def _give(self, function: SymbolExtent, end: int) -> None:
        found = self.found
        if end <= self._at:
            return
        if found.symbols and (found.symbols[-1], found.ends[-1]) == (function.symbol, self._at):
            found.ends[-1] = end
        else:
            row = (self._at, end, function.start, function.size, function.symbol)
            for column, item in zip(found, row, strict=True):
                column.append(item)
        self._at = end
