# Attributes and C signatures of `stamping.py`.

import cython

from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.copies as copies
from bitcodec.ir.instructions.control_flow cimport Phi
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.values cimport Value


cdef object UNTRACKED


cdef class Ending:
    cdef BasicBlock _block
    cdef list _parts

    @cython.locals(place=Py_ssize_t)
    cpdef cut(self, Instruction instruction)
    cdef put(self, list instructions)
    @cython.locals(part=list)
    cdef drop(self, Py_ssize_t count)
    @cython.locals(found=list)
    cpdef list take(self)
    cpdef restore(self)


cdef class StampedStep:
    cdef object prototype
    cdef tuple operands
    cdef tuple incoming
    cdef readonly list additions
    cdef tuple attached
    cdef bint has_location


cdef class Stamp:
    cdef Py_ssize_t _before
    cdef list _blocks
    cdef list _changes
    cdef list _halves
    cdef list _layout
    cdef Py_ssize_t _result
    cdef list _steps
    cdef list _top

    @cython.locals(values=list, step=StampedStep, first=Py_ssize_t, number=Py_ssize_t, blocks=list, phi=Phi)
    cpdef list apply(self, Instruction original, Ending ending, table)
    @cython.locals(block=BasicBlock, made=Instruction, operands=list, value=Value)
    cdef Value _made(self, StampedStep step, Instruction original, list values, table)
    @cython.locals(block=BasicBlock, made=Instruction, first=Instruction)
    cdef _put_on_top(self, Instruction original, list values)
    @cython.locals(head=BasicBlock, block=BasicBlock, number=Py_ssize_t)
    cdef _arrange(self, Instruction original, list values, list blocks, Ending ending)
    cdef _replace(self, Instruction original, list values, table)
    @cython.locals(user=Instruction)
    cdef _replace_halves(self, list users, list values, table)


@cython.locals(user=Instruction, value=Value)
cdef _add_operands(StampedStep step, list values)
@cython.locals(made=Instruction, found=list)
cdef list _placed(list places, list values, BasicBlock block)
@cython.locals(instruction=Instruction, target_instructions=list, successor=BasicBlock)
cdef _move(list instructions, BasicBlock source, BasicBlock target)
