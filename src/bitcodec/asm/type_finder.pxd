# C signatures of `type_finder.py`, whose loops call each other without the interpreter between.

cdef class TypeFinder:
    cdef public list structs
    cdef set _types
    cdef set _values
    cdef set _nodes
    cdef dict _attribute_lists

    cpdef find_in_function(self, function)
    cdef void _head(self, function) except *
    cdef void _beside(self, instruction) except *
    cdef void _attributes(self, attributes) except *
    cdef void _records(self, records) except *
    cdef void _wrapped(self, value) except *
    cdef void _operand(self, value) except *
    cdef void _constant(self, constant) except *
    cdef void _metadata(self, metadata) except *
    cdef void _put_operands_aside(self, node, list pending) except *
    cdef void _type(self, type_) except *

cdef bint _is_local(wrapped)
