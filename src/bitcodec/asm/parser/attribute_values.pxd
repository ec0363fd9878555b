# C signatures of `attribute_values.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, accept_word, expect, parse_optional_row, parse_string, parse_uint32, parse_uint64
from bitcodec.asm.parser.types cimport parse_type

cdef dict _ALIGNMENTS

cdef int COLON
cdef int COMMA
cdef int EQUAL
cdef int INTEGER
cdef int LEFT_PARENTHESIS
cdef int RIGHT_PARENTHESIS
cdef int WORD

@cython.locals(start=Py_ssize_t)
cpdef object parse_size(Lexer lexer, object name, bint in_group)
@cython.locals(opening=Py_ssize_t, start=Py_ssize_t)
cpdef object parse_optional_alignment(Lexer lexer, bint allow_parentheses=*)
cpdef int _check_alignment(Lexer lexer, object number, Py_ssize_t start, object name) except -1
@cython.locals(start=Py_ssize_t)
cpdef object _parse_allocsize(Lexer lexer)
cpdef object _parse_vscale_range(Lexer lexer)
cpdef object _parse_uwtable(Lexer lexer)
@cython.locals(start=Py_ssize_t)
cpdef object _parse_allockind(Lexer lexer)
cpdef object _parse_memory(Lexer lexer)
cpdef object _parse_accesses(Lexer lexer)
cpdef bint _ends_list(Lexer lexer) except -1
cpdef object _parse_captures(Lexer lexer)
cpdef object _parse_components(Lexer lexer)
@cython.locals(start=Py_ssize_t)
cpdef object _parse_nofpclass(Lexer lexer)
cpdef object _parse_bound(Lexer lexer, object width)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object parse_range(ModuleState state)
