# C signatures of `nodes.py`, whose functions call each other without the interpreter between.

import cython

cdef int _UNLESS_EMPTY
cdef int _UNLESS_MISSING
cdef int _IF_FOUND
cdef int _REFERENCE
cdef int _NUMBER
cdef int _STRING
cdef int _KNOWN

cpdef str node_text(node, texts)
cdef str _tuple_text(operands, texts)

@cython.locals(place=Py_ssize_t, when=int, shape=int)
cdef str _fields_text(kind, tuple content, texts)
