# Attributes and C signatures of `object_numbers.pyx`.

cimport cython

cdef struct Entry:
    size_t address
    long long number


@cython.final
cdef class ObjectNumbers:
    cdef Entry *_entries
    cdef size_t _mask
    cdef int _shift
    cdef list _keys

    cdef long long find(self, key) noexcept
    cdef bint has(self, key) noexcept
    cdef long long number_of(self, key) except? -1
    cdef int put(self, key, long long number) except -1
    cdef long long enter(self, key, long long number) except -1
    cdef size_t _place(self, size_t address) noexcept
    cdef int _resize(self, int bits) except -1


cdef class ObjectTexts:
    cdef ObjectNumbers _places
    cdef list _texts

    cdef text_of(self, key)
    cdef find(self, key)
    cdef bint has(self, key) noexcept
    cdef Py_ssize_t label_of(self, key) noexcept
    cdef int put(self, key, text) except -1
    cdef int put_label(self, key) except -1


cdef size_t _first_place(size_t address, int shift) noexcept
cdef size_t _address(key) noexcept
