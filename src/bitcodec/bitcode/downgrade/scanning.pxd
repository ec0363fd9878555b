# Attributes and C signatures of `scanning.py`.

from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.object_numbers cimport ObjectNumbers


cdef class Watch:
    cdef readonly object rule
    cdef bint counts
    cdef list attributes
    cdef list firsts
    cdef list times

    cdef bint count(self, Instruction instruction) except -1
    cdef bint are_alike(self, Instruction one, Instruction other) except -1
    cdef bint is_harmless(self, Instruction instruction) except -1


cdef class Scan:
    cdef readonly dict replacements
    cdef ObjectNumbers _kinds
    cdef list _watches
    cdef list _are_calls
    cdef object _survey
    cdef ObjectNumbers _kept
    cdef object _on_location
    cdef Py_ssize_t _place

    cdef Py_ssize_t _add_kind(self, kind, list watches) except -1
