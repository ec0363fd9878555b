# C signatures of `constants.py`.

cimport cython

from bitcodec.asm.parser.constant_frames cimport check_same, closed, opened, typed
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, accept_word, expect, is_word, parse_string
from bitcodec.asm.parser.types cimport parse_type

cdef int COMMA
cdef int FLOAT
cdef int GLOBAL_ID
cdef int GLOBAL_NAME
cdef int GREATER
cdef int HEX_FLOAT
cdef int HEX_INTEGER
cdef int INTEGER
cdef int LEFT_BRACE
cdef int LEFT_PARENTHESIS
cdef int LEFT_SQUARE
cdef int LESS
cdef int LOCAL_ID
cdef int LOCAL_NAME
cdef int RIGHT_BRACE
cdef int RIGHT_PARENTHESIS
cdef int RIGHT_SQUARE
cdef int STRING
cdef int WORD

cpdef object parse_typed_value(ModuleState state)
@cython.locals(lexer=Lexer, kind=int, start=Py_ssize_t, number=Py_ssize_t, name=bytes)
cpdef object parse_value(ModuleState state, object type)
@cython.locals(lexer=Lexer, kind=int, integers=dict)
cdef object _known_constant(ModuleState state, object type)
@cython.locals(lexer=Lexer, kind=int, start=Py_ssize_t)
cdef object _parse_constant(ModuleState state, object type)
cpdef object parse_typed_constant(ModuleState state)
cpdef object parse_constant(ModuleState state, object type)
cpdef bint _continues(ModuleState state, object frame) except -1
@cython.locals(lexer=Lexer, kind=int, start=Py_ssize_t)
cpdef object _begun(ModuleState state, object frames, object type)
cpdef int _check_not_function(ModuleState state, object type, Py_ssize_t start) except -1
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _floating(ModuleState state, object type)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _boolean(ModuleState state, object _frames, object type)
cpdef bint _has_zero(object type) except -1
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _data_string(ModuleState state, object _frames, object type)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _inline_asm(ModuleState state, object _frames, object _type)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _angled(ModuleState state, object frames, object type)
cpdef object _finish_struct(ModuleState state, object frame)
cpdef object _finish_packed(ModuleState state, object frame)
@cython.locals(lexer=Lexer)
cpdef object _struct(ModuleState state, object frame, bint is_packed)
@cython.locals(lexer=Lexer)
cpdef object _finish_array(ModuleState state, object frame)
@cython.locals(lexer=Lexer)
cpdef object _finish_vector(ModuleState state, object frame)
@cython.locals(lexer=Lexer)
cpdef object _finish_splat(ModuleState state, object frame)
cpdef object _splat(ModuleState state, object frames, object type)
