from bitcodec.ir.instructions.instruction cimport Instruction


cdef class ExtractElement(Instruction):
    pass


cdef class InsertElement(Instruction):
    pass


cdef class ShuffleVector(Instruction):
    cdef public object mask


cdef class ExtractValue(Instruction):
    cdef public object indices


cdef class InsertValue(Instruction):
    cdef public object indices
