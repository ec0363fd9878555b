cimport cython

cimport bitcodec.host.native as native
from bitcodec.ir.values cimport Value

cdef Py_ssize_t _CODE_COUNT, _ENTRY_CELLS, _STEP_CELLS
cdef Py_ssize_t _SLOT, _OF, _RULE, _CONDITION, _CONDITION_SLOT, _AMOUNT, _DEFAULT
cdef long long _MUST_END, _IF_BIT, _IF_REMAINING, _IF_ODD, _IF_MORE
cdef long long _BOXED_NUMBER, _NUMBER, _FLAG, _ALIGNMENT, _ORDERING, _SCOPE, _ATTRIBUTES, _RANGE, _TYPE, _BLOCK
cdef long long _VALUE, _TYPED_VALUE, _ABSOLUTE, _VALUES, _COUNTED_VALUES, _BLOCKS, _COUNTED_BLOCKS, _NUMBERS
cdef long long _ABSOLUTES, _TYPED_ABSOLUTES, _INCOMING, _CASES, _CLAUSES, _ARGUMENTS, _INPUTS
cdef long long _SAME, _GIVEN, _ELEMENT, _POINTEE, _BOOLEAN
cdef unsigned long long _ALIGNMENT_COUNT, _ORDERING_COUNT
cdef long long _NO_TYPE_ID
cdef tuple _ALIGNMENTS, _ORDERINGS


cdef class FieldReader:
    cdef readonly object programs
    cdef readonly object state
    cdef readonly list objects
    cdef readonly list type_ids
    cdef bint is_direct
    cdef bint _keeps_type_ids
    cdef bint _is_relative
    cdef Py_ssize_t _callee_slot
    cdef unsigned long long[::1] numbers
    cdef const long long[::1] _entries
    cdef const long long[::1] _cells
    cdef list values
    cdef list value_type_ids
    cdef list types
    cdef object _type_parts
    cdef object _part_ends
    cdef list blocks
    cdef object boolean
    cdef dict attribute_lists
    cdef const unsigned long long[::1] operands
    cdef const unsigned long long[::1] bounds
    cdef object _column
    cdef readonly Py_ssize_t at
    cdef readonly Py_ssize_t end
    cdef Py_ssize_t _extra

    cpdef use(self, columns)
    cpdef bint has_program(self, unsigned long long code)
    cpdef take(self)
    cpdef list take_rest(self)
    @cython.locals(
        entry=Py_ssize_t, cell="long long", last="long long", flags="long long", first=Py_ssize_t
    )
    cdef int read_fields(self, Py_ssize_t code) except -1
    @cython.locals(at=Py_ssize_t)
    cdef unsigned long long _take(self) except? 0x123456789ABCDEF
    @cython.locals(condition="long long")
    cdef bint _is_present(self, Py_ssize_t cell) noexcept
    @cython.locals(slot=Py_ssize_t, default="long long")
    cdef _set_default(self, Py_ssize_t cell)
    cdef _set_pointee(self, Py_ssize_t slot, long long type_id)
    cdef long long _pointee_id(self, long long type_id) except? -2
    @cython.locals(at="long long")
    cdef long long _part(self, long long type_id, long long index) except? -2
    cdef unsigned long long _index_of(self, unsigned long long number) noexcept
    @cython.locals(kind="long long", slot=Py_ssize_t, number="unsigned long long")
    cdef _read_field(self, Py_ssize_t cell)
    @cython.locals(number="unsigned long long", index="unsigned long long", at=Py_ssize_t)
    cdef _read_value(self, Py_ssize_t slot)
    @cython.locals(number="unsigned long long", index="unsigned long long", found=Value)
    cdef _read_typed(self, Py_ssize_t slot, type_)
    @cython.locals(number="unsigned long long", of=Py_ssize_t, found=Value)
    cdef _read_absolute(self, Py_ssize_t slot, Py_ssize_t cell)
    cdef _value_at(self, Py_ssize_t index)
    @cython.locals(number="unsigned long long")
    cdef _read_type(self, Py_ssize_t slot)
    cdef _block_at(self, unsigned long long number)
    @cython.locals(rule="long long", of=Py_ssize_t, other=Value, type_id="long long")
    cdef _type_of(self, Py_ssize_t cell, Py_ssize_t slot)
    cdef _rest_of(self, Py_ssize_t cell, long long kind, Py_ssize_t slot)
    @cython.locals(number="unsigned long long")
    cdef _rarely(self, long long kind)
    cdef _pairs(self)
    @cython.locals(index="unsigned long long", known=Py_ssize_t, found=list)
    cdef _values(self, Py_ssize_t slot)
    @cython.locals(
        index="unsigned long long", known=Py_ssize_t, first=Py_ssize_t, count=Py_ssize_t, place=Py_ssize_t,
        found=list, parameters=tuple, value=Value
    )
    cdef _arguments(self, Py_ssize_t of)
    @cython.locals(
        number="unsigned long long", back="unsigned long long", known=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t,
        flags="unsigned long long", at=Py_ssize_t, values=list, value=Value
    )
    cdef _incoming(self, type_)
    @cython.locals(found=list)
    cdef _cases(self, type_)
