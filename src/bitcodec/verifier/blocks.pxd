# Attributes and C signatures of `blocks.py`.

import cython

from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.control_flow cimport Phi
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.values cimport Value


cdef class BodyChecker:
    cdef object _body
    cdef object _entry
    cdef object _function
    cdef object _shapes
    cdef object _sound_attachments
    cdef object _value_types
    cdef object _void
    cdef object _walk

    @cython.locals(instruction=Instruction, is_ordered=bint)
    cpdef check_block(self, BasicBlock block)
    @cython.locals(used=Instruction)
    cdef void _check_instruction(self, Instruction instruction, set seen) except *
    @cython.locals(operand=Value, block=BasicBlock, index=Py_ssize_t)
    cdef bint _check_operands(self, Instruction instruction, operands, set seen, bint is_phi) except -1
    @cython.locals(block=BasicBlock)
    cdef bint _is_there(self, Instruction definition, Instruction user, Py_ssize_t index, bint is_phi) except -1
    cdef void _check_attachments(self, Instruction instruction) except *
    cdef void _check_location(self, Instruction instruction, location) except *


cdef list _problems_found_by(finders, instruction, body)
@cython.locals(operand=Value, parts=list)
cdef tuple _key_of(Instruction instruction, kind, tuple shape, bint is_last)
