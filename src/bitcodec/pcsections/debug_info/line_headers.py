"""Checks of counts in the headers of line tables against the data, before pyelftools relies on them.

Entries of these lists may have no bytes at all, so a few bytes could request any amount of memory.  Rules: DWARF
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


def check_header(section: bytes, start: int, byte_order: ByteOrder) -> int:
    """Check the counts in the header of the line table that begins at byte `start` of its section.

    Returns:
        How many bytes were looked at.

    Raises:
        ContainerError: there are more entries than bytes.
    """
    header = _Header(section, start, byte_order)
    try:
        header.check()
    except (IndexError, ValueError) as error:
        raise ContainerError(
            f"the header of the line table at byte {start} is cut off, or of an unknown form"
        ) from error
    return header.at - start


class _Header:
    """Walks through one header."""

    def __init__(self, data: bytes, start: int, byte_order: ByteOrder) -> None:
        self.at = start
        self._data, self._byte_order = data, byte_order
        self._offset_size = 4

    def check(self) -> None:
        length = self._fixed(4)
        if length == 0xFFFF_FFFF:
            self._offset_size = 8
            length = self._fixed(8)
        if length > len(self._data) - self.at:
            raise ValueError(length)
        if self._fixed(2) < _LISTS_SINCE_VERSION:
            return
        # Sizes of addresses and selectors, length of the header, five numbers of the line machine.
        self._skip(2 + self._offset_size + 5)
        self._skip(self._fixed(1) - 1)
        for _ in ("directories", "files"):
            self._pass_over_list()

    def _pass_over_list(self) -> None:
        forms = [(self._uleb128(), self._uleb128())[1] for _ in range(self._fixed(1))]
        count = self._uleb128()
        if count > len(self._data) - self.at:
            raise ValueError(count)
        for _ in range(count):
            for form in forms:
                self._pass_over(form)

    def _pass_over(self, form: int) -> None:
        if form == _STRING:
            self.at = self._data.index(0, self.at) + 1
        elif form == _UDATA:
            self._uleb128()
        elif form == _BLOCK:
            self._skip(self._uleb128())
        elif form in _OFFSETS:
            self._skip(self._offset_size)
        elif form in _FIXED:
            self._skip(_FIXED[form])
        else:
            raise ValueError(form)

    def _skip(self, size: int) -> None:
        self.at += size

    def _fixed(self, size: int) -> int:
        if self.at + size > len(self._data):
            raise IndexError(self.at)
        self.at += size
        return int.from_bytes(self._data[self.at - size : self.at], self._byte_order)

    def _uleb128(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
