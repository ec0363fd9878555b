# cython: language_level=3, annotation_typing=False, boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: ANN001, ANN201, ANN202, C901
"""The loops that find out how a section can be read, and take its entries from it.

A reading is a path through states.  At each byte of a section there may be two: a run of PCs goes on here, or an entry
begins here.  A `Plan` gives the possible sequences, a `Code` the places of the program's code.
"""

from __future__ import annotations

from bitcodec.bitstream.columns import enlarged, filled, zeros
from bitcodec.host import native
from bitcodec.pcsections.decoding.locating import Locator
from bitcodec.pcsections.decoding.plan import Owner
from bitcodec.pcsections.schemas.kinds import Operation

COMPILED = bool(native.COMPILED)

_KNOWN = Operation.KNOWN
_ULEB128 = Operation.ULEB128
_REST = Operation.REST

_NOWHERE = Owner.NOWHERE
_NO_FUNCTION = Owner.NO_FUNCTION
_FIRST_FUNCTION = Owner.FIRST_FUNCTION

_RUN = 0
_ENTRY = 1
_TOP = 63
_FAILED = -1

# So that time and memory are proportional to the section: attempts and ways on for each of its bytes.
_ATTEMPTS = 256
_WAYS = 16
_SOME = 1 << 16


class Matcher(Locator):
    """Finds the readings of one section.

    Args:
        data: the bytes.
        address: of the first byte; 0 where the fields are given.
        plan: possible data behind a PC.
        code: the functions, and where code is.
    """

    # The code, in addition to a locator's
    # What is found

    def __init__(self, data, address, plan, code) -> None:
        super().__init__(data, address, plan, code)
        self._has_runs = plan.has_runs
        self._prefers_runs = plan.has_runs and code.is_known
        self._group_classes = plan.group_classes
        self._class_lengths = plan.class_lengths
        self._class_members = plan.class_members
        self._members = plan.members
        self._group_functions = plan.group_functions
        self._function_members = plan.function_members
        self._group_empty = plan.group_empty
        self._prefixes = plan.prefixes
        self._size_lengths = plan.size_lengths
        self._first_steps = plan.first_steps
        self._operations = plan.operations
        self._lengths = plan.lengths
        self._conditions = plan.conditions
        self._pool_starts = plan.pool_starts
        self._pool = plan.pool
        self._sizes = code.sizes
        self._groups = plan.function_groups
        room = self._size // 2 + 1
        self._reached = zeros("B", 2 * self._size + 2)
        self._from = zeros("Q", room)
        self._to = zeros("Q", room)
        self._kinds = zeros("q", room)
        self._ways = 0
        self._attempts = 0

    def match(self):
        """Find out how the section can be read.

        Returns:
            Number of readings, 2 if there are more, -1 if there are too many to examine all of them; and
            the last byte that any of them reaches.
        """
        attempts = _ATTEMPTS * self._size + _SOME
        ways = _WAYS * self._size + _SOME
        place = 0
        furthest = 0
        self._reached[_ENTRY] = 1
        for place in range(self._size + 1):
            if self._reached[2 * place + _RUN]:
                furthest = place
                self._continue_run(place)
            if self._reached[2 * place + _ENTRY]:
                furthest = place
                self._begin_entry(place)
            if self._attempts > attempts or self._ways > ways:
                return -1, furthest
        readings = self._count_readings() if self._reached[2 * self._size + _ENTRY] else 0
        return readings, furthest

    def _count_readings(self):
        """Count, from the end, how many ways lead there: `_reached` becomes these numbers."""
        way = self._ways
        begin = 0
        end = 0
        for begin in range(2 * self._size + 2):
            self._reached[begin] = 0
        self._reached[2 * self._size + _ENTRY] = 1
        while way:
            way -= 1
            begin = self._from[way]
            end = self._to[way]
            self._reached[begin] = min(2, self._reached[begin] + self._reached[end])
        return self._reached[_ENTRY]

    # Ways on, the best first

    def _begin_entry(self, place):
        owner = self.owner(place)
        if owner == _NOWHERE:
            return 0
        group = self._group(owner)
        kind = 0
        end = 0
        if self._at_start[place]:
            for row in range(self._group_functions[group], self._group_functions[group + 1]):
                kind = self._function_members[row]
                end = self._after_size(kind, place + self._width, owner)
                if end != _FAILED:
                    end = self._after_constants(kind, end)
                if end != _FAILED and not self.holds_field(place + 1, end):
                    self._add(2 * place + _ENTRY, 2 * end + _ENTRY, kind)
        if self._group_classes[group] < self._group_classes[group + 1] or self._group_empty[group] >= 0:
            self._add(2 * place + _ENTRY, 2 * (place + self._width) + _RUN, -1)
        return 0

    def _continue_run(self, place):
        owner = self.owner(place - self._width)
        group = self._group(owner)
        last = self._group_classes[group + 1]
        first_unknown = last
        for row in range(self._group_classes[group], last):
            if self._class_lengths[row] == 0:
                first_unknown = row
                break
            self._close_known(row, place)
        if self._prefers_runs:
            self._go_on(place, owner, group)
        for row in range(first_unknown, last):
            self._close(self._class_members[row], self._class_members[row + 1], place)
        if not self._prefers_runs:
            self._go_on(place, owner, group)
        return 0

    def _go_on(self, place, owner, group):
        """Let the run continue, or end without constants: both are followed by a PC of the same function."""
        if self._group_empty[group] >= 0:
            self._add(2 * place + _RUN, 2 * place + _ENTRY, self._group_empty[group])
        elif self._has_runs and self.owner(place) == owner:
            self._add(2 * place + _RUN, 2 * (place + self._width) + _RUN, -1)
        return 0

    def _close_known(self, row, place):
        """End a run with constants of a class: kinds sorted by their first bytes, of which all know as many."""
        length = self._class_lengths[row]
        if length > self._size - place:
            return 0
        wanted = self.load(place, length, is_big=True)
        low = self._class_members[row]
        high = self._class_members[row + 1]
        last = high
        middle = 0
        while low < high:
            middle = (low + high) // 2
            if self._prefixes[self._members[middle]] < wanted:
                low = middle + 1
            else:
                high = middle
        while high < last and self._prefixes[self._members[high]] == wanted:
            high += 1
        return self._close(low, high, place)

    def _close(self, first, last, place):
        """End a run with constants of some kinds."""
        end = 0
        for row in range(first, last):
            end = self._after_constants(self._members[row], place)
            if end != _FAILED and not self.holds_field(place, end):
                self._add(2 * place + _RUN, 2 * end + _ENTRY, self._members[row])
        return 0

    def _add(self, begin, end, kind):
        """Add a way from one state to another."""
        if self._ways == len(self._from):
            self._from = enlarged(self._from, self._ways, self._ways + 1)
            self._to = enlarged(self._to, self._ways, self._ways + 1)
            self._kinds = enlarged(self._kinds, self._ways, self._ways + 1)
        self._from[self._ways] = begin
        self._to[self._ways] = end
        self._kinds[self._ways] = kind
        self._ways += 1
        self._reached[end] = 1
        return 0

    # Contents of a place

    def _group(self, owner):
        return self._groups[owner - _FIRST_FUNCTION] if owner >= _FIRST_FUNCTION else 0

    def _after_size(self, kind, place, owner):
        """Return where the size of a function ends, -1 if it is not that function's."""
        end = place + self._size_lengths[kind]
        if self._size_lengths[kind] == 0:
            end = self._after_uleb128(place, 64)
            if end == _FAILED:
                return _FAILED
        elif end > self._size:
            return _FAILED
        else:
            self._number = self.load(place, self._size_lengths[kind], self._is_big)
        if owner >= _FIRST_FUNCTION:
            size = self._sizes[owner - _FIRST_FUNCTION]
            if size not in (0, self._number):
                return _FAILED
        return end

    def _after_constants(self, kind, place):
        """Return where the constants of a kind end, -1 if others are there."""
        index = 0
        length = 0
        start = 0
        first = place
        self._attempts += 1
        self._number = 0
        for step in range(self._first_steps[kind], self._first_steps[kind + 1]):
            if self._conditions[step] != 0 and (self._number & self._conditions[step]) == 0:
                continue
            if self._operations[step] == _ULEB128:
                place = self._after_uleb128(place, self._lengths[step])
                if place == _FAILED:
                    return _FAILED
                continue
            if self._operations[step] == _REST:
                while place < self._size and self._owners[place] == _NOWHERE:
                    place += 1
                continue
            if self._lengths[step] > self._size - place:
                return _FAILED
            length = self._lengths[step]
            if self._operations[step] == _KNOWN:
                start = self._pool_starts[step]
                for index in range(length):
                    if self._data[place + index] != self._pool[start + index]:
                        self._attempts += index // 16
                        return _FAILED
            place += length
        self._attempts += (place - first) // 16
        return place

    def _after_uleb128(self, place, bits):
        """Return where a ULEB128 ends, -1 if it is wider than `bits`; its value is `_number` then."""
        value = 0
        shift = 0
        byte = 0x80
        while byte & 0x80:
            if place == self._size or shift > _TOP:
                return _FAILED
            byte = self._data[place]
            if shift == _TOP and byte > 1:
                return _FAILED
            value |= (byte & 0x7F) << shift
            shift += 7
            place += 1
        if bits < 64 and value >> bits:
            return _FAILED
        self._number = value
        return place

    # Entries

    def entries(self):
        """Return the columns of the entries of the best reading: of PCs, in the order of `EntryColumns`.

        Returns:
            Of each PC: the offset of its field, the PC, its function (-1 if unknown), the number of its kind (-1 if it
            is in a run and not the last), the size of its function (0 if it has none), and the first and last byte of
            the constants.
        """
        most = self._size // self._width
        places = zeros("Q", most)
        targets = zeros("Q", most)
        functions = zeros("q", most)
        kinds = zeros("q", most)
        sizes = zeros("Q", most)
        aux_starts = zeros("Q", most)
        aux_ends = zeros("Q", most)
        count = 0
        state = _ENTRY
        place = 0
        end = 0
        kind = 0
        for way in range(self._ways):
            if self._from[way] != state or self._reached[self._to[way]] == 0:
                continue
            place = state // 2
            kind = self._kinds[way]
            if state % 2 == _ENTRY or kind < 0:
                places[count] = place
                targets[count] = self.target(place)
                functions[count] = -1
                if self._owners[place] >= _FIRST_FUNCTION:
                    functions[count] = self._owners[place] - _FIRST_FUNCTION
                end = place + self._width
                if kind >= 0:
                    end = self._after_size(kind, end, _NO_FUNCTION)
                    sizes[count] = self._number
                aux_starts[count] = end
                count += 1
            state = self._to[way]
            kinds[count - 1] = kind
            aux_ends[count - 1] = state // 2 if kind >= 0 else aux_starts[count - 1]
        return (
            filled(places, count),
            filled(targets, count),
            filled(functions, count),
            filled(kinds, count),
            filled(sizes, count),
            filled(aux_starts, count),
            filled(aux_ends, count),
        )
