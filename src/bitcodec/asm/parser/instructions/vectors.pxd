# C signatures of `vectors.py`.

cimport cython

from bitcodec.asm.parser.constants cimport parse_typed_value
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, expect, parse_uint32

cdef int COMMA
cdef int METADATA_NAME

@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _extract_element(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _insert_element(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _shuffle_vector(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer)
cpdef object _parse_indices(ModuleState state)
cpdef object _part_type(object type, object indices)
@cython.locals(start=Py_ssize_t)
cpdef object _extract_value(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t, value_start=Py_ssize_t)
cpdef object _insert_value(ModuleState state, object _opcode)
