# C signatures of `calls.py`.

cimport cython

from bitcodec.asm.parser.attributes cimport FunctionAttributes, parse_function_attributes, parse_optional_attributes
from bitcodec.asm.parser.calling_conventions cimport parse_optional_calling_convention
from bitcodec.asm.parser.constants cimport parse_value
from bitcodec.asm.parser.debug_records cimport check_debug_intrinsic
from bitcodec.asm.parser.instructions.control_flow cimport parse_blocks, parse_typed_block
from bitcodec.asm.parser.instructions.flags cimport check_fast_math, parse_optional_fast_math, parse_ordered_flags
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.metadata cimport parse_metadata_value
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, expect, expect_word, parse_string
from bitcodec.asm.parser.types cimport parse_optional_address_space, parse_type
from bitcodec.ir.instructions.calls cimport Call, make_call
from bitcodec.ir.values cimport Value

cdef int COMMA
cdef int DOTS
cdef int GLOBAL_NAME
cdef int LEFT_PARENTHESIS
cdef int LEFT_SQUARE
cdef int RIGHT_PARENTHESIS
cdef int RIGHT_SQUARE
cdef int WORD
cdef int SIZED
cdef dict _TAIL_KINDS
cdef object _NO_TAIL, _MUST_TAIL, _NO_LIST

cdef class _Arguments:
    cdef list values
    cdef list pointees
    cdef dict attributes
    cdef list starts


cdef class _Callee:
    cdef object function_type
    cdef object callee
    cdef bytes name
    cdef list arguments
    cdef object attributes
    cdef list pointees
    cdef list groups
    cdef list bundles
    cdef object convention


@cython.locals(lexer=Lexer, start=Py_ssize_t, type_start=Py_ssize_t, callee_start=Py_ssize_t, arguments=_Arguments, name=bytes, own=FunctionAttributes, parts=_Callee)
cdef _Callee _parse_call(ModuleState state, bint is_musttail=*)
cpdef object _attribute_list(ModuleState state, FunctionAttributes own, object returned, _Arguments arguments)
@cython.locals(lexer=Lexer)
cpdef object _parse_callee(ModuleState state, object space)
@cython.locals(lexer=Lexer, found=_Arguments, is_old=bint)
cdef _Arguments _parse_arguments(ModuleState state, bint is_musttail)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _parse_bundles(ModuleState state)
cdef object _function_type(ModuleState state, object type, _Arguments arguments, Py_ssize_t start)
@cython.locals(value=Value, index=Py_ssize_t)
cdef int _check_arguments(ModuleState state, object type, _Arguments arguments, Py_ssize_t start) except -1
cdef object _complete(ModuleState state, object call, _Callee parts)
@cython.locals(lexer=Lexer, parts=_Callee, call=Call, start=Py_ssize_t, call_start=Py_ssize_t)
cpdef object _call(ModuleState state, object opcode)
@cython.locals(parts=_Callee)
cpdef object _invoke(ModuleState state, object _opcode)
@cython.locals(parts=_Callee)
cpdef object _call_branch(ModuleState state, object _opcode)
