cdef class Value:
    cdef public object _as_metadata
    cdef public object _name
    cdef public object _uses
    cdef public object type


cdef class User(Value):
    cdef public object _operands
