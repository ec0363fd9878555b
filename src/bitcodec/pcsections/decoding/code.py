"""Places of the code of a file: its functions, as flat columns for the loops of `matching`."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from typing import TYPE_CHECKING

from bitcodec.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bitcodec.pcsections.objects.symbols import FunctionSymbols

__all__ = ["Code", "CodeFunction"]

_LAST = (1 << 64) - 1


class CodeFunction(NamedTuple):
    """A function of a program.

    Attributes:
        name: of its symbol.
        start: its address.
        size: in bytes, 0 if unknown: it then extends to the next one.
    """

    name: str
    start: int
    size: int = 0


class Code:
    """The functions of a file.

    A function may have several extents: one that another one lies in has one before it and one behind it.  What is
    described by a function is in the row of its first extent.

    Attributes:
        sections: of each extent its section in an object, 0 in a linked file.
        starts, ends: of each extent.
        functions: of each extent the row of its function.
        entries, sizes: where a function begins, and its size in bytes, 0 if that is not known.
        range_starts, range_ends: ranges of code, in a linked file.
        is_known: whether anything is known of the code; if not, a PC may be anywhere.
    """

    def __init__(self) -> None:
        self.sections = array("I")
        self.starts = array("Q")
        self.ends = array("Q")
        self.functions = array("I")
        self.entries = array("Q")
        self.sizes = array("Q")
        self.range_starts = array("Q")
        self.range_ends = array("Q")
        self.is_known = False
        self._names: list[Sequence[str]] = []
        self._first_rows: list[int] = []
        self._section_names: Sequence[str] = ()
        self._places: Callable[[], Mapping[str, Sequence[tuple[int | None, int]]]] = dict

    @classmethod
    def of_symbols(cls, symbols: FunctionSymbols) -> Code:
        """Return the code of an ELF file."""
        code = cls()
        for section, columns in sorted(symbols.columns.items(), key=lambda item: item[0] or 0):
            code._append(section or 0, columns.names, columns.starts, columns.ends, columns.entries, columns.sizes)
        for place in symbols.executable.get(None, ()):
            code.range_starts.append(place.start)
            code.range_ends.append(place.stop)
        code.is_known = True
        code._section_names = symbols.section_names
        code._places = lambda: symbols.places
        return code

    @classmethod
    def of_functions(cls, functions: Iterable[CodeFunction]) -> Code:
        """Return code of which some functions are known; of several at one place the first one counts."""
        code = cls()
        known = sorted({each.start: each for each in reversed(list(functions))}.values(), key=lambda each: each.start)
        starts = [each.start for each in known]
        ends = [
            min(following, each.start + each.size) if each.size else following
            for each, following in zip(known, [*starts[1:], _LAST], strict=False)
        ]
        code._append(0, [each.name for each in known], starts, ends, starts, [each.size for each in known])
        code.is_known = bool(known)
        places: dict[str, list[tuple[int | None, int]]] = {}
        for each in known:
            places.setdefault(each.name, []).append((None, each.start))
        code._places = lambda: places
        return code

    def name(self, function: int) -> str:
        """Return the name of a function, by its row."""
        part = bisect_right(self._first_rows, function) - 1
        return self._names[part][function - self._first_rows[part]]

    def section_name(self, section: int) -> str | None:
        """Return the name of a section of an object, None for one without a name."""
        return (self._section_names[section] if section < len(self._section_names) else None) or None

    def find(self, address: int) -> int | None:
        """Return the row of the innermost function of a linked file that an address is in, None if it is in none."""
        row = bisect_right(self.starts, address) - 1
        return self.functions[row] if row >= 0 and address < self.ends[row] else None

    def contains(self, address: int) -> bool:
        """Return whether there is code at an address of a linked file."""
        row = bisect_right(self.range_starts, address) - 1
        return row >= 0 and address < self.range_ends[row]

    def named(self, name: str) -> list[int]:
        """Return the rows of the functions that have a name; local functions may share one."""
        found = (self._row(section or 0, start) for section, start in self._places().get(name, ()))
        return [row for row in found if row is not None]

    def _append(
        self,
        section: int,
        names: Sequence[str],
        starts: Sequence[int],
        ends: Sequence[int],
        entries: Sequence[int],
        sizes: Sequence[int],
    ) -> None:
        """Append the extents of a section."""
        first = len(self.starts)
        rows = {start: row for row, start in enumerate(starts, first)}
        self.sections.extend([section] * len(starts))
        self.starts.extend(starts)
        self.ends.extend(ends)
        self.functions.extend(rows.get(entry, row) for row, entry in enumerate(entries, first))
        self.entries.extend(entries)
        self.sizes.extend(sizes)
        self._names.append(names)
        self._first_rows.append(first)

    def _row(self, section: int, start: int) -> int | None:
        """Return the row of the function that begins somewhere."""
        keys = range(len(self.starts))
        row = bisect_right(keys, (section, start), key=lambda row: (self.sections[row], self.starts[row])) - 1
        if row < 0 or (self.sections[row], self.entries[self.functions[row]]) != (section, start):
            return None
        return self.functions[row]
