from bitcodec.ir.instructions.instruction cimport Instruction


cdef class Alloca(Instruction):
    cdef public object alignment
    cdef public object allocated_type
    cdef public object flags


cdef class Load(Instruction):
    cdef public object alignment
    cdef public object flags
    cdef public object ordering
    cdef public object sync_scope


cdef class Store(Instruction):
    cdef public object alignment
    cdef public object flags
    cdef public object ordering
    cdef public object sync_scope


cdef class GetElementPtr(Instruction):
    cdef public object flags
    cdef public object source_element_type


cdef class VAArg(Instruction):
    pass


cdef class Fence(Instruction):
    cdef public object ordering
    cdef public object sync_scope


cdef class AtomicCmpXchg(Instruction):
    cdef public object alignment
    cdef public object failure_ordering
    cdef public object flags
    cdef public object success_ordering
    cdef public object sync_scope


cdef class AtomicRMW(Instruction):
    cdef public object alignment
    cdef public object flags
    cdef public object operation
    cdef public object ordering
    cdef public object sync_scope
