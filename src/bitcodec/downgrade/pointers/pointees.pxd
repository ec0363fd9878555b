# Attributes and C signatures of `pointees.py`.

cimport cython

from bitcodec.bitcode.writer.instruction_forms cimport RecordTypes
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers


@cython.final
cdef class Integers:
    cdef int *numbers
    cdef Py_ssize_t size
    cdef Py_ssize_t room

    cdef Py_ssize_t add(self, Py_ssize_t number) except -1
    cdef int _grow(self, Py_ssize_t room) except -1
    cdef int shorten(self, Py_ssize_t size) except -1


cdef class Pointees:
    cdef readonly Py_ssize_t bytes
    cdef Integers _parents
    cdef list _shapes
    cdef Integers _contents
    cdef object _byte

    cpdef Py_ssize_t new(self, shape=*, Py_ssize_t content=*) except -1
    cpdef Py_ssize_t alias(self, Py_ssize_t node) except -1
    cpdef Py_ssize_t find(self, Py_ssize_t node) noexcept
    cpdef shape(self, Py_ssize_t node)
    cpdef Py_ssize_t content(self, Py_ssize_t node) except -2
    cpdef Py_ssize_t use(self, Py_ssize_t node, shape) except -2
    cpdef bint agree(self, Py_ssize_t one, Py_ssize_t other) except -1
    cdef int _merge(self, Py_ssize_t one, Py_ssize_t other) except -1
    cpdef settle(self)


cpdef bint is_pointers(type_) except -1


cdef class PointerTypes(RecordTypes):
    cdef readonly ObjectNumbers nodes
    cdef dict _of_functions
    cdef ObjectNumbers _local_nodes
    cdef Pointees _pointees
    cdef object _types
    cdef object _plain
    cdef object _others
    cdef list _found
    cdef dict _set
    cdef ObjectNumbers _places
    cdef list _typed
    cdef object _last_type
    cdef object _last_typed
    cdef ObjectNumbers _places_of_pointees
    cdef list _pointers
    cdef ObjectNumbers _callees
    cdef list _signatures
    cdef ObjectNumbers _places_of_others
    cdef list _types_of_others

    cpdef typed(self, type_)
    cpdef pointer_to(self, type_, pointee)
    cpdef pointee(self, Py_ssize_t node)
    cpdef known_pointee(self, value)
    cpdef type_of(self, Value value)
    cpdef explicit_type(self, Instruction _instruction)
    cpdef call_type(self, CallBase call)
    cpdef tuple signature(self, callee)
