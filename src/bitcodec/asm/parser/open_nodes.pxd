# Attributes and C signatures of `open_nodes.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.metadata_state cimport MetadataState, ParsedNode
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, accept_word, expect

cdef int COMMA
cdef int EXCLAIM
cdef int LEFT_BRACE
cdef int RIGHT_BRACE
cdef Py_ssize_t _MAX_32


cdef class OpenNode:
    cpdef int read(self, ModuleState state) except -1
    cpdef int take(self, part) except -1
    cpdef object finish(self, ModuleState state)


cdef class OpenTuple(OpenNode):
    cdef readonly bint allows_locals
    cdef bint _is_argument
    cdef bint _is_begun
    cdef bint _is_list
    cdef list _parts
    cdef ParsedNode _reference

    @cython.locals(lexer=Lexer, parts=list)
    cpdef int read(self, ModuleState state) except -1


@cython.locals(lexer=Lexer)
cpdef bint is_node_number(ModuleState state) except -1
@cython.locals(lexer=Lexer, metadata=MetadataState, start=Py_ssize_t, number=Py_ssize_t)
cpdef object parse_node_number(ModuleState state)
