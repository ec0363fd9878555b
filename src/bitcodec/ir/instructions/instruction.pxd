cimport cython

from bitcodec.ir.values cimport User, Value


cdef object UNTRACKED


cdef class Instruction(User):
    cdef public object _attachments
    cdef public object _location
    cdef public object _records
    cdef public object parent

    @cython.locals(operand=Value)
    cpdef _begin(self, object type, tuple operands)


cdef class Terminator(Instruction):
    pass


@cython.locals(instruction=Instruction, found=list)
cpdef list instructions_with_extras(function)


@cython.locals(instruction=Instruction, found=list)
cpdef list instructions_with_attachments(function, kinds)


@cython.locals(instruction=Instruction, found=list)
cpdef list instructions_with_records(function)


@cython.locals(instruction=Instruction, found=list)
cpdef list present_instructions_of(function, kinds)
