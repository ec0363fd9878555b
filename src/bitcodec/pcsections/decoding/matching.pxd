# Attributes and C signatures of `matching.py`.

cimport cython

cimport bitcodec.host.native as native

from bitcodec.pcsections.decoding.locating cimport Locator

cdef unsigned int _KNOWN, _ULEB128, _REST, _NOWHERE, _NO_FUNCTION, _FIRST_FUNCTION, _TOP
cdef Py_ssize_t _RUN, _ENTRY, _FAILED, _ATTEMPTS, _WAYS, _SOME


cdef class Matcher(Locator):
    cdef bint _has_runs
    cdef bint _prefers_runs
    cdef const unsigned int[::1] _group_classes
    cdef const unsigned char[::1] _class_lengths
    cdef const unsigned int[::1] _class_members
    cdef const unsigned int[::1] _members
    cdef const unsigned int[::1] _group_functions
    cdef const unsigned int[::1] _function_members
    cdef const long long[::1] _group_empty
    cdef const unsigned long long[::1] _prefixes
    cdef const unsigned char[::1] _size_lengths
    cdef const unsigned int[::1] _first_steps
    cdef const unsigned char[::1] _operations
    cdef const unsigned long long[::1] _lengths
    cdef const unsigned long long[::1] _conditions
    cdef const unsigned long long[::1] _pool_starts
    cdef const unsigned char[::1] _pool
    cdef const unsigned long long[::1] _sizes
    cdef const unsigned int[::1] _groups
    cdef unsigned char[::1] _reached
    cdef unsigned long long[::1] _from
    cdef unsigned long long[::1] _to
    cdef long long[::1] _kinds
    cdef Py_ssize_t _ways
    cdef Py_ssize_t _attempts
    cdef unsigned long long _number

    @cython.locals(attempts=Py_ssize_t, ways=Py_ssize_t, place=Py_ssize_t, furthest=Py_ssize_t)
    cpdef match(self)
    @cython.locals(way=Py_ssize_t, begin=Py_ssize_t, end=Py_ssize_t)
    cdef int _count_readings(self) except? -1
    @cython.locals(owner="unsigned int", group=Py_ssize_t, row=Py_ssize_t, kind=Py_ssize_t, end=Py_ssize_t)
    cdef int _begin_entry(self, Py_ssize_t place) except? -1
    @cython.locals(owner="unsigned int", group=Py_ssize_t, row=Py_ssize_t, last=Py_ssize_t, first_unknown=Py_ssize_t)
    cdef int _continue_run(self, Py_ssize_t place) except? -1
    cdef int _go_on(self, Py_ssize_t place, unsigned int owner, Py_ssize_t group) except? -1
    @cython.locals(
        length=Py_ssize_t, wanted="unsigned long long", low=Py_ssize_t, high=Py_ssize_t, last=Py_ssize_t,
        middle=Py_ssize_t
    )
    cdef int _close_known(self, Py_ssize_t row, Py_ssize_t place) except? -1
    @cython.locals(row=Py_ssize_t, end=Py_ssize_t)
    cdef int _close(self, Py_ssize_t first, Py_ssize_t last, Py_ssize_t place) except? -1
    cdef int _add(self, Py_ssize_t begin, Py_ssize_t end, Py_ssize_t kind) except? -1
    cdef Py_ssize_t _group(self, unsigned int owner) noexcept
    @cython.locals(end=Py_ssize_t, size="unsigned long long")
    cdef Py_ssize_t _after_size(self, Py_ssize_t kind, Py_ssize_t place, unsigned int owner) noexcept
    @cython.locals(step=Py_ssize_t, index=Py_ssize_t, length=Py_ssize_t, start=Py_ssize_t, first=Py_ssize_t)
    cdef Py_ssize_t _after_constants(self, Py_ssize_t kind, Py_ssize_t place) noexcept
    @cython.locals(value="unsigned long long", shift="unsigned int", byte="unsigned long long")
    cdef Py_ssize_t _after_uleb128(self, Py_ssize_t place, unsigned int bits) noexcept
    @cython.locals(
        most=Py_ssize_t, places="unsigned long long[::1]", targets="unsigned long long[::1]",
        functions="long long[::1]", kinds="long long[::1]", sizes="unsigned long long[::1]",
        aux_starts="unsigned long long[::1]", aux_ends="unsigned long long[::1]", count=Py_ssize_t, state=Py_ssize_t,
        place=Py_ssize_t, end=Py_ssize_t, way=Py_ssize_t, kind="long long"
    )
    cpdef entries(self)
