# C signatures of `constant_expressions.py`.

cimport cython

from bitcodec.asm.parser.constant_frames cimport check_type, opened, typed
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept_word, expect, expect_word
from bitcodec.asm.parser.types cimport parse_type

cdef dict _GEP_FLAGS
cdef int SIZED
cdef int COMMA
cdef int GLOBAL_ID
cdef int GLOBAL_NAME
cdef int LEFT_PARENTHESIS
cdef int LOCAL_ID
cdef int LOCAL_NAME
cdef int RIGHT_PARENTHESIS
cdef int WORD

@cython.locals(lexer=Lexer)
cpdef object _cast(ModuleState state, object frames, object type)
@cython.locals(lexer=Lexer)
cpdef object _finish_cast(ModuleState state, object frame)
cpdef int check_cast(ModuleState state, object opcode, object source, object target, Py_ssize_t start) except -1
@cython.locals(lexer=Lexer)
cpdef object _binary(ModuleState state, object frames, object type)
@cython.locals(lexer=Lexer)
cpdef object _finish_binary(ModuleState state, object frame)
@cython.locals(lexer=Lexer)
cpdef object _vector_expression(ModuleState state, object frames, object type)
cpdef int _end_of_list(ModuleState state) except -1
cpdef object _finish_extract(ModuleState state, object frame)
cpdef object _finish_insert(ModuleState state, object frame)
cpdef object _finish_shuffle(ModuleState state, object frame)
cpdef object _lane(object lane)
@cython.locals(lexer=Lexer)
cpdef int parse_gep_flags(ModuleState state) except -1
@cython.locals(lexer=Lexer)
cpdef object _get_element_ptr(ModuleState state, object frames, object type)
@cython.locals(lexer=Lexer)
cpdef object _parse_in_range(ModuleState state)
cpdef object _parse_bound(ModuleState state)
@cython.locals(lexer=Lexer)
cpdef object _finish_gep(ModuleState state, object frame)
cpdef object _ptr_auth(ModuleState state, object frames, object type)
@cython.locals(lexer=Lexer)
cpdef object _finish_ptr_auth(ModuleState state, object frame)
@cython.locals(lexer=Lexer, start=Py_ssize_t, kind=int)
cpdef object _block_address(ModuleState state, object _frames, object type)
cpdef object _removed(ModuleState state, object _frames, object _type)
