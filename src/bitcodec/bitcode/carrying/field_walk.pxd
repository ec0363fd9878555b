# Attributes and C signatures of `field_walk.py`.

cimport cython

from bitcodec.bitcode.carrying.marks cimport Marks
from bitcodec.bitstream.rows cimport Rows

cdef long long _MASK, _ENTRY_CELLS, _STEP_CELLS
cdef long long _SLOT, _OF, _CONDITION, _CONDITION_SLOT, _AMOUNT
cdef long long _MUST_END, _IF_BIT, _IF_REMAINING, _IF_MORE
cdef long long _BOXED_NUMBER, _NUMBER, _FLAG, _ALIGNMENT, _ORDERING, _SCOPE, _ATTRIBUTES, _TYPE, _BLOCK
cdef long long _VALUE, _TYPED_VALUE, _ABSOLUTE, _VALUES, _COUNTED_VALUES, _BLOCKS, _COUNTED_BLOCKS, _NUMBERS
cdef long long _ABSOLUTES, _TYPED_ABSOLUTES, _RANGE, _INCOMING, _CASES, _CLAUSES, _BUNDLE, _INPUTS, _METADATA_INPUT
cdef Py_ssize_t _RETURNS, _IS_VARIADIC, _FIRST_PARAMETER
cdef long long _IS_BLOCK, _IS_METADATA


cdef class FieldWalk:
    cdef Marks _values
    cdef Marks _types
    cdef Marks _attributes
    cdef Marks _scopes
    cdef Marks _tags
    cdef Marks _metadata
    cdef Marks _own_metadata
    cdef Marks _kinds
    cdef object _signature_of
    cdef dict _signatures
    cdef long long _metadata_type
    cdef long long _aliasing_kind
    cdef const long long[::1] _instruction_entries
    cdef const long long[::1] _instruction_cells
    cdef const long long[::1] _constant_entries
    cdef const long long[::1] _constant_cells
    cdef const long long[::1] _entries
    cdef const long long[::1] _cells
    cdef const long long[::1] _forms
    cdef const long long[::1] _function_abbreviations
    cdef const long long[::1] _constant_abbreviations
    cdef unsigned long long[::1] _numbers
    cdef const unsigned long long[::1] _operands
    cdef const unsigned long long[::1] _bounds
    cdef const unsigned int[::1] _codes
    cdef readonly list found
    cdef readonly list named
    cdef readonly list aliasing
    cdef readonly list own_attachments
    cdef readonly bint has_locations
    cdef list _operands_found
    cdef list _others_found
    cdef list _lists_found
    cdef list _bundled
    cdef unsigned char[::1] _constants_seen
    cdef Rows _rows
    cdef bint _is_survey
    cdef bint _is_plain
    cdef long long _body
    cdef long long _first_own
    cdef long long _first_constant
    cdef long long _first_result
    cdef readonly long long next_value
    cdef long long _shift
    cdef Py_ssize_t _before_last
    cdef Py_ssize_t _behind_first
    cdef Py_ssize_t _at
    cdef Py_ssize_t _end
    cdef Py_ssize_t _written
    cdef long long _last_value
    cdef unsigned long long _block_count

    @cython.locals(count="long long")
    cpdef long long metadata_id(self, unsigned long long number) except -1
    cdef int _begin_record(self, Py_ssize_t row) except -1
    @cython.locals(entry=Py_ssize_t, cell=Py_ssize_t, last=Py_ssize_t)
    cdef int _walk_fields(self, long long code) except -1
    @cython.locals(condition="long long")
    cdef bint _is_present(self, Py_ssize_t cell) except -1
    @cython.locals(at=Py_ssize_t)
    cdef unsigned long long _take(self) except? 0x123456789ABCDEF
    cdef int _put(self, unsigned long long number) except -1
    cdef int _copy_rest(self) except -1
    @cython.locals(kind="long long", number="unsigned long long")
    cdef int _walk_field(self, Py_ssize_t cell) except -1
    cdef int _walk_list(self, long long kind, Py_ssize_t cell) except -1
    @cython.locals(count="unsigned long long", done="unsigned long long")
    cdef int _walk_counted(self, long long kind) except -1
    @cython.locals(
        width="unsigned long long", counts="unsigned long long", count="unsigned long long", done="unsigned long long"
    )
    cdef int _walk_range(self) except -1
    @cython.locals(number="unsigned long long", back="unsigned long long")
    cdef int _walk_incoming(self) except -1
    cdef int _walk_inputs(self) except -1
    @cython.locals(
        signature=bytes, place=Py_ssize_t, number="unsigned long long", kind="unsigned char", found="long long"
    )
    cdef int _walk_arguments(self, Py_ssize_t cell) except -1
    cdef bytes _signature(self, unsigned long long type_id)
    @cython.locals(number="unsigned long long", type_id="unsigned long long")
    cdef int _value(self) except -1
    @cython.locals(number="long long")
    cdef unsigned long long _distance(self, unsigned long long distance) except? 0x123456789ABCDEF
    cdef unsigned long long _absolute(self, unsigned long long number) except? 0x123456789ABCDEF
    cdef int _note(self, long long number) except -1
    @cython.locals(index="long long")
    cdef void _note_own(self, long long number) noexcept
    cdef unsigned long long _block(self, unsigned long long number) except? 0x123456789ABCDEF
    cdef unsigned long long _type(self, unsigned long long number) except? 0x123456789ABCDEF
    cdef unsigned long long _attribute_list(self, unsigned long long number) except? 0x123456789ABCDEF
    cdef unsigned long long _scope(self, unsigned long long number) except? 0x123456789ABCDEF
    cdef unsigned long long _tag(self, unsigned long long number) except? 0x123456789ABCDEF
