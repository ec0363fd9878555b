# C signatures of `calling_conventions.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.phrases cimport expect, parse_uint32

cdef int INTEGER
cdef int LEFT_PARENTHESIS
cdef int RIGHT_PARENTHESIS
cdef int WORD

@cython.locals(start=Py_ssize_t)
cpdef object parse_optional_calling_convention(Lexer lexer)
