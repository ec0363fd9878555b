# C signatures of `attributes.py`.

cimport cython

from bitcodec.asm.parser.attribute_values cimport parse_range, parse_size
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, expect, parse_string
from bitcodec.asm.parser.types cimport parse_type

cdef int ATTRIBUTE_GROUP
cdef int _OF_FUNCTIONS
cdef dict _KINDS, _FLAGS, _POSITIONS
cdef int EQUAL
cdef int LEFT_BRACE
cdef int LEFT_PARENTHESIS
cdef int RIGHT_BRACE
cdef int RIGHT_PARENTHESIS
cdef int STRING
cdef int WORD

@cython.locals(lexer=Lexer, kind=int, start=Py_ssize_t, first=Py_ssize_t, allowed=int)
cpdef object parse_optional_attributes(ModuleState state, int position)
cpdef object _parse_string_attribute(Lexer lexer)
cdef class FunctionAttributes:
    cdef public list attributes
    cdef public list groups
    cdef public Py_ssize_t builtin

    cpdef object own(self)


@cython.locals(lexer=Lexer, kind=int, start=Py_ssize_t, allowed=int, made=FunctionAttributes)
cpdef FunctionAttributes parse_function_attributes(ModuleState state, bint in_group=*)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef int parse_attribute_group(ModuleState state) except -1
@cython.locals(lexer=Lexer)
cpdef object _parse_attribute(ModuleState state, object word, object row, bint in_group)
