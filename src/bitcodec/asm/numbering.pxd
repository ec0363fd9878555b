# C signatures of `numbering.py`, whose loops call each other without the interpreter between.

cdef class Numbering:
    cdef public object kinds
    cdef public object groups
    cdef public object nodes
    cdef public object unnamed_structs
    cdef public list structs
    cdef dict _attribute_lists

    cpdef add_function(self, function)
    cpdef add_node(self, node)
    cdef void _number(self, node, list pending) except *
    cdef void _add_call(self, call) except *
    cdef void _add_records(self, records) except *

cdef void _put_aside(operands, nodes, list pending) except *
cdef Py_ssize_t _add_names(values, names, Py_ssize_t unnamed) except -1
