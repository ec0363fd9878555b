# C signatures of `memory.py`.

cimport cython

from bitcodec.asm.parser.attribute_values cimport parse_optional_alignment
from bitcodec.asm.parser.constant_expressions cimport parse_gep_flags
from bitcodec.asm.parser.constants cimport parse_typed_value, parse_value
from bitcodec.asm.parser.instructions.flags cimport parse_ordered_flags
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, accept_word, expect, is_word, parse_optional_row, parse_string
from bitcodec.asm.parser.types cimport parse_optional_address_space, parse_type
from bitcodec.ir.instructions.memory cimport make_alloca, make_get_element_ptr, make_load, make_store
from bitcodec.ir.values cimport Value

cdef int FIRST_CLASS
cdef int HOLDS_INTEGERS
cdef int HOLDS_POINTERS
cdef int IS_POINTER
cdef int IS_VECTOR
cdef int POINTEE
cdef int SIZED
cdef object _NOT_ATOMIC
cdef dict _ALLOCA_WORDS, _LOAD_WORDS, _STORE_WORDS
# Mappings that compute what they lack: their class counts.
cdef object _ALLOCA_FLAGS, _ACCESS_FLAGS, _GEP_FLAGS

cdef int COMMA
cdef int LEFT_PARENTHESIS
cdef int METADATA_NAME
cdef int RIGHT_PARENTHESIS
cdef int STRING

@cython.locals(lexer=Lexer)
cpdef object _parse_scope(ModuleState state)
cpdef object _parse_ordering(ModuleState state)
@cython.locals(lexer=Lexer)
cpdef object _parse_comma_alignment(ModuleState state)
cpdef object _layout(ModuleState state, object type, object message, Py_ssize_t start)
@cython.locals(lexer=Lexer, start=Py_ssize_t, flags=int, traits=int, size=Value)
cpdef object _alloca(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _parse_alloca_rest(ModuleState state)
@cython.locals(lexer=Lexer, type_start=Py_ssize_t, start=Py_ssize_t, flags=int, pointer=Value)
cpdef object _load(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t, pointer_start=Py_ssize_t, flags=int, value=Value, pointer=Value)
cpdef object _store(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer, start=Py_ssize_t, new_start=Py_ssize_t)
cpdef object _cmpxchg(ModuleState state, object _opcode)
cpdef object _store_size(ModuleState state, object type)
@cython.locals(lexer=Lexer, start=Py_ssize_t, value_start=Py_ssize_t)
cpdef object _atomicrmw(ModuleState state, object _opcode)
@cython.locals(lexer=Lexer)
cpdef object _checked_size(ModuleState state, object operation, object type, Py_ssize_t start)
cpdef object _fence(ModuleState state, object _opcode)
@cython.locals(
    lexer=Lexer, start=Py_ssize_t, index_start=Py_ssize_t, flags=Py_ssize_t, traits=int, pointer=Value, index=Value,
    indices=list,
)
cpdef object _get_element_ptr(ModuleState state, object _opcode)
@cython.locals(count=Py_ssize_t, known=set)
cdef object _check_indices(ModuleState state, object source, list indices, Py_ssize_t start)
cpdef object _check_base(ModuleState state, object source, Py_ssize_t start, bint has_indices)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _va_arg(ModuleState state, object _opcode)
