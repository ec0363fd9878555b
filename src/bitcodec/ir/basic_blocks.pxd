cimport cython

from bitcodec.ir.values cimport Value


cdef class BasicBlock(Value):
    cdef public object _instructions
    cdef public object _trailing_records
    cdef public object parent


@cython.locals(block=BasicBlock, made=list)
cpdef list new_blocks(object type, Py_ssize_t count)
@cython.locals(block=BasicBlock)
cpdef set_parents(tuple blocks, function)
@cython.locals(block=BasicBlock)
cpdef complete_blocks(tuple blocks)
