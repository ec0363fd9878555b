"""Collects the losses of a module that is written for an older LLVM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.bitcode.loss import Loss
from bitcodec.downgrade.constructs import Way
from bitcodec.errors import EncodingError, quote_name

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from bitcodec.downgrade.constructs import Construct

__all__ = ["Losses"]


class _Entry:
    """Number of occurrences of a construct in a place, and the first part that has it."""

    __slots__ = ("construct", "count", "first", "place")

    def __init__(self, construct: Construct, place: str, first: object) -> None:
        self.construct = construct
        self.place = place
        self.count = 0
        self.first = first

    @property
    def example(self) -> str:
        """The text of the first part."""
        return "" if self.first is None else str(self.first).strip()


class Losses:
    """Collects the constructs that a version of LLVM lacks.

    Args:
        is_strict: whether to refuse any loss.
        is_strict: whether anything that is lost is refused.
        reader: the name of a reader with a code generator, "" for any program with that version.

    Attributes:
        count: how often constructs occur that the version lacks.
    """

    def __init__(self, version: int, *, is_strict: bool = False, reader: str = "") -> None:
        self.version = version
        self.reader = reader
        self.count = 0
        self._is_strict = is_strict
        self._entries: dict[tuple[int, str], _Entry] = {}
        # Rows take long to hash: they are found by identity, and kept alive for that.
        self._rows: dict[int, tuple[Construct, Construct]] = {}
        self._equal_rows: dict[Construct, Construct] = {}
        self._place = ""
        self._of_place: dict[int, tuple[_Entry, Construct]] = {}

    def add(self, construct: Construct, place: str, part: object = None, times: int = 1) -> None:
        """Add occurrences of a construct that the version lacks.

        Args:
            construct: the construct.
            place: the name of the function or other global, "" for the module itself.
            part: the instruction or node that has it.
            times: how often it occurs.

        Raises:
            EncodingError: the module cannot be written without it, or not without a loss if that is refused.
        """
        if place != self._place:
            self._place, self._of_place = place, {}
        known = self._of_place.get(id(construct))
        if known is None:
            known = self._of_place[id(construct)] = self._entry(construct, place, part), construct
        known[0].count += times
        self.count += times

    def _entry(self, construct: Construct, place: str, part: object) -> _Entry:
        """Return the entry of a construct in a place, a new one if necessary."""
        is_refused = construct.way is Way.REFUSE or (self.reader and construct.way is Way.KEEP)
        if is_refused or (self._is_strict and construct.way is Way.DROP):
            self._refuse(construct, place, part)
        row = self._row(construct)
        key = id(row), place
        found = self._entries.get(key)
        if found is None:
            # What profiles lower, they change next.
            example = str(part) if self.reader and part is not None else part
            found = self._entries[key] = _Entry(row, place, example)
        return found

    def _row(self, construct: Construct) -> Construct:
        """Return the first row that is equal to one."""
        found = self._rows.get(id(construct))
        if found is None:
            found = self._rows[id(construct)] = self._equal_rows.setdefault(construct, construct), construct
        return found[0]

    def has_any(self, constructs: Container[Construct]) -> bool:
        """Return whether one of some constructs was found."""
        return any(construct in constructs for construct in self._equal_rows)

    def restarted(self) -> Losses:
        """Return an empty collection of the same kind."""
        return Losses(self.version, is_strict=self._is_strict, reader=self.reader)

    def take(self, other: Losses, constructs: Container[Construct]) -> None:
        """Take some constructs from another collection that are not found here again."""
        for entry in other._entries.values():
            if entry.construct in constructs:
                self._entries.setdefault((id(self._row(entry.construct)), entry.place), entry)

    def __iter__(self) -> Iterator[Loss]:
        """Yield everything that was found, in the order in which it was."""
        for entry in self._entries.values():
            construct = entry.construct
            yield Loss(
                construct.name,
                construct.since,
                construct.way.value,
                construct.instead,
                entry.place,
                entry.count,
                entry.example,
                self.reader if construct.is_of_profile else "",
            )

    def _refuse(self, construct: Construct, place: str, part: object) -> None:
        where = f" in @{quote_name(place)}" if place else ""
        text = "" if part is None else f": {str(part).strip()}"
        verb = "would be lost" if construct.way is Way.DROP else "cannot be written"
        reader = self.reader or f"LLVM {self.version}"
        reason = (
            "it has no other form there"
            if construct.is_of_profile
            else f"LLVM {construct.since} is the first that has it"
        )
        lacking = f"LLVM {construct.since} is the first that has {construct.name}"
        raise EncodingError(f"{construct.name}{where} {verb} for {reader}: {reason}{text}", lacking)
