# Attributes and C signatures of `open_nodes.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.metadata_state cimport NodeReference
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, accept_word, expect

cdef int COMMA
cdef int EXCLAIM
cdef int INTEGER
cdef int LEFT_BRACE
cdef int RIGHT_BRACE
cdef bytes _DIGITS


cdef class OpenNode:
    cpdef int read(self, ModuleState state) except -1
    cpdef int take(self, part) except -1
    cpdef object finish(self, ModuleState state)


cdef class OpenTuple(OpenNode):
    cdef bint _is_begun
    cdef bint _is_list
    cdef list _parts
    cdef NodeReference _reference

    @cython.locals(lexer=Lexer, parts=list)
    cpdef int read(self, ModuleState state) except -1


@cython.locals(lexer=Lexer)
cpdef bint is_node_number(ModuleState state) except -1
@cython.locals(lexer=Lexer)
cpdef object parse_node_number(ModuleState state)
