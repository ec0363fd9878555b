# C signatures of `node_fields.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.phrases cimport accept, accept_word, decoded, is_integer, is_unsigned, parse_string

cdef int BAR
cdef dict _NUMBERS
cdef int HEX_INTEGER
cdef int STRING
cdef int WORD

cpdef dict numbers_of(object names)
cpdef object parse_unsigned(Lexer lexer, object name, object limit)
cpdef object parse_signed(Lexer lexer, object name, object minimum, object limit)
cpdef object parse_integer(Lexer lexer)
cpdef bint parse_boolean(Lexer lexer) except -1
@cython.locals(start=Py_ssize_t)
cpdef object parse_field_string(Lexer lexer, object name, bint may_be_empty)
cpdef object parse_named(Lexer lexer, object name, object names)
cpdef object parse_flags(Lexer lexer, object names, object old)
cpdef object parse_checksum_kind(Lexer lexer, object name, object names)
