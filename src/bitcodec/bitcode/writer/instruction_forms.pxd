# Attributes and C signatures of `instruction_forms.py`.

cimport cython

from cpython.long cimport PyLong_AsUnsignedLongLong

from bitcodec.bitstream.rows cimport Rows
cimport bitcodec.host.native as native
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.member_access cimport member_offset, read_attribute
from bitcodec.ir.values cimport Value

cdef int _FROM_ATTRIBUTE, _FROM_CODE_OF, _FROM_TABLE, _FROM_ALL_FLAGS, _FROM_PACKED
cdef int _MORE_OPERANDS
cdef Py_ssize_t _MAX_FIELDS
cdef unsigned long long _MAX_PART


cdef struct Field:
    int source
    int kind
    int when
    Py_ssize_t place
    Py_ssize_t attribute


cdef struct Attribute:
    Py_ssize_t offset
    unsigned long long factor
    bint is_flag


cdef class RecordTypes:
    cpdef type_of(self, Value value)
    cpdef explicit_type(self, Instruction _instruction)


cdef class InstructionForm:
    cdef int condition
    cdef object argument
    cdef Py_ssize_t limit
    cdef Py_ssize_t offset
    cdef unsigned int code
    cdef unsigned int abbreviation
    cdef unsigned int with_flags
    cdef tuple steps
    cdef Py_ssize_t count
    cdef Py_ssize_t attribute_count
    cdef Field[16] fields
    cdef Attribute[16] attributes
    cdef list details
    cdef list names

    cdef int _set_fields(self, kind) except -1
    cdef object _add_attributes(self, kind, int source, what)
    cdef int _add_attribute(self, kind, name, unsigned long long factor=*, bint is_flag=*) except -1
    cdef bint is_other_value(self, instruction) except -1
    cdef object attribute_of(self, instruction, Py_ssize_t place)
    @cython.locals(part="unsigned long long", place=Py_ssize_t, packed="unsigned long long")
    cdef int put_packed(self, Py_ssize_t number, instruction, Rows rows) except -1


cdef bint is_set(value) except -1
