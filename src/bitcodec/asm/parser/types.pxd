# C signatures of `types.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport (
    accept,
    accept_word,
    decoded,
    expect,
    expect_word,
    is_unsigned,
    is_word,
    parse_string,
)

cdef int COMMA
cdef int DOTS
cdef int GREATER
cdef int INTEGER
cdef int INTEGER_TYPE
cdef int LEFT_BRACE
cdef int LEFT_PARENTHESIS
cdef int LEFT_SQUARE
cdef int LESS
cdef int LOCAL_ID
cdef int LOCAL_NAME
cdef int RIGHT_BRACE
cdef int RIGHT_PARENTHESIS
cdef int RIGHT_SQUARE
cdef int STAR
cdef int STRING
cdef int WORD

@cython.locals(lexer=Lexer, kind=int, start=Py_ssize_t, text=bytes)
cpdef object parse_type(ModuleState state, object message=*, bint allow_void=*)
@cython.locals(lexer=Lexer)
cpdef object _parse_nested(ModuleState state, object message, bint allow_void, object first=*, object first_start=*)
@cython.locals(lexer=Lexer, kind=int, start=Py_ssize_t)
cpdef object _begun(ModuleState state, object frames, object message)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _word(ModuleState state, object frames, object message)
@cython.locals(lexer=Lexer)
cpdef object _pointer(ModuleState state)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object parse_optional_address_space(ModuleState state, object default=*)
@cython.locals(lexer=Lexer, kind=int)
cpdef object _with_suffixes(ModuleState state, object frames, object type_, Py_ssize_t start)
@cython.locals(lexer=Lexer)
cpdef int _check_pointee(ModuleState state, object type_) except -1
@cython.locals(lexer=Lexer)
cpdef object _parse_sequence(ModuleState state, Py_ssize_t start, bint is_vector)
cpdef object _opened_struct(ModuleState state, object frames, object frame)
cpdef object _opened_extension(ModuleState state, object frames, object frame)
cpdef bint _is_vector_element(object type) except -1
cpdef bint _is_return_type(object type) except -1
