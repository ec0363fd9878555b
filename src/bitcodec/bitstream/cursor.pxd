# C signatures of `cursor.py`, so that `reader.py` calls it without the interpreter between.

cdef class Cursor:
    cdef const unsigned char[::1] _data
    cdef readonly Py_ssize_t bit_offset
    cdef readonly Py_ssize_t size_in_bits
    cdef Py_ssize_t _overlong

    cdef unsigned long long fixed(self, int width) noexcept
    cdef unsigned long long vbr(self, int width) noexcept
    cdef int check(self, Py_ssize_t start) except -1


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

    cdef int append_operand(self, int encoding, unsigned long long value) except -1
    cdef Py_ssize_t end_abbreviation(self) except -1
    cdef int read_record(self, Py_ssize_t first, Py_ssize_t last) except -1
    cdef int _read_elements(self, int encoding, int width, unsigned long long count) except -1
    cdef int _read_blob(self, unsigned long long size) except -1
    cdef int _reserve(self, Py_ssize_t count) except -1
