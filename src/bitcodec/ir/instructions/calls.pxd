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
