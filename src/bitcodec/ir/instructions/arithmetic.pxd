from bitcodec.ir.instructions.instruction cimport Instruction


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
