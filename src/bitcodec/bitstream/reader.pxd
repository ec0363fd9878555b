# Attributes and C signatures of `reader.py`.

cimport cython

from bitcodec.bitstream.cursor cimport RecordCursor
cimport bitcodec.host.native as native

cdef unsigned long long _DEFINE_ABBREV, _ENTER_SUBBLOCK, _UNABBREV_RECORD, _FIRST_ID, _BLOCKINFO, _MAX_WIDTH
cdef unsigned long long _MAX_UINT32
cdef int _LITERAL, _FIXED, _VBR, _ARRAY, _BLOB, _CHAR6
cdef Py_ssize_t _ID, _WIDTH, _PARENT, _START, _ENTRY, _BODY, _END, _WORDS, _FIRST_RECORD, _LAST_RECORD, _LAST_BLOCK
cdef Py_ssize_t _BLOCK_COLUMNS, _DEFINITION_COLUMNS, _SCOPE_COLUMNS, _BYTES_OF_A_BLOCK, _FIRST_BLOCKS
cdef long long[::1] _NO_CELLS


cdef class Reader(RecordCursor):
    # Blocks and definitions: tables of a fixed number of columns, row after row
    cdef long long[::1] _blocks
    cdef Py_ssize_t _block_count
    cdef long long[::1] _definitions
    cdef Py_ssize_t _definition_count
    # Blobs: few
    cdef object blob_record
    cdef object blob_first
    cdef object blob_bytes
    # Records
    cdef unsigned int[::1] record_block
    cdef unsigned int[::1] record_code
    cdef unsigned int[::1] record_abbreviation
    cdef unsigned long long[::1] record_start
    cdef unsigned long long[::1] record_end
    cdef unsigned long long[::1] record_operand
    cdef Py_ssize_t record_count
    # The innermost open block, and the numbers of the abbreviations in force: BLOCKINFO's, then its own
    cdef Py_ssize_t block
    cdef Py_ssize_t depth
    cdef int width
    cdef long long[::1] _shared
    cdef dict _shared_of
    cdef Py_ssize_t _shared_total
    cdef Py_ssize_t _shared_first
    cdef Py_ssize_t _shared_count
    cdef long long[::1] _own
    cdef Py_ssize_t _own_first
    cdef Py_ssize_t _own_count
    cdef long long[::1] _outer
    cdef Py_ssize_t _max_depth
    cdef object _skipped
    cdef object _read_block_info

    @cython.locals(template=Reader)
    cpdef _adopt_like(self, like)
    cpdef inside(self, Py_ssize_t row)
    @cython.locals(count=Py_ssize_t)
    cpdef columns(self, block_infos, end, error)
    @cython.locals(start=Py_ssize_t, abbreviation="unsigned long long")
    cpdef run(self, Py_ssize_t record_limit)
    @cython.locals(
        block_id="unsigned long long", entry=Py_ssize_t, width="unsigned long long", words="unsigned long long",
        row=Py_ssize_t, cell=Py_ssize_t
    )
    cpdef enter(self, Py_ssize_t start)
    @cython.locals(count=Py_ssize_t, needed=Py_ssize_t)
    cpdef adopt(self, abbreviations, like=*)
    cdef _pass_over(self, Py_ssize_t cell, Py_ssize_t words)
    @cython.locals(cell=Py_ssize_t)
    cdef _open(self, Py_ssize_t row, unsigned int block_id, int width)
    @cython.locals(row=Py_ssize_t, cell=Py_ssize_t, own_first=Py_ssize_t)
    cdef _leave(self, Py_ssize_t start)
    @cython.locals(
        count="unsigned long long", remaining="unsigned long long", number=Py_ssize_t, cell=Py_ssize_t, last=Py_ssize_t
    )
    cdef _define(self, Py_ssize_t start)
    @cython.locals(encoding=int, value="unsigned long long")
    cdef int _define_operand(self, Py_ssize_t start) except? -1
    @cython.locals(index="unsigned long long", shared="unsigned long long", own="unsigned long long", number=Py_ssize_t)
    cdef int _read_by(self, Py_ssize_t start, unsigned long long abbreviation) except? -1
    cdef _check_abbreviation(self, Py_ssize_t start, Py_ssize_t number)
    @cython.locals(first=Py_ssize_t, has_bits=bint)
    cdef bint _is_usual(self, Py_ssize_t row, Py_ssize_t last) except -1
    @cython.locals(row=Py_ssize_t)
    cdef int _append_record(self, Py_ssize_t start, unsigned long long abbreviation) except? -1
    cpdef _more_records(self, Py_ssize_t used)
