# Attributes and C signatures of `agreement.py`.

from bitcodec.bitcode.downgrade.pointers.pointees cimport Integers, PointerTypes
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport GetElementPtr


cdef class Agreement:
    cdef PointerTypes _types
    cdef Integers _order
    cdef dict _starts
    cdef Py_ssize_t _place

    cdef bint holds(self, Instruction instruction) except -1
    cdef Py_ssize_t _next(self) noexcept
    cdef bint _is_load_of(self, Instruction load) except -1
    cdef bint _is_store_of(self, Instruction store) except -1
    cdef bint _is_address_in(self, GetElementPtr address) except -1


cdef bint _is_simple(value) except -1
