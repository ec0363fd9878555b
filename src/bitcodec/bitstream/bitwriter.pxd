# Attributes and C signatures of `bitwriter.py`.

cimport cython

cimport bitcodec.bitstream.words as words
from bitcodec.bitstream.cursor cimport Cursor
from bitcodec.bitstream.rows cimport Rows
cimport bitcodec.host.native as native

cdef int _LITERAL, _FIXED, _VBR, _ARRAY, _CHAR6, _BLOB, _NOT_CHAR6
cdef unsigned long long _END_BLOCK, _ENTER_SUBBLOCK, _UNABBREV_RECORD, _FIRST_ID, _MAX_UINT32
cdef const unsigned char[::1] _CHAR6_CODES


cdef class BitWriter:
    cdef unsigned char[::1] _bytes
    cdef Py_ssize_t _size
    cdef unsigned long long _pending
    cdef int _pending_bits
    # What records are written from: operands, and abbreviations as slices of two tables
    cdef const unsigned long long *_operands
    cdef const unsigned char[::1] _encodings
    cdef const unsigned long long[::1] _values

    cpdef write_fixed(self, unsigned long long value, int width)
    cpdef write_vbr(self, unsigned long long value, int width)
    @cython.locals(index=Py_ssize_t, size=Py_ssize_t, whole=Py_ssize_t)
    cpdef write_bytes(self, const unsigned char[::1] data)
    @cython.locals(cursor=Cursor)
    cpdef copy_bits(self, data, Py_ssize_t start, Py_ssize_t end)
    @cython.locals(size=Py_ssize_t, bits=int, word="unsigned long long", one="unsigned long long")
    cpdef rewind(self, Py_ssize_t bit_offset)
    @cython.locals(index=Py_ssize_t)
    cpdef patch_word(self, Py_ssize_t bit_offset, unsigned int word)
    @cython.locals(start=Py_ssize_t)
    cpdef word_at(self, Py_ssize_t bit_offset)
    cpdef enter_block(self, unsigned long long block_id, int outer_width, int width)
    @cython.locals(words="unsigned long long")
    cpdef end_block(self, int width, Py_ssize_t body)
    cpdef write_record(
        self, unsigned long long code, const unsigned long long[::1] operands, const unsigned char[::1] encodings,
        const unsigned long long[::1] values, blob
    )
    @cython.locals(row=Py_ssize_t, number=Py_ssize_t, first=Py_ssize_t, last=Py_ssize_t)
    cpdef write_rows(
        self, Rows rows, int width, const unsigned char[::1] encodings, const unsigned long long[::1] values,
        const unsigned long long[::1] bounds, unsigned long long[::1] starts=*
    )
    cdef int _read_operands(self, const unsigned long long[::1] operands) except? -1
    cpdef write_abbreviation(self, const unsigned char[::1] encodings, const unsigned long long[::1] values)
    @cython.locals(row=Py_ssize_t)
    cdef int _put_abbreviation(self, Py_ssize_t first, Py_ssize_t last) except? -1
    @cython.locals(index=Py_ssize_t)
    cdef int _put_unabbreviated(self, unsigned long long code, Py_ssize_t first, Py_ssize_t last) except? -1
    @cython.locals(row=Py_ssize_t)
    cdef int _put_abbreviated(
        self, unsigned long long code, Py_ssize_t first, Py_ssize_t last, Py_ssize_t first_row, Py_ssize_t last_row,
        blob
    ) except? -1
    cdef int _put_scalar(self, int encoding, unsigned long long width, unsigned long long value) except? -1
    @cython.locals(one="unsigned long long", more="unsigned long long")
    cdef int _put_vbr(self, unsigned long long value, int width) except? -1
    cdef int _put(self, unsigned long long value, int width) except? -1
    cdef int _room_for(self, Py_ssize_t size) except? -1


cdef class ColumnWriter(BitWriter):
    cdef const unsigned int[::1] _code
    cdef const unsigned long long[::1] _column
    cdef const unsigned int[::1] _abbreviation
    cdef const unsigned long long[::1] _first_operand
    cdef const long long[::1] _rows
    cdef object _blobs
    cdef object _data

    @cython.locals(row=Py_ssize_t, number=Py_ssize_t, index=Py_ssize_t, shared_count=Py_ssize_t)
    cpdef write_records(
        self, Py_ssize_t first, Py_ssize_t last, int width, const long long[::1] shared, const long long[::1] own
    )
    cpdef write_definition(self, Py_ssize_t number)
    cpdef _blob(self, Py_ssize_t row)
