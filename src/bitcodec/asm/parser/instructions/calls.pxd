# C signatures of `calls.py`.

cimport cython

from bitcodec.asm.parser.attributes cimport parse_function_attributes, parse_optional_attributes
from bitcodec.asm.parser.calling_conventions cimport parse_optional_calling_convention
from bitcodec.asm.parser.constants cimport parse_value
from bitcodec.asm.parser.debug_records cimport check_debug_intrinsic
from bitcodec.asm.parser.instructions.control_flow cimport parse_blocks, parse_typed_block
from bitcodec.asm.parser.instructions.flags cimport check_fast_math, parse_optional_fast_math
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.metadata cimport parse_metadata_value
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, accept_word, expect, expect_word, parse_string
from bitcodec.asm.parser.types cimport parse_optional_address_space, parse_type

cdef int COMMA
cdef int DOTS
cdef int GLOBAL_NAME
cdef int LEFT_PARENTHESIS
cdef int LEFT_SQUARE
cdef int RIGHT_PARENTHESIS
cdef int RIGHT_SQUARE
cdef int WORD

cpdef object _attribute_list(object own, object returned, object arguments)
@cython.locals(lexer=Lexer)
cpdef object _parse_callee(ModuleState state, object space)
@cython.locals(lexer=Lexer)
cpdef object _parse_arguments(ModuleState state, bint is_musttail)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _parse_bundles(ModuleState state)
cpdef object _function_type(ModuleState state, object type, object arguments, Py_ssize_t start)
cpdef int _check_arguments(ModuleState state, object type, object arguments, Py_ssize_t start) except -1
cpdef object _complete(ModuleState state, object call, object parts)
@cython.locals(lexer=Lexer)
cpdef object _call(ModuleState state, object opcode)
cpdef object _invoke(ModuleState state, object opcode)
cpdef object _call_branch(ModuleState state, object opcode)
