from bitcodec.ir.values cimport User


cdef class Instruction(User):
    cdef public object _attachments
    cdef public object _location
    cdef public object _records
    cdef public object parent

    cpdef _begin(self, object type, object operands)


cdef class Terminator(Instruction):
    pass
