# cython: language_level=3, boundscheck=False, wraparound=False, auto_pickle=False, nonecheck=True
# compiled: for speed
# ruff: noqa: ANN001, ANN201, ANN204, F821
"""Numbers and texts of objects, found by identity.

Printing and writing give numbers to values and metadata nodes, and look each number up many times.  The compiled form
is a hash table of addresses and C integers, which takes a fraction of the time of a dictionary.  Numbers are not kept
in the objects themselves: so several threads may number the same objects at the same time.
"""

from __future__ import annotations

from itertools import count, repeat

try:
    import cython
except ImportError:
    from bitcodec import _no_cython as cython

if cython.compiled:
    from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free

COMPILED = cython.compiled

_FIRST_BITS = cython.declare(cython.int, 6)
_WORD_BITS = cython.declare(cython.int, 64)
_FACTOR = cython.declare(cython.ulonglong, 0x9E37_79B9_7F4A_7C15)
"""Spreads addresses: 2**64 divided by the golden ratio."""
_ALIGNMENT_BITS = cython.declare(cython.int, 4)
_LARGE = cython.declare(cython.ulonglong, 1 << 12)
_MANY = cython.declare(cython.ulonglong, 16)
"""A large table that has so many places for each key becomes smaller."""
_NEAR_BITS = cython.declare(cython.int, 3)
"""Objects in 128 bytes of memory are near each other in the table: they are often used one after another."""


