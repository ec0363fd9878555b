import cython

from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.values cimport Value


cdef class UnaryOperator(Instruction):
    cdef public object fast_math
    cdef public object opcode


cdef class BinaryOperator(Instruction):
    cdef public object fast_math
    cdef public object flags
    cdef public object opcode


cdef class Cast(Instruction):
    cdef public object fast_math
    cdef public object flags
    cdef public object opcode


cdef class ICmp(Instruction):
    cdef public object flags
    cdef public object predicate


cdef class FCmp(Instruction):
    cdef public object fast_math
    cdef public object predicate


cdef class Select(Instruction):
    cdef public object fast_math


cdef class Freeze(Instruction):
    pass


@cython.locals(made=BinaryOperator, first=Value)
cpdef BinaryOperator make_binary(opcode, tuple operands, flags, fast_math)
@cython.locals(made=Cast)
cpdef Cast make_cast(opcode, Value operand, object type, flags, fast_math)
@cython.locals(made=ICmp)
cpdef ICmp make_icmp(object type, predicate, tuple operands, flags)
@cython.locals(made=Select, second=Value)
cpdef Select make_select(tuple operands, fast_math)
