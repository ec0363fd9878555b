# Attributes and C signatures of `agreement.py`.

cimport cython

from bitcodec.downgrade.pointers.pointees cimport Integers, Pointees, PointerTypes
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport GetElementPtr


@cython.final
cdef class Agreement:
    cdef PointerTypes _types
    cdef Pointees _pointees
    cdef Integers _order
    cdef dict _starts
    cdef Py_ssize_t _place
    cdef bint _is_settled

    cdef bint holds(self, Instruction instruction) except -1
    cdef Py_ssize_t _next(self) noexcept
    cdef bint _points_to(self, Py_ssize_t node, shape) except -1
    cdef bint _contains(self, Py_ssize_t pointer, Py_ssize_t other, type_) except -1
    cdef bint _is_load_of(self, Instruction load) except -1
    cdef bint _is_store_of(self, Instruction store) except -1
    cdef bint _is_address_in(self, GetElementPtr address) except -1


cdef bint _takes_no_pointers(Instruction instruction) except -1
cdef bint _is_simple(value) except -1
