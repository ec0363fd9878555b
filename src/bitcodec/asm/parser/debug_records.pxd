# C signatures of `debug_records.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.metadata cimport parse_metadata, parse_node
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport expect

cdef int COMMA
cdef int LEFT_PARENTHESIS
cdef int RIGHT_PARENTHESIS
cdef int WORD

cpdef int check_debug_intrinsic(ModuleState state, object name, Py_ssize_t position) except -1
@cython.locals(lexer=Lexer)
cpdef object parse_debug_record(ModuleState state)
@cython.locals(lexer=Lexer)
cpdef object _parse_variable_parts(ModuleState state, object kind)
cpdef int _expect_comma(Lexer lexer) except -1
