# C signatures of `phrases.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer

cdef int HEX_INTEGER
cdef int INTEGER
cdef int LEFT_PARENTHESIS
cdef int RIGHT_PARENTHESIS
cdef int STRING
cdef int WORD
cdef int _MINUS, _LOWER_U


cpdef str decoded(bytes text)
cpdef bint accept(Lexer lexer, int kind) except -1
cpdef int expect(Lexer lexer, int kind, message) except -1
cpdef bint is_integer(Lexer lexer) except -1
cpdef bint is_unsigned(Lexer lexer) except -1
cpdef bint is_word(Lexer lexer, bytes word) except -1
cpdef bint accept_word(Lexer lexer, bytes word) except -1
cpdef int expect_word(Lexer lexer, bytes word, message) except -1
cpdef object parse_optional_row(Lexer lexer, dict rows)
cpdef str parse_string(Lexer lexer, message=*)
cpdef object parse_uint32(Lexer lexer)
cpdef object parse_uint64(Lexer lexer)
cdef object _parse_unsigned(Lexer lexer, most, message)
