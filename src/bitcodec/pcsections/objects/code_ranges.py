"""Ranges of an ELF file that may contain code."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bitcodec.containers.elf_file import ElfFile

__all__ = ["CodeRanges"]


class CodeRanges:
    """The executable ranges of an ELF file.

    Attributes:
        ranges: by section in a relocatable object, where addresses are offsets in it; under None in an image.  Those of
            one section ascend and do not overlap.
    """

    def __init__(self, ranges: Mapping[int | None, Iterable[range]]) -> None:
        self.ranges = {section: _joined(places) for section, places in ranges.items()}

    @classmethod
    def of(cls, file: ElfFile) -> CodeRanges:
        """Return the ranges of a file.

        Raises:
            ContainerError: it is malformed.
        """
        sections = [section for section in file.sections if section.is_executable and section.size]
        if file.is_relocatable:
            return cls({section.index: [range(section.size)] for section in sections})
        return cls({None: [range(each.address, each.address + each.size) for each in sections]})

    def contain(self, section: int | None, address: int) -> bool:
        """Return whether code can be at an address."""
        places = self.ranges.get(section, [])
        row = bisect_right(places, address, key=lambda place: place.start) - 1
        return row >= 0 and address in places[row]


def _joined(ranges: Iterable[range]) -> list[range]:
    """Return ranges that cover the same addresses, ascending and apart."""
    found: list[range] = []
    for each in sorted(ranges, key=lambda each: each.start):
        if found and each.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, each.stop))
        else:
            found.append(each)
    return found
