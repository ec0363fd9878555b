# C signatures of `flags.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer

cdef int WORD

cpdef object parse_optional_flags(Lexer lexer, object words)
cpdef object parse_optional_fast_math(object lexer)
cpdef int check_fast_math(Lexer lexer, object opcode, object type, object flags, Py_ssize_t start) except -1
