# C signatures of `nodes.py`, and the extension types of what it prints.

import cython

from bitcodec.asm.text_buffer cimport TextBuffer
from bitcodec.asm.texts cimport Texts
from bitcodec.ir.metadata cimport content_of, MDNode, MDTuple
from bitcodec.object_numbers cimport ObjectTexts

cdef int _UNLESS_EMPTY
cdef int _UNLESS_MISSING
cdef int _IF_FOUND
cdef int _REFERENCE
cdef int _NUMBER
cdef int _STRING
cdef int _KNOWN
cdef Py_ssize_t _SEPARATOR_SIZE
cdef dict _PROGRAMS

@cython.locals(node=MDNode)
cpdef add_node_lines(TextBuffer text, nodes, Py_ssize_t number, Texts texts)
cpdef str node_text(MDNode node, Texts texts)
cdef void _add_node(TextBuffer text, MDNode node, Texts texts) except *
@cython.locals(references=ObjectTexts)
cdef void _add_operands(TextBuffer text, operands, Texts texts) except *
@cython.locals(fields=tuple, field=tuple, place=Py_ssize_t, label=str, when=int, shape=int, is_first=bint)
cdef void _add_fields(TextBuffer text, program, tuple content, ObjectTexts references) except *
