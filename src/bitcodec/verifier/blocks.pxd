# Attributes and C signatures of `blocks.py`.

import cython

from bitcodec.analysis.dominators cimport Dominators
from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.control_flow cimport Phi
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Load, Store
from bitcodec.ir.values cimport Value
from bitcodec.verifier.metadata cimport MetadataWalk


cdef Py_ssize_t _ATOM_GROUP
cdef Py_ssize_t _SCOPE


cdef class BodyChecker:
    cdef object _body
    cdef dict _callees
    cdef Dominators _dominators
    cdef object _entry
    cdef list _findings
    cdef object _function
    cdef object _location
    cdef set _scopes_of_atoms
    cdef object _shapes
    cdef object _sound_attachments
    cdef object _value_types
    cdef object _void
    cdef MetadataWalk _walk

    @cython.locals(instruction=Instruction, is_ordered=bint)
    cpdef check_block(self, BasicBlock block)
    @cython.locals(operand=Value, parts=list, load=Load, store=Store, value=Value, pointer=Value)
    cdef tuple _key_of(self, Instruction instruction, kind, tuple shape, bint is_last)
    cdef _problem(self, Instruction instruction)
    cdef void _check_instruction(self, Instruction instruction, set seen) except *
    @cython.locals(operand=Value, index=Py_ssize_t, is_phi=bint)
    cdef bint _check_operands(self, Instruction instruction, operands, set seen) except -1
    @cython.locals(defined_in=BasicBlock)
    cdef bint _is_there(self, Instruction definition, Instruction user, Py_ssize_t index) except -1
    @cython.locals(dominators=Dominators)
    cdef bint _reaches(self, defined_in, used_in) except -1
    cdef void _report(self, problems, Instruction instruction, set seen) except *
    cdef void _check_rest(self, Instruction instruction, kind, set seen, bint is_ordered) except *
    cdef _check_attachments(self, Instruction instruction)
    cdef void _check_location(self, Instruction instruction, location) except *


cdef list _problems_found_by(finders, instruction, body)
cdef bint _check_phis(BasicBlock block, body) except -1
