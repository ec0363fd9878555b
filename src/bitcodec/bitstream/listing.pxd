# Attributes and C signatures of `listing.py`.

cimport cython

cimport bitcodec.bitstream.words as words
cimport bitcodec.host.native as native

cdef unsigned int _UNABBREV_RECORD, _FIRST_ID
cdef int _DIGITS
cdef unsigned long long _FIRST_PRINTABLE, _LAST_PRINTABLE


cdef class GrowingText:
    cdef unsigned char[::1] _text
    cdef Py_ssize_t _size
    cdef list _parts
    cdef const unsigned int[::1] _code
    cdef const unsigned int[::1] _abbreviation
    cdef const unsigned long long[::1] _first_operand
    cdef const unsigned long long[::1] _operands
    cdef const unsigned long long[::1] _blob_record
    cdef const long long[::1] _array_starts
    cdef Py_ssize_t _blob

    cpdef write(self, bytes text)
    @cython.locals(
        row=Py_ssize_t, abbreviation="unsigned int", start="long long", index=Py_ssize_t, shared_count=Py_ssize_t
    )
    cpdef write_records(
        self, Py_ssize_t first, Py_ssize_t last, bytes indent, names, const long long[::1] shared,
        const long long[::1] own, remarks, describe_blob
    )
    @cython.locals(first=Py_ssize_t, index=Py_ssize_t)
    cdef int _put_operands(self, Py_ssize_t row) except? -1
    @cython.locals(index=Py_ssize_t, character="unsigned long long")
    cdef int _put_string(self, Py_ssize_t first, Py_ssize_t last) except? -1
    @cython.locals(size=Py_ssize_t)
    cdef int _put(self, bytes text) except? -1
    @cython.locals(value="unsigned long long", digits=Py_ssize_t, power="unsigned long long", index=Py_ssize_t)
    cdef int _put_decimal(self, unsigned long long bits) except? -1
    cdef int _room_for(self, Py_ssize_t size) except? -1
