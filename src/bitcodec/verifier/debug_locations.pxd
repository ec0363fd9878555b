# Attributes and C signatures of `debug_locations.py`.

import cython

cimport bitcodec.ir.construction.present as present
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport content_of, MDNode

cdef Py_ssize_t _SCOPE
cdef Py_ssize_t _INLINED_AT


cdef class SubprogramScopes:
    cdef dict _subprograms
    cdef dict _outermost

    cpdef subprogram_of(self, scope)
    cpdef outermost(self, location)


cdef class _Locations:
    cdef SubprogramScopes _scopes
    cdef object _subprogram
    cdef object _verifier
    cdef set _checked
    cdef set _passed
    cdef set _seen

    @cython.locals(instruction=Instruction)
    cpdef bint check_block(self, instructions) except -1
    @cython.locals(content=tuple)
    cdef bint _check_own(self, Instruction instruction, location) except -1
    cdef bint _check_loop(self, Instruction instruction) except -1
    @cython.locals(place=tuple)
    cdef bint _check(self, Instruction instruction, location, tuple content) except -1
    cdef _problem(self, Instruction instruction, location, scope)
