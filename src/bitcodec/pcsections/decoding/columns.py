"""The entries of a section as flat buffers, for millions of them.

Every column is a read-only `memoryview`, so NumPy, Arrow and `array` take it without copying.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from bitcodec.frozen import FrozenColumns

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["EntryColumns"]


class EntryColumns(FrozenColumns):
    """One row for each PC, in the order of the section.

    Attributes:
        place: where its field is, in bytes from the start of the section (uint64).
        pc: its address; in a relocatable object its offset in its section, in bytes (uint64).
        section: the index of that section in a relocatable object, 0 in a linked file (uint32).
        function: its function, a row of `DecodedSection.functions`; -1 if unknown (int64).
        kind: its kind, a row of `DecodedSection.kinds`; -1 if unknown, or if it shares the constants of a
            row that follows (int64).
        size: the size of the function in bytes, 0 if it is not an entry of a function (uint64).
        aux_start, aux_end: first and last byte of its constants in the section (uint64).
    """

    __slots__ = __match_args__ = ("place", "pc", "section", "function", "kind", "size", "aux_start", "aux_end")
    __hash__: ClassVar[None]  # type: ignore[assignment] # buffers have none

    place: memoryview
    pc: memoryview
    section: memoryview
    function: memoryview
    kind: memoryview
    size: memoryview
    aux_start: memoryview
    aux_end: memoryview

    def __len__(self) -> int:
        return len(self.place)

    def __iter__(self) -> Iterator[memoryview]:
        return (getattr(self, name) for name in self.__match_args__)
