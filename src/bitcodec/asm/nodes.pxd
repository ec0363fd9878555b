# C signatures of `nodes.py`, and the extension types of what it prints.

import cython

from bitcodec.ir.metadata cimport MDNode, MDTuple

cdef int _UNLESS_EMPTY
cdef int _UNLESS_MISSING
cdef int _IF_FOUND
cdef int _REFERENCE
cdef int _NUMBER
cdef int _STRING
cdef int _KNOWN

@cython.locals(text=str)
cpdef str node_text(MDNode node, texts)
cdef str _tuple_text(operands, texts)

@cython.locals(shown=list, place=Py_ssize_t, when=int, shape=int)
cdef str _fields_text(kind, tuple content, texts)
