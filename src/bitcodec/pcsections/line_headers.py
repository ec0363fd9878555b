"""Counts in the headers of line tables, held against what is there before pyelftools believes them.

Entries of these lists may have no bytes at all, so a few bytes could ask for any amount of memory.  Rules: DWARF
Debugging Information Format 5, section 6.2.4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitcodec.errors import ContainerError

if TYPE_CHECKING:
    from bitcodec.containers.elf_headers import ByteOrder

__all__ = ["check_header"]

_LISTS_SINCE_VERSION = 5

_FIXED = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}
"""Bytes of the forms data1, data2, data4, data8, data16."""

_OFFSETS = {0x0E, 0x1F}
"""strp, line_strp."""

_STRING, _UDATA, _BLOCK = 0x08, 0x0F, 0x09


def check_header(section: memoryview, start: int, byte_order: ByteOrder) -> None:
    """Check the counts in the header of the line table that begins at byte `start` of its section.

    Raises:
        ContainerError: there are more entries than bytes.
    """
    try:
        _Header(section[start:].tobytes(), byte_order).check()
    except (IndexError, ValueError) as error:
        raise ContainerError(
            f"the header of the line table at byte {start} is cut off, or of an unknown form"
        ) from error


class _Header:
    """Walks through one header."""

    def __init__(self, data: bytes, byte_order: ByteOrder) -> None:
        self._data, self._byte_order = data, byte_order
        self._at = 0
        self._offset_size = 4

    def check(self) -> None:
        length = self._fixed(4)
        if length == 0xFFFF_FFFF:
            self._offset_size = 8
            length = self._fixed(8)
        if length > len(self._data) - self._at:
            raise ValueError(length)
        if self._fixed(2) < _LISTS_SINCE_VERSION:
            return
        # Sizes of addresses and selectors, length of the header, five numbers of the line machine.
        self._at += 2 + self._offset_size + 5
        self._at += self._fixed(1) - 1
        for _ in ("directories", "files"):
            self._pass_over_list()

    def _pass_over_list(self) -> None:
        forms = [(self._uleb128(), self._uleb128())[1] for _ in range(self._fixed(1))]
        count = self._uleb128()
        if count > len(self._data) - self._at:
            raise ValueError(count)
        for _ in range(count):
            for form in forms:
                self._pass_over(form)

    def _pass_over(self, form: int) -> None:
        if form == _STRING:
            self._at = self._data.index(0, self._at) + 1
        elif form == _UDATA:
            self._uleb128()
        elif form == _BLOCK:
            self._at += self._uleb128()
        elif form in _OFFSETS:
            self._at += self._offset_size
        elif form in _FIXED:
            self._at += _FIXED[form]
        else:
            raise ValueError(form)

    def _fixed(self, size: int) -> int:
        if self._at + size > len(self._data):
            raise IndexError(self._at)
        self._at += size
        return int.from_bytes(self._data[self._at - size : self._at], self._byte_order)

    def _uleb128(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
