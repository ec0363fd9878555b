# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
# ruff: noqa: ANN001, ANN201, C901
"""The loops that find out how a section can be read, and take its entries from it.

A reading is a path through states.  At each byte of a section there may be two: a run of PCs goes on here, or an entry
begins here.  What may follow what it is given by a `Plan`, where the program's code is by a `Code`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

from bitcodec.bitstream.columns import enlarged, filled, zeros
from bitcodec.pcsections.decoding.plan import Owner
from bitcodec.pcsections.schemas.kinds import Operation

if cython.compiled:
    from cython.cimports.bitcodec.pcsections.decoding.locating import Locator
else:
    from bitcodec.pcsections.decoding.locating import Locator

COMPILED = cython.compiled

_KNOWN = cython.declare(cython.uint, Operation.KNOWN)
_ULEB128 = cython.declare(cython.uint, Operation.ULEB128)
_REST = cython.declare(cython.uint, Operation.REST)

_NOWHERE = cython.declare(cython.uint, Owner.NOWHERE)
_NO_FUNCTION = cython.declare(cython.uint, Owner.NO_FUNCTION)
_FIRST_FUNCTION = cython.declare(cython.uint, Owner.FIRST_FUNCTION)

_RUN = cython.declare(cython.Py_ssize_t, 0)
_ENTRY = cython.declare(cython.Py_ssize_t, 1)
_TOP = cython.declare(cython.uint, 63)
_FAILED = cython.declare(cython.Py_ssize_t, -1)

# So that time and memory are proportional to the section: attempts and ways on for each of its bytes.
_ATTEMPTS = cython.declare(cython.Py_ssize_t, 256)
_WAYS = cython.declare(cython.Py_ssize_t, 16)
_SOME = cython.declare(cython.Py_ssize_t, 1 << 16)


@cython.cclass
class Matcher(Locator):
    """Finds the readings of one section.

    Args:
        data: the bytes.
        address: of the first byte; 0 where the fields are given.
        plan: what may follow a PC.
        code: the functions, and where code is.
    """

    _has_runs: cython.bint
    _prefers_runs: cython.bint
    _group_classes: cython.const[cython.uint][::1]
    _class_lengths: cython.const[cython.uchar][::1]
    _class_members: cython.const[cython.uint][::1]
    _members: cython.const[cython.uint][::1]
    _group_functions: cython.const[cython.uint][::1]
    _function_members: cython.const[cython.uint][::1]
    _group_empty: cython.const[cython.longlong][::1]
    _prefixes: cython.const[cython.ulonglong][::1]
    _size_lengths: cython.const[cython.uchar][::1]
    _first_steps: cython.const[cython.uint][::1]
    _operations: cython.const[cython.uchar][::1]
    _lengths: cython.const[cython.ulonglong][::1]
    _conditions: cython.const[cython.ulonglong][::1]
    _pool_starts: cython.const[cython.ulonglong][::1]
    _pool: cython.const[cython.uchar][::1]
    # The code, beside what a locator has
    _sizes: cython.const[cython.ulonglong][::1]
    _groups: cython.const[cython.uint][::1]
    # What is found
    _reached: cython.uchar[::1]
    _from: cython.ulonglong[::1]
    _to: cython.ulonglong[::1]
    _kinds: cython.longlong[::1]
    _ways: cython.Py_ssize_t
    _attempts: cython.Py_ssize_t
    _number: cython.ulonglong

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
            How many readings there are, 2 if there are more, -1 if there are too many ways to look at all of them; and
            the last byte that any of them comes to.
        """
        attempts: cython.Py_ssize_t = _ATTEMPTS * self._size + _SOME
        ways: cython.Py_ssize_t = _WAYS * self._size + _SOME
        place: cython.Py_ssize_t = 0
        furthest: cython.Py_ssize_t = 0
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

    @cython.cfunc
    @cython.exceptval(-1)
    def _count_readings(self) -> cython.int:
        """Count, from the end, how many ways lead there: `_reached` becomes these numbers."""
        way: cython.Py_ssize_t = self._ways
        begin: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t = 0
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

    @cython.cfunc
    @cython.exceptval(-1)
    def _begin_entry(self, place: cython.Py_ssize_t) -> cython.int:
        owner: cython.uint = self.owner(place)
        if owner == _NOWHERE:
            return 0
        group: cython.Py_ssize_t = self._group(owner)
        row: cython.Py_ssize_t
        kind: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t = 0
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

    @cython.cfunc
    @cython.exceptval(-1)
    def _continue_run(self, place: cython.Py_ssize_t) -> cython.int:
        owner: cython.uint = self.owner(place - self._width)
        group: cython.Py_ssize_t = self._group(owner)
        row: cython.Py_ssize_t
        last: cython.Py_ssize_t = self._group_classes[group + 1]
        first_unknown: cython.Py_ssize_t = last
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

    @cython.cfunc
    @cython.exceptval(-1)
    def _go_on(self, place: cython.Py_ssize_t, owner: cython.uint, group: cython.Py_ssize_t) -> cython.int:
        """Let the run go on, or end without constants: what comes then, a PC of the same function, is the same."""
        if self._group_empty[group] >= 0:
            self._add(2 * place + _RUN, 2 * place + _ENTRY, self._group_empty[group])
        elif self._has_runs and self.owner(place) == owner:
            self._add(2 * place + _RUN, 2 * (place + self._width) + _RUN, -1)
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _close_known(self, row: cython.Py_ssize_t, place: cython.Py_ssize_t) -> cython.int:
        """End a run with constants of a class: kinds sorted by their first bytes, of which all know as many."""
        length: cython.Py_ssize_t = self._class_lengths[row]
        if length > self._size - place:
            return 0
        wanted: cython.ulonglong = self.load(place, length, is_big=True)
        low: cython.Py_ssize_t = self._class_members[row]
        high: cython.Py_ssize_t = self._class_members[row + 1]
        last: cython.Py_ssize_t = high
        middle: cython.Py_ssize_t = 0
        while low < high:
            middle = (low + high) // 2
            if self._prefixes[self._members[middle]] < wanted:
                low = middle + 1
            else:
                high = middle
        while high < last and self._prefixes[self._members[high]] == wanted:
            high += 1
        return self._close(low, high, place)

    @cython.cfunc
    @cython.exceptval(-1)
    def _close(self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, place: cython.Py_ssize_t) -> cython.int:
        """End a run with constants of some kinds."""
        row: cython.Py_ssize_t
        end: cython.Py_ssize_t = 0
        for row in range(first, last):
            end = self._after_constants(self._members[row], place)
            if end != _FAILED and not self.holds_field(place, end):
                self._add(2 * place + _RUN, 2 * end + _ENTRY, self._members[row])
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _add(self, begin: cython.Py_ssize_t, end: cython.Py_ssize_t, kind: cython.Py_ssize_t) -> cython.int:
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

    # What stands at a place

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _group(self, owner: cython.uint) -> cython.Py_ssize_t:
        return self._groups[owner - _FIRST_FUNCTION] if owner >= _FIRST_FUNCTION else 0

    @cython.cfunc
    @cython.exceptval(check=False)
    def _after_size(self, kind: cython.Py_ssize_t, place: cython.Py_ssize_t, owner: cython.uint) -> cython.Py_ssize_t:
        """Return where the size of a function ends, -1 if it is not that function's."""
        end: cython.Py_ssize_t = place + self._size_lengths[kind]
        if self._size_lengths[kind] == 0:
            end = self._after_uleb128(place, 64)
            if end == _FAILED:
                return _FAILED
        elif end > self._size:
            return _FAILED
        else:
            self._number = self.load(place, self._size_lengths[kind], self._is_big)
        if owner >= _FIRST_FUNCTION:
            size: cython.ulonglong = self._sizes[owner - _FIRST_FUNCTION]
            if size not in (0, self._number):
                return _FAILED
        return end

    @cython.cfunc
    @cython.exceptval(check=False)
    def _after_constants(self, kind: cython.Py_ssize_t, place: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where the constants of a kind end, -1 if others are there."""
        step: cython.Py_ssize_t
        index: cython.Py_ssize_t = 0
        length: cython.Py_ssize_t = 0
        start: cython.Py_ssize_t = 0
        first: cython.Py_ssize_t = place
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
            if self._lengths[step] > cython.cast(cython.ulonglong, self._size - place):
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

    @cython.cfunc
    @cython.exceptval(check=False)
    def _after_uleb128(self, place: cython.Py_ssize_t, bits: cython.uint) -> cython.Py_ssize_t:
        """Return where a ULEB128 ends, -1 if it is wider than `bits`; its value is `_number` then."""
        value: cython.ulonglong = 0
        shift: cython.uint = 0
        byte: cython.ulonglong = 0x80
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
        most: cython.Py_ssize_t = self._size // self._width
        places: cython.ulonglong[::1] = zeros("Q", most)
        targets: cython.ulonglong[::1] = zeros("Q", most)
        functions: cython.longlong[::1] = zeros("q", most)
        kinds: cython.longlong[::1] = zeros("q", most)
        sizes: cython.ulonglong[::1] = zeros("Q", most)
        aux_starts: cython.ulonglong[::1] = zeros("Q", most)
        aux_ends: cython.ulonglong[::1] = zeros("Q", most)
        count: cython.Py_ssize_t = 0
        state: cython.Py_ssize_t = _ENTRY
        place: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t = 0
        way: cython.Py_ssize_t
        kind: cython.longlong = 0
        for way in range(self._ways):
            if cython.cast(cython.Py_ssize_t, self._from[way]) != state or self._reached[self._to[way]] == 0:
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
