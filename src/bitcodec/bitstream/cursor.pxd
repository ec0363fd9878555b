# C signatures of `cursor.py`, so that `reader.py` calls it without the interpreter between.

cimport cython

cimport bitcodec.bitstream.words as words
cimport bitcodec.host.native as native

cdef int _FIXED, _VBR, _ARRAY, _CHAR6, _BLOB
cdef unsigned long long _MAX_BLOB
cdef Py_ssize_t _SMALL
cdef const unsigned char[::1] _ALPHABET


cdef class Cursor:
    cdef const unsigned char[::1] _data
    cdef const unsigned char *_start
    cdef readonly Py_ssize_t bit_offset
    cdef readonly Py_ssize_t size_in_bits
    cdef Py_ssize_t _overlong

    @cython.locals(start=Py_ssize_t, low_width=int, low="unsigned long long", high="unsigned long long")
    cpdef read_fixed(self, int width)
    cpdef read_vbr(self, int width)
    @cython.locals(values=list, start=Py_ssize_t, value="unsigned long long")
    cpdef read_vbrs(self, int width, Py_ssize_t count)
    cpdef skip_to(self, Py_ssize_t bit_offset)
    @cython.locals(place=Py_ssize_t)
    cdef int check(self, Py_ssize_t start) except -1
    @cython.locals(one="unsigned long long", word="unsigned long long")
    cdef unsigned long long fixed(self, int width) noexcept
    @cython.locals(
        one="unsigned long long", more="unsigned long long", word="unsigned long long", start=Py_ssize_t,
        value="unsigned long long", shift=int
    )
    cdef unsigned long long vbr(self, int width) noexcept


cdef class RecordCursor(Cursor):
    cdef unsigned char[::1] _encodings
    cdef unsigned long long[::1] _values
    cdef Py_ssize_t abbreviation_operands
    cdef long long[::1] abbreviation_first
    cdef unsigned char[::1] abbreviation_sound
    cdef Py_ssize_t abbreviation_count
    cdef unsigned long long[::1] _operands
    cdef Py_ssize_t operand_count
    cdef unsigned long long code
    cdef Py_ssize_t blob_start
    cdef Py_ssize_t blob_size

    @cython.locals(known=RecordCursor)
    cpdef _share(self, like)
    @cython.locals(row=Py_ssize_t)
    cdef int append_operand(self, int encoding, unsigned long long value) except -1
    @cython.locals(number=Py_ssize_t)
    cdef Py_ssize_t end_abbreviation(self) except -1
    @cython.locals(
        bit=Py_ssize_t, row=Py_ssize_t, encoding=int, width=int, shift=int, word="unsigned long long",
        value="unsigned long long", one="unsigned long long", more="unsigned long long", known=int, count=Py_ssize_t
    )
    cdef int read_record(self, Py_ssize_t first, Py_ssize_t last) except -1
    @cython.locals(
        bit=Py_ssize_t, remaining="unsigned long long", index=Py_ssize_t, last=Py_ssize_t, one="unsigned long long",
        more="unsigned long long", word="unsigned long long", value="unsigned long long", known=int, shift=int
    )
    cdef int _read_elements(self, int encoding, int width, unsigned long long count) except -1
    @cython.locals(start=Py_ssize_t)
    cdef int _read_blob(self, unsigned long long size) except -1
    @cython.locals(needed=Py_ssize_t)
    cdef int _reserve(self, Py_ssize_t count) except -1
