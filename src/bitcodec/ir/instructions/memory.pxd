import cython

from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.values cimport Value


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


@cython.locals(made=Alloca)
cpdef Alloca make_alloca(object type, allocated_type, Value array_size, alignment, flags)
@cython.locals(made=Load)
cpdef Load make_load(object type, Value pointer, alignment, flags, ordering, sync_scope)
@cython.locals(made=Store)
cpdef Store make_store(object type, tuple operands, alignment, flags, ordering, sync_scope)
@cython.locals(made=GetElementPtr)
cpdef GetElementPtr make_get_element_ptr(object type, source_element_type, tuple operands, flags)