if cython.compiled:

    @cython.final
    @cython.cclass
    class ObjectNumbers:
        """Numbers from 0 of objects, which it keeps alive: a dictionary whose keys are equal if they are identical.

        `del` takes the number from a key, which keeps its place among the others.
        """

        def __cinit__(self) -> None:
            self._keys = []
            self._resize(_FIRST_BITS)

        def __dealloc__(self):
            PyMem_Free(self._entries)

        def __len__(self) -> int:
            return len(self._keys)

        def __iter__(self):
            return iter(self._keys)

        def __contains__(self, key) -> bool:
            return self.find(key) >= 0

        def __getitem__(self, key):
            return self.number_of(key)

        def __setitem__(self, key, number: cython.longlong):
            self.put(key, number)

        def __delitem__(self, key):
            self.number_of(key)
            self.put(key, -1)

        def get(self, key, default=None):
            """Return the number of an object, the default if it has none."""
            number: cython.longlong = self.find(key)
            return default if number < 0 else number

        def add_all(self, keys, number: cython.longlong):
            """Give numbers to objects, from a number on."""
            if isinstance(keys, (list, tuple)):
                self.reserve(len(keys))
            for key in keys:
                self.put(key, number)
                number += 1

        def reserve(self, count: cython.Py_ssize_t):
            """Allocate memory for so many further objects."""
            bits: cython.int = _WORD_BITS - self._shift
            wanted: cython.int = bits
            while cython.cast(cython.size_t, 2 * (len(self._keys) + count)) >> wanted:
                wanted += 1
            if wanted > bits:
                self._resize(wanted)

        def truncate(self, count: cython.Py_ssize_t):
            """Forget all but so many objects, those that got a number first."""
            # From last to first: a free place ends each search, and no key that stays was put behind these.
            while len(self._keys) > count:
                key = self._keys.pop()
                self._entries[self._place(_address(key))].address = 0
            # A table that was large for a while takes more memory than the processor keeps at hand.
            if self._mask > _LARGE and self._mask > _MANY * cython.cast(cython.size_t, count):
                bits: cython.int = _FIRST_BITS
                while 2 * cython.cast(cython.size_t, count) >> bits:
                    bits += 1
                self._resize(bits)

        @cython.cfunc
        @cython.exceptval(check=False)
        def find(self, key) -> cython.longlong:
            """Return the number of an object, -1 if it has none."""
            place: cython.size_t = self._place(_address(key))
            return self._entries[place].number if self._entries[place].address else -1

        @cython.cfunc
        @cython.exceptval(check=False)
        def has(self, key) -> cython.bint:
            """Return whether an object has a number."""
            return self.find(key) >= 0

        @cython.cfunc
        @cython.exceptval(-1)
        def number_of(self, key) -> cython.longlong:
            """Return the number of an object; raise KeyError if it has none."""
            number: cython.longlong = self.find(key)
            if number < 0:
                raise KeyError(key)
            return number

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def put(self, key, number: cython.longlong) -> cython.int:
            """Give a number to an object, another one if it has one."""
            place: cython.size_t = self._place(_address(key))
            if not self._entries[place].address:
                if 2 * cython.cast(cython.size_t, len(self._keys)) > self._mask:
                    self._resize(_WORD_BITS - self._shift + 1)
                    place = self._place(_address(key))
                self._keys.append(key)
                self._entries[place].address = _address(key)
            self._entries[place].number = number
            return 0

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def enter(self, key, number: cython.longlong) -> cython.longlong:
            """Return the number of an object; give it one if it has none."""
            place: cython.size_t = self._place(_address(key))
            entry: cython.pointer(Entry) = cython.address(self._entries[place])
            if entry.address and entry.number >= 0:
                return entry.number
            if entry.address or 2 * cython.cast(cython.size_t, len(self._keys)) > self._mask:
                self.put(key, number)
                return number
            self._keys.append(key)
            entry.address, entry.number = _address(key), number
            return number

        @cython.cfunc
        @cython.exceptval(check=False)
        def _place(self, address: cython.size_t) -> cython.size_t:
            """Return the place of an address, or the free one where it would be put."""
            entries: cython.pointer(Entry) = self._entries
            mask: cython.size_t = self._mask
            place: cython.size_t = _first_place(address, self._shift)
            while entries[place].address and entries[place].address != address:
                place = (place + 1) & mask
            return place

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def _resize(self, bits: cython.int) -> cython.int:
            """Make room for 2 to the power of `bits` entries, and put all there again in the order of keys."""
            old: cython.pointer(Entry) = self._entries
            old_mask: cython.size_t = self._mask
            old_shift: cython.int = self._shift
            room: cython.size_t = cython.cast(cython.size_t, 1) << bits
            entries = cython.cast(cython.pointer(Entry), PyMem_Calloc(room, cython.sizeof(Entry)))
            if not entries:
                raise MemoryError
            address: cython.size_t
            place: cython.size_t
            for key in self._keys:
                address = _address(key)
                place = _first_place(address, old_shift)
                while old[place].address != address:
                    place = (place + 1) & old_mask
                self._entries, self._mask, self._shift = entries, room - 1, _WORD_BITS - bits
                entries[self._place(address)] = old[place]
            self._entries, self._mask, self._shift = entries, room - 1, _WORD_BITS - bits
            PyMem_Free(old)
            return 0

    @cython.cclass
    class ObjectTexts:
        """Texts of objects, found by identity: a dictionary like `ObjectNumbers`, from which nothing is removed.

        As with dictionaries, `__missing__` of a subclass makes texts that are not there.
        """

        def __cinit__(self) -> None:
            self._places = ObjectNumbers()
            self._texts = []

        def __len__(self) -> int:
            return len(self._texts)

        def __iter__(self):
            return iter(self._places)

        def __contains__(self, key) -> bool:
            return self._places.find(key) >= 0

        def __getitem__(self, key):
            return self.text_of(key)

        def __setitem__(self, key, text):
            self.put(key, text)

        def __missing__(self, key):
            raise KeyError(key)

        def get(self, key, default=None):
            """Return the text of an object, the default if it has none."""
            text = self.find(key)
            return default if text is None else text

        def reserve(self, count: cython.Py_ssize_t):
            """Allocate memory for so many further objects."""
            self._places.reserve(count)

        @cython.cfunc
        def text_of(self, key):
            """Return the text of an object; make it if there is none."""
            text = self.find(key)
            return self.__missing__(key) if text is None else text

        @cython.cfunc
        def find(self, key):
            """Return the text of an object, None if there is none."""
            place: cython.Py_ssize_t = self._places.find(key)
            if place < 0:
                return None
            text = self._texts[place]
            return f"!{place}" if text is None else text

        @cython.cfunc
        @cython.exceptval(check=False)
        def has(self, key) -> cython.bint:
            """Return whether an object has a text."""
            return self._places.find(key) >= 0

        @cython.cfunc
        @cython.exceptval(check=False)
        def label_of(self, key) -> cython.Py_ssize_t:
            """Return the number in the text of an object that `put_label` set, else -1."""
            place: cython.Py_ssize_t = self._places.find(key)
            return place if place >= 0 and self._texts[place] is None else -1

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def put_label(self, key) -> cython.int:
            """Let the text of an object that has none be `!` and the number of texts so far."""
            # The text follows from the place: it is made when it is requested.
            self._places.put(key, len(self._texts))
            self._texts.append(None)
            return 0

        @cython.cfunc
        @cython.exceptval(-1, check=False)
        def put(self, key, text) -> cython.int:
            """Set the text of an object."""
            place: cython.Py_ssize_t = self._places.find(key)
            if place >= 0:
                self._texts[place] = text
            else:
                self._places.put(key, len(self._texts))
                self._texts.append(text)
            return 0

        def items(self):
            """Return an iterator of objects and their texts; what is added meanwhile follows."""
            return zip(self._places, map(self.__getitem__, self._places), strict=False)

        def clear(self):
            """Forget all texts."""
            self._places.truncate(0)
            self._texts.clear()

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _first_place(address: cython.size_t, shift: cython.int) -> cython.size_t:
        """Return the place from which on an address is looked for: near addresses have near ones."""
        address >>= _ALIGNMENT_BITS
        group: cython.ulonglong = address >> _NEAR_BITS
        group = (group * _FACTOR) >> (shift + _NEAR_BITS) << _NEAR_BITS
        return group + (address & ((1 << _NEAR_BITS) - 1))

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _address(key) -> cython.size_t:
        return cython.cast(cython.size_t, cython.cast(cython.p_void, key))

else:

    class ObjectNumbers(dict):
        """The same in the interpreted form; methods are those of dictionaries where they can be, which are fast."""

        has = dict.__contains__
        enter = dict.setdefault
        put = dict.__setitem__
        number_of = dict.__getitem__

        def find(self, key):
            """Return the number of an object, -1 if it has none."""
            return self.get(key, -1)

        def add_all(self, keys, number):
            """Give numbers to objects, from a number on."""
            self.update(zip(keys, count(number), strict=False))

        def reserve(self, _count):
            """Do nothing: a dictionary grows by itself."""

        def truncate(self, count):
            """Forget all but so many objects, those that got a number first."""
            for _ in repeat(None, len(self) - count):
                self.popitem()

    class ObjectTexts(dict):
        """The same in the interpreted form."""

        text_of = dict.__getitem__
        find = dict.get
        has = dict.__contains__
        put = dict.__setitem__

        def put_label(self, key):
            """Let the text of an object that has none be `!` and the number of texts so far."""
            self[key] = f"!{len(self)}"

        def reserve(self, _count):
            """Do nothing: a dictionary grows by itself."""
