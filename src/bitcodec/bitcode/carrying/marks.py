# cython: language_level=3, annotation_typing=False, auto_pickle=False, nonecheck=True
# cython: boundscheck=False, wraparound=False, initializedcheck=False
# compiled: with loops
"""Entities of a table by number: marks for those found in a body, and their numbers in the other file."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any

from bitcodec.bitcode.malformed import Malformed
from bitcodec.reasons import Reason

if TYPE_CHECKING:
    from bitcodec.object_numbers import ObjectNumbers

__all__ = ["Marks"]


class Marks:
    """Marks for the entities of one table that bodies refer to. One object serves many bodies, one after another.

    Args:
        count: number of entities.

    Attributes:
        count: as above.
        numbers: number of each entity in the other file, -1 if it is not numbered yet.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self.numbers = self._numbers = array("q", [-1]) * (count + 1)
        self._seen = array("q", [0]) * (count + 1)

    def mark(self, number: int, body: int) -> bool:
        """Mark something as found in a body; return whether it is found there for the first time.

        Raises:
            Malformed: nothing has that number.
        """
        if number < 0 or number >= self.count:
            raise Malformed(Reason.NO_NUMBER(number=number, count=self.count))
        if self._seen[number] == body:
            return False
        self._seen[number] = body
        return True

    def other(self, number: int) -> int:
        """Return the number of an entity in the other file.

        Raises:
            Malformed: it is not numbered.
        """
        if number < 0 or number >= self.count or self._numbers[number] < 0:
            raise Malformed(Reason.NUMBER_NOT_FOUND(number=number))
        return self._numbers[number]

    def unknown(self, found: list[int], kind: int) -> list[int]:
        """Return the numbers of found entities that have no number in the other file yet.

        Args:
            found: pairs of a kind and a number.
            kind: the kind of the entities of this table.
        """
        missing: list[int] = []
        for place in range(0, len(found), 2):
            if found[place] == kind and self._numbers[found[place + 1]] < 0:
                missing.append(found[place + 1])  # noqa: PERF401 - compiled, it is as fast
        return missing

    def forget(self) -> None:
        """Forget all numbers of the other file."""
        for number in range(self.count):
            self._numbers[number] = -1

    def enter(self, number: int, other: int, own: Marks) -> None:
        """Enter the number in the other file of an entity of this table, or of the table that continues it."""
        if number < self.count:
            self._numbers[number] = other
        else:
            own._numbers[number - self.count] = other

    def enter_all(self, objects: dict[int, Any], numbers: ObjectNumbers, own: Marks) -> list[int]:
        """Do the same for all objects that have a number, by their numbers here; return the numbers of the others."""
        missing: list[int] = []
        for number, value in objects.items():
            if numbers.has(value):
                self.enter(number, numbers[value], own)
            else:
                missing.append(number)
        return missing
