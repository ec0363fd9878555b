import cython

from bitcodec.ir.instructions.instruction cimport Instruction, Terminator


cdef class Phi(Instruction):
    cdef public object _incoming_blocks
    cdef public object fast_math


cdef class Return(Terminator):
    pass


cdef class Branch(Terminator):
    pass


cdef class Switch(Terminator):
    cdef public object _case_values


cdef class IndirectBranch(Terminator):
    pass


cdef class Unreachable(Terminator):
    pass


@cython.locals(made=Phi)
cpdef Phi make_phi(object type, tuple values, list blocks, fast_math)
@cython.locals(made=Branch)
cpdef Branch make_branch(object type, tuple operands)
@cython.locals(made=Return)
cpdef Return make_return(object type, tuple operands)
