# C signatures of `locating.py`, so that `matching.py` calls it without the interpreter between.

cimport cython

cimport bitcodec.host.native as native


cdef unsigned int _UNSEEN, _NOWHERE, _NO_FUNCTION, _FIRST_FUNCTION
cdef unsigned long long _WORD, _LONG


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

    @cython.locals(row=Py_ssize_t, free="unsigned long long", place=Py_ssize_t)
    cpdef set_fields(
        self, const unsigned long long[::1] offsets, const unsigned int[::1] sections,
        const unsigned long long[::1] targets
    )
    cdef unsigned int owner(self, Py_ssize_t place) noexcept
    @cython.locals(value="unsigned long long")
    cdef unsigned long long target(self, Py_ssize_t place) noexcept
    @cython.locals(value="unsigned long long", index=Py_ssize_t)
    cdef unsigned long long load(self, Py_ssize_t place, Py_ssize_t length, bint is_big) noexcept
    @cython.locals(place=Py_ssize_t)
    cdef bint holds_field(self, Py_ssize_t first, Py_ssize_t last) noexcept
    @cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
    cdef unsigned int _owner_of(self, Py_ssize_t place, unsigned int section, unsigned long long target) noexcept
