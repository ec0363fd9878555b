# C signatures of `nodes.py`, and the extension types of what it prints.

import cython

from bitcodec.asm.texts cimport Texts
from bitcodec.ir.metadata cimport MDNode, MDTuple

cdef int _UNLESS_EMPTY
cdef int _UNLESS_MISSING
cdef int _IF_FOUND
cdef int _REFERENCE
cdef int _NUMBER
cdef int _STRING
cdef int _KNOWN

cpdef str node_text(MDNode node, Texts texts)
cdef void _add_node(list pieces, MDNode node, Texts texts) except *
cdef void _add_operands(list pieces, operands, Texts texts) except *
@cython.locals(place=Py_ssize_t, when=int, shape=int)
cdef void _add_fields(list pieces, program, tuple content, references) except *
