# C signatures of `record_walk.py`.

cimport cython

from bitcodec.bitcode.carrying.field_walk cimport FieldWalk
from bitcodec.bitcode.carrying.marks cimport Marks
from bitcodec.bitstream.rows cimport Rows

cdef long long _CODE_COUNT, _ENTRY_CELLS, _FORM_CELLS, _LENGTHS, _UNABBREVIATED, _NO_RESULT, _ONE_RESULT
cdef long long _FIRST_IS_LAST, _LAST_IS_FIRST, _SET_TYPE, _BUNDLE, _SWITCH, _MAGIC
cdef long long _DECLARE_BLOCKS, _LOCATION, _SAME_LOCATION, _FIRST_RECORD, _LAST_RECORD, _VALUE_SIMPLE
cdef long long _FIRST_SCOPE, _LAST_SCOPE, _SIMPLE_IDS, _ALL, _BLOCK_ORDER
cdef Py_ssize_t _FUNCTION_TYPE, _RETURNS


cdef class RecordWalk(FieldWalk):
    cdef _begin(self, long long first_constant, long long constant_count, Marks own_metadata)
    @cython.locals(row=Py_ssize_t, code="long long")
    cpdef walk_body(self, columns, Py_ssize_t first, Py_ssize_t last, rows=*)
    @cython.locals(row=Py_ssize_t)
    cpdef walk_constants(self, columns, Py_ssize_t first, Py_ssize_t last, rows=*)
    @cython.locals(row=Py_ssize_t)
    cpdef walk_attachments(self, columns, Py_ssize_t first, Py_ssize_t last, rows=*)
    @cython.locals(row=Py_ssize_t, code="long long", number="long long")
    cpdef walk_orders(self, columns, Py_ssize_t first, Py_ssize_t last, Rows rows)
    @cython.locals(kind="unsigned long long", number="unsigned long long")
    cdef int _walk_attachment(self) except -1
    cdef _use(self, columns, rows)
    cdef int _walk_instruction(self, Py_ssize_t row, long long code) except -1
    @cython.locals(result="long long")
    cdef int _count_result(self, long long code) except -1
    cdef int _walk_constant(self, Py_ssize_t row, long long code) except -1
    @cython.locals(index="long long", number="unsigned long long")
    cdef int _walk_metadata(
        self, Py_ssize_t row, long long code, long long first, long long last, unsigned long long base
    ) except -1
    cdef int _walk_count(self, Py_ssize_t row, long long code) except -1
    cpdef check_end(self)
    @cython.locals(row=Py_ssize_t, number="unsigned long long")
    cpdef check_ids(self, columns, Py_ssize_t first, Py_ssize_t last, long long code_of_blocks, bint is_last)
    cdef int _walk_simple_value(self, Py_ssize_t row, long long code) except -1
    cpdef note_type(self, unsigned long long number)
    @cython.locals(count="long long", length="long long", is_fit=bint)
    cdef int _end_record(self, long long code, const long long[::1] abbreviations) except -1
    @cython.locals(operands=list, order="long long", split=Py_ssize_t)
    cdef int _keep_found(self, long long code) except -1
    cdef int _walk_tag(self) except -1
