# C signatures of `control_flow.py`.

cimport cython

from bitcodec.asm.parser.constants cimport parse_typed_value, parse_value
from bitcodec.asm.parser.instructions.flags cimport check_fast_math, parse_optional_fast_math
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, expect
from bitcodec.asm.parser.types cimport parse_type
from bitcodec.ir.instructions.control_flow cimport make_branch, make_return
from bitcodec.ir.values cimport Value

cdef int COMMA
cdef int LEFT_SQUARE
cdef int METADATA_NAME
cdef int RIGHT_SQUARE

@cython.locals(start=Py_ssize_t, block=Value)
cpdef object parse_typed_block(ModuleState state)
cpdef object parse_blocks(ModuleState state)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _return(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t, condition=Value)
cpdef object _branch(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _switch(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _indirect_branch(ModuleState state, object _opcode)
cpdef object _unreachable(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _phi(ModuleState state, object _opcode)
