# Attributes and C signatures of `assignments.py`.

import cython

cimport bitcodec.ir.construction.present as present
from bitcodec.ir.debug_records cimport DbgVariableRecord, DebugRecord
from bitcodec.ir.instructions.instruction cimport Instruction


cdef class Assignments:
    cdef dict _odd_instructions
    cdef dict _odd_records
    cdef public dict instructions
    cdef public dict records

    @cython.locals(instruction=Instruction)
    cdef void _collect(self, instructions, function) except *
    @cython.locals(nodes=list)
    cdef void _collect_records(self, records, function) except *
    cpdef odd_instruction(self, node, function)
    cpdef odd_record(self, node, function)
