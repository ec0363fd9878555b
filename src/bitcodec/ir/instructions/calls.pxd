import cython

from bitcodec.ir.instructions.instruction cimport Instruction


cdef class CallBase(Instruction):
    cdef public object _argument_count
    cdef public object _bundles
    cdef public object attributes
    cdef public object calling_convention
    cdef public object function_type


cdef class Call(CallBase):
    cdef public object fast_math
    cdef public object tail_kind


@cython.locals(made=Call)
cpdef Call make_call(function_type, tuple operands, calling_convention, attributes, tail_kind, fast_math)
