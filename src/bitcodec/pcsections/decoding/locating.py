# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: ANN001, ANN201
"""What the PC fields of a section name: in which function of a file a PC is.

Rules: PC Sections Metadata, "Binary Encoding": the PC is `entry + *entry`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitstream.columns import zeros
from bitcodec.errors import PCSectionsError
from bitcodec.pcsections.decoding.plan import Owner

COMPILED = cython.compiled

_UNSEEN = cython.declare(cython.uint, Owner.UNSEEN)
_NOWHERE = cython.declare(cython.uint, Owner.NOWHERE)
_NO_FUNCTION = cython.declare(cython.uint, Owner.NO_FUNCTION)
_FIRST_FUNCTION = cython.declare(cython.uint, Owner.FIRST_FUNCTION)
_WORD = cython.declare(cython.ulonglong, 0xFFFFFFFF)
_LONG = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.cclass
class Locator:
    """Locates what fields of one section name.

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
        offsets: cython.const[cython.ulonglong][::1],
        sections: cython.const[cython.uint][::1],
        targets: cython.const[cython.ulonglong][::1],
    ):
        """Give where the PC fields are, and what they name, as relocations do: there are no others then.

        Args:
            offsets: of the fields, in order.
            sections, targets: the section that a PC is in, and its offset in it.

        Raises:
            PCSectionsError: fields are in one another, or not in the section.
        """
        row: cython.Py_ssize_t
        free: cython.ulonglong = 0
        place: cython.Py_ssize_t = 0
        self._has_fields = True
        for place in range(self._size + 1):
            self._owners[place] = _NOWHERE
        for row in range(len(offsets)):
            place = self._size - self._width
            if offsets[row] < free or place < 0 or offsets[row] > cython.cast(cython.ulonglong, place):
                raise PCSectionsError(
                    f"the PC field at byte {offsets[row]} does not lie beside the others in the section"
                )
            place = offsets[row]
            free = place + self._width
            self._owners[place] = self._owner_of(place, sections[row], targets[row])

    # Called by `matching`, without the interpreter between

    def owner(self, place: cython.Py_ssize_t) -> cython.uint:
        """Return what a field at a place would name a PC of."""
        if self._owners[place] == _UNSEEN:
            if self._width > self._size - place:
                self._owners[place] = _NOWHERE
            else:
                self._owners[place] = self._owner_of(place, 0, self.target(place))
        return self._owners[place]

    def target(self, place: cython.Py_ssize_t) -> cython.ulonglong:
        """Return the PC that a field names."""
        value: cython.ulonglong = self.load(place, self._width, self._is_big)
        if self._width < 8 and value >> 8 * self._width - 1:
            value |= _LONG << 8 * self._width & _LONG
        return (self._address + place + value) & self._mask

    def load(self, place: cython.Py_ssize_t, length: cython.Py_ssize_t, is_big: cython.bint) -> cython.ulonglong:
        """Return the number that is there, of at most 8 bytes."""
        value: cython.ulonglong = 0
        index: cython.Py_ssize_t
        for index in range(length):
            value = value << 8 | self._data[place + (index if is_big else length - 1 - index)]
        return value

    def holds_field(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t) -> cython.bint:
        """Whether there is a PC field where constants would be; known of objects alone."""
        place: cython.Py_ssize_t
        if self._has_fields:
            for place in range(first, last):
                if self._owners[place] != _NOWHERE:
                    return True
        return False

    def _owner_of(self, place: cython.Py_ssize_t, section: cython.uint, target: cython.ulonglong) -> cython.uint:
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = len(self._starts)
        middle: cython.Py_ssize_t = 0
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
