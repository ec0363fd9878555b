from bitcodec.ir.values cimport Value


cdef class BasicBlock(Value):
    cdef public object _instructions
    cdef public object _trailing_records
    cdef public object parent
