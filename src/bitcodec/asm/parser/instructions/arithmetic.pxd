# C signatures of `arithmetic.py`.

cimport cython

from bitcodec.asm.parser.constant_expressions cimport check_cast
from bitcodec.asm.parser.constants cimport parse_typed_value, parse_value
from bitcodec.asm.parser.instructions.flags cimport check_fast_math, parse_optional_fast_math, parse_optional_flags
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport expect, expect_word, parse_optional_row
from bitcodec.asm.parser.types cimport parse_type
from bitcodec.ir.instructions.arithmetic cimport make_binary, make_cast, make_icmp, make_select
from bitcodec.ir.values cimport Value

cdef dict _FLAG_WORDS
cdef int COMMA
cdef int HOLDS_INTEGERS
cdef int HOLDS_POINTERS
cdef int IS_VECTOR

@cython.locals(start=Py_ssize_t, flags=Py_ssize_t, lhs=Value, rhs=Value)
cpdef object _integer_operation(ModuleState state, object opcode)
@cython.locals(start=Py_ssize_t)
cpdef object _floating_operation(ModuleState state, object opcode)
cpdef int _check_floating(ModuleState state, object type, Py_ssize_t start) except -1
@cython.locals(start=Py_ssize_t)
cpdef object _fneg(ModuleState state, object opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t, flags=Py_ssize_t, operand=Value)
cpdef object _cast(ModuleState state, object opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t, flags=Py_ssize_t, traits=int, lhs=Value, rhs=Value)
cpdef object _icmp(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _fcmp(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _select(ModuleState state, object _opcode)
cpdef object _select_fault(ModuleState state, object condition, object true_type, object false_type)
@cython.locals(start=Py_ssize_t)
cpdef object _freeze(ModuleState state, object _opcode)
