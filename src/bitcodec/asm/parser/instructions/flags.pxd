# C signatures of `flags.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.phrases cimport accept_word

cdef int WORD
cdef dict _FAST_MATH

@cython.locals(flags=int, flag=int)
cpdef int parse_optional_flags(Lexer lexer, dict words) except -1
@cython.locals(flags=int, flag=int)
cpdef int parse_ordered_flags(Lexer lexer, dict words) except -1
cpdef object parse_optional_fast_math(Lexer lexer)
cpdef int check_fast_math(Lexer lexer, object opcode, object type, object flags, Py_ssize_t start) except -1
