# cython: language_level=3, annotation_typing=False, boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: ANN001, ANN201, ANN202
"""The targets of the PC fields of a section: finds the function of a file that contains a PC.

Rules: PC Sections Metadata, "Binary Encoding": the PC is `entry + *entry`.
"""

from __future__ import annotations

from bitcodec.bitstream.columns import zeros
from bitcodec.errors import PCSectionsError
from bitcodec.host import native
from bitcodec.pcsections.decoding.plan import Owner

COMPILED = bool(native.COMPILED)

_UNSEEN = Owner.UNSEEN
_NOWHERE = Owner.NOWHERE
_NO_FUNCTION = Owner.NO_FUNCTION
_FIRST_FUNCTION = Owner.FIRST_FUNCTION
_WORD = 0xFFFFFFFF
_LONG = 0xFFFFFFFFFFFFFFFF


class Locator:
    """Locates the targets of the fields of one section.

    Args:
        data: the bytes.
        address: of the first byte; 0 where the fields are given.
        plan: how large PCs are.
        code: the functions, and where code is.
    """

    def __init__(self, data, address, plan, code) -> None:
        self._data = data
        self._address = address
        self._size = len(data)
        self._width = plan.pc_size
        self._is_big = plan.byte_order == "big"
        self._mask = _WORD if plan.pointer_size == 4 else _LONG
        self._sections = code.sections
        self._starts = code.starts
        self._ends = code.ends
        self._functions = code.functions
        self._entries = code.entries
        self._range_starts = code.range_starts
        self._range_ends = code.range_ends
        self._is_code_known = code.is_known
        self._has_fields = False
        self._owners = zeros("I", self._size + 1)
        self._at_start = zeros("B", self._size + 1)

    def set_fields(
        self,
        offsets,
        sections,
        targets,
    ):
        """Define the PC fields and their targets, as relocations give them: then there are no others.

        Args:
            offsets: of the fields, in order.
            sections, targets: the section that a PC is in, and its offset in it.

        Raises:
            PCSectionsError: fields are in one another, or not in the section.
        """
        free = 0
        place = 0
        self._has_fields = True
        for place in range(self._size + 1):
            self._owners[place] = _NOWHERE
        for row in range(len(offsets)):
            place = self._size - self._width
            if offsets[row] < free or place < 0 or offsets[row] > place:
                raise PCSectionsError(f"the PC field at byte {offsets[row]} does not adjoin the others in the section")
            place = offsets[row]
            free = place + self._width
            self._owners[place] = self._owner_of(place, sections[row], targets[row])

    # Called by `matching`, without the interpreter between

    def owner(self, place):
        """Return the owner of the PC that a field at a place would name."""
        if self._owners[place] == _UNSEEN:
            if self._width > self._size - place:
                self._owners[place] = _NOWHERE
            else:
                self._owners[place] = self._owner_of(place, 0, self.target(place))
        return self._owners[place]

    def target(self, place):
        """Return the PC that a field names."""
        value = self.load(place, self._width, self._is_big)
        if self._width < 8 and value >> 8 * self._width - 1:
            value |= _LONG << 8 * self._width & _LONG
        return (self._address + place + value) & self._mask

    def load(self, place, length, is_big):
        """Return the number that is there, of at most 8 bytes."""
        value = 0
        for index in range(length):
            value = value << 8 | self._data[place + (index if is_big else length - 1 - index)]
        return value

    def holds_field(self, first, last):
        """Whether there is a PC field where constants would be; known of objects alone."""
        if self._has_fields:
            for place in range(first, last):
                if self._owners[place] != _NOWHERE:
                    return True
        return False

    def _owner_of(self, place, section, target):
        low = 0
        high = len(self._starts)
        middle = 0
        while low < high:
            middle = (low + high) // 2
            if self._sections[middle] < section or (
                self._sections[middle] == section and self._starts[middle] <= target
            ):
                low = middle + 1
            else:
                high = middle
        if low > 0 and self._sections[low - 1] == section and target < self._ends[low - 1]:
            self._at_start[place] = target == self._entries[self._functions[low - 1]]
            return _FIRST_FUNCTION + self._functions[low - 1]
        self._at_start[place] = 1
        if self._has_fields or not self._is_code_known:
            return _NO_FUNCTION
        low = 0
        high = len(self._range_starts)
        while low < high:
            middle = (low + high) // 2
            if self._range_starts[middle] <= target:
                low = middle + 1
            else:
                high = middle
        return _NO_FUNCTION if low > 0 and target < self._range_ends[low - 1] else _NOWHERE
