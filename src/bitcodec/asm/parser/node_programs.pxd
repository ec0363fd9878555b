# Attributes of `node_programs.py`.


cdef class FieldStep:
    cdef readonly Py_ssize_t place
    cdef readonly int step
    cdef readonly str name
    cdef readonly object minimum
    cdef readonly object limit
    cdef readonly object mask
    cdef readonly bint may_be_empty
    cdef readonly object names


cdef class NodeParseProgram:
    cdef readonly object kind
    cdef readonly str name
    cdef readonly Py_ssize_t size
    cdef readonly dict fields
    cdef readonly tuple required
    cdef readonly tuple defaults
    cdef readonly bint must_be_distinct
    cdef readonly dict width_places
    cdef readonly object check


cpdef NodeParseProgram node_program(bytes name)
