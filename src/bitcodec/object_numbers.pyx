# cython: language_level=3, boundscheck=False, wraparound=False, auto_pickle=False, nonecheck=True
# compiled: for speed
"""Numbers and texts of objects, found by identity: hash tables of addresses and C integers.

They take a fraction of the time of the dictionaries of the interpreted form.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free

cdef int _FIRST_BITS = 6
cdef int _WORD_BITS = 64
# Spreads addresses: 2**64 divided by the golden ratio.
cdef unsigned long long _FACTOR = 0x9E37_79B9_7F4A_7C15
cdef int _ALIGNMENT_BITS = 4
cdef unsigned long long _LARGE = 1 << 12
# A large table that has so many places for each key becomes smaller.
cdef unsigned long long _MANY = 16
# Objects in 128 bytes of memory are near each other in the table: they are often used one after another.
cdef int _NEAR_BITS = 3


cdef class ObjectNumbers:
    """Numbers from 0 of objects, which it keeps alive: a dictionary whose keys are equal if they are identical.

    `del` takes the number from a key, which keeps its place among the others.
    """

    def __cinit__(self):
        self._keys = []
        self._resize(_FIRST_BITS)

    def __dealloc__(self):
        PyMem_Free(self._entries)

    def __len__(self):
        return len(self._keys)

    def __iter__(self):
        return iter(self._keys)

    def __contains__(self, key):
        return self.find(key) >= 0

    def __getitem__(self, key):
        return self.number_of(key)

    def __setitem__(self, key, long long number):
        self.put(key, number)

    def __delitem__(self, key):
        self.number_of(key)
        self.put(key, -1)

    def get(self, key, default=None):
        """Return the number of an object, the default if it has none."""
        cdef long long number = self.find(key)
        return default if number < 0 else number

    def add_all(self, keys, long long number):
        """Give numbers to objects, from a number on."""
        if isinstance(keys, (list, tuple)):
            self.reserve(len(keys))
        for key in keys:
            self.put(key, number)
            number += 1

    def reserve(self, Py_ssize_t count):
        """Allocate memory for so many further objects."""
        cdef int bits = _WORD_BITS - self._shift
        cdef int wanted = bits
        while <size_t>(2 * (len(self._keys) + count)) >> wanted:
            wanted += 1
        if wanted > bits:
            self._resize(wanted)

    def truncate(self, Py_ssize_t count):
        """Forget all but so many objects, those that got a number first."""
        cdef int bits = _FIRST_BITS
        # From last to first: a free place ends each search, and no key that stays was put behind these.
        while len(self._keys) > count:
            key = self._keys.pop()
            self._entries[self._place(_address(key))].address = 0
        # A table that was large for a while takes more memory than the processor keeps at hand.
        if self._mask > _LARGE and self._mask > _MANY * <size_t>count:
            while 2 * <size_t>count >> bits:
                bits += 1
            self._resize(bits)

    cdef long long find(self, key) noexcept:
        """Return the number of an object, -1 if it has none."""
        cdef size_t place = self._place(_address(key))
        return self._entries[place].number if self._entries[place].address else -1

    cdef bint has(self, key) noexcept:
        """Return whether an object has a number."""
        return self.find(key) >= 0

    cdef long long number_of(self, key) except? -1:
        """Return the number of an object; raise KeyError if it has none."""
        cdef long long number = self.find(key)
        if number < 0:
            raise KeyError(key)
        return number

    cdef int put(self, key, long long number) except -1:
        """Give a number to an object, another one if it has one."""
        cdef size_t place = self._place(_address(key))
        if not self._entries[place].address:
            if 2 * <size_t>len(self._keys) > self._mask:
                self._resize(_WORD_BITS - self._shift + 1)
                place = self._place(_address(key))
            self._keys.append(key)
            self._entries[place].address = _address(key)
        self._entries[place].number = number
        return 0

    cdef long long enter(self, key, long long number) except -1:
        """Return the number of an object; give it one if it has none."""
        cdef Entry *entry = &self._entries[self._place(_address(key))]
        if entry.address and entry.number >= 0:
            return entry.number
        if entry.address or 2 * <size_t>len(self._keys) > self._mask:
            self.put(key, number)
            return number
        self._keys.append(key)
        entry.address, entry.number = _address(key), number
        return number

    cdef size_t _place(self, size_t address) noexcept:
        """Return the place of an address, or the free one where it would be put."""
        cdef Entry *entries = self._entries
        cdef size_t mask = self._mask
        cdef size_t place = _first_place(address, self._shift)
        while entries[place].address and entries[place].address != address:
            place = (place + 1) & mask
        return place

    cdef int _resize(self, int bits) except -1:
        """Make room for 2 to the power of `bits` entries, and put all there again in the order of keys."""
        cdef Entry *old = self._entries
        cdef size_t old_mask = self._mask
        cdef int old_shift = self._shift
        cdef size_t room = <size_t>1 << bits
        cdef Entry *entries = <Entry *>PyMem_Calloc(room, sizeof(Entry))
        cdef size_t address, place
        if not entries:
            raise MemoryError
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


cdef class ObjectTexts:
    """Texts of objects, found by identity: a dictionary like `ObjectNumbers`, from which nothing is removed.

    As with dictionaries, `__missing__` of a subclass makes texts that are not there.
    """

    def __cinit__(self):
        self._places = ObjectNumbers()
        self._texts = []

    def __len__(self):
        return len(self._texts)

    def __iter__(self):
        return iter(self._places)

    def __contains__(self, key):
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

    def reserve(self, Py_ssize_t count):
        """Allocate memory for so many further objects."""
        self._places.reserve(count)

    cdef text_of(self, key):
        """Return the text of an object; make it if there is none."""
        text = self.find(key)
        return self.__missing__(key) if text is None else text

    cdef find(self, key):
        """Return the text of an object, None if there is none."""
        cdef Py_ssize_t place = self._places.find(key)
        if place < 0:
            return None
        text = self._texts[place]
        return f"!{place}" if text is None else text

    cdef bint has(self, key) noexcept:
        """Return whether an object has a text."""
        return self._places.find(key) >= 0

    cdef Py_ssize_t label_of(self, key) noexcept:
        """Return the number in the text of an object that `put_label` set, else -1."""
        cdef Py_ssize_t place = self._places.find(key)
        return place if place >= 0 and self._texts[place] is None else -1

    cdef int put_label(self, key) except -1:
        """Let the text of an object that has none be `!` and the number of texts so far."""
        # The text follows from the place: it is made when it is requested.
        self._places.put(key, len(self._texts))
        self._texts.append(None)
        return 0

    cdef int put(self, key, text) except -1:
        """Set the text of an object."""
        cdef Py_ssize_t place = self._places.find(key)
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


cdef inline size_t _first_place(size_t address, int shift) noexcept:
    """Return the place from which on an address is looked for: near addresses have near ones."""
    cdef unsigned long long group
    address >>= _ALIGNMENT_BITS
    group = address >> _NEAR_BITS
    group = (group * _FACTOR) >> (shift + _NEAR_BITS) << _NEAR_BITS
    return group + (address & ((1 << _NEAR_BITS) - 1))


cdef inline size_t _address(key) noexcept:
    return <size_t><void *>key
