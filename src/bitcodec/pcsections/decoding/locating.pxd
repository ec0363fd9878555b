# C signatures of `locating.py`, so that `matching.py` calls it without the interpreter between.

cdef class Locator:
    cdef const unsigned char[::1] _data
    cdef unsigned long long _address
    cdef Py_ssize_t _size
    cdef Py_ssize_t _width
    cdef bint _is_big
    cdef unsigned long long _mask
    cdef const unsigned int[::1] _sections
    cdef const unsigned long long[::1] _starts
    cdef const unsigned long long[::1] _ends
    cdef const unsigned int[::1] _functions
    cdef const unsigned long long[::1] _entries
    cdef const unsigned long long[::1] _range_starts
    cdef const unsigned long long[::1] _range_ends
    cdef bint _is_code_known
    cdef bint _has_fields
    cdef unsigned int[::1] _owners
    cdef unsigned char[::1] _at_start

    cdef unsigned int owner(self, Py_ssize_t place) noexcept
    cdef unsigned long long target(self, Py_ssize_t place) noexcept
    cdef unsigned long long load(self, Py_ssize_t place, Py_ssize_t length, bint is_big) noexcept
    cdef bint holds_field(self, Py_ssize_t first, Py_ssize_t last) noexcept
    cdef unsigned int _owner_of(self, Py_ssize_t place, unsigned int section, unsigned long long target) noexcept
