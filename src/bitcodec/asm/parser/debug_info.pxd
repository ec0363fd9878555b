# Attributes and C signatures of `debug_info.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.metadata_state cimport ParsedNode
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.node_fields cimport (
    numbers_of,
    parse_boolean,
    parse_checksum_kind,
    parse_field_string,
    parse_flags,
    parse_integer,
    parse_named,
    parse_signed,
    parse_unsigned,
)
from bitcodec.asm.parser.node_programs cimport FieldStep, NodeParseProgram, node_program
from bitcodec.asm.parser.open_nodes cimport OpenNode, is_node_number, parse_node_number
from bitcodec.asm.parser.phrases cimport accept, decoded, expect, is_integer, is_unsigned, is_word

cdef object UNSET
cdef int _NODE, _LIST, _INTEGER, _SIGNED_INTEGER, _BOUND_CONSTANT, _LAST_WITH_METADATA, _NUMBER, _STRING, _NAMED, _FLAGS
cdef int _BOOLEAN, _SIGNED, _CHECKSUM_KIND, _NEEDS_NOTHING, _NEEDS_METADATA, _NEEDS_LIST
cdef int COMMA
cdef int LABEL
cdef int LEFT_PARENTHESIS
cdef int RIGHT_PARENTHESIS
cdef int WORD


cdef class OpenSpecializedNode(OpenNode):
    cdef Py_ssize_t _end
    cdef FieldStep _field
    cdef bint _is_begun
    cdef bint _is_distinct
    cdef NodeParseProgram _program
    cdef Py_ssize_t _start
    cdef list _values

    @cython.locals(lexer=Lexer, values=list, field=FieldStep, needs=int)
    cpdef int read(self, ModuleState state) except -1
    @cython.locals(lexer=Lexer, field=FieldStep)
    cdef FieldStep _label(self, ModuleState state)
    @cython.locals(lexer=Lexer, step=int, place=Py_ssize_t)
    cdef int _begin_metadata(self, ModuleState state, FieldStep field) except -1
    @cython.locals(lexer=Lexer)
    cdef object _integer(self, ModuleState state, FieldStep field)
    @cython.locals(lexer=Lexer, step=int)
    cdef object _value(self, ModuleState state, FieldStep field)
    cdef int _close(self, Lexer lexer) except -1
    @cython.locals(
        lexer=Lexer, values=list, program=NodeParseProgram, content=list, defaults=tuple, place=Py_ssize_t,
        reference=ParsedNode,
    )
    cpdef object finish(self, ModuleState state)


@cython.locals(lexer=Lexer, name=bytes, program=NodeParseProgram)
cpdef object begin_specialized_node(ModuleState state, bint is_distinct=*)
cdef object _parse_assign_id(Lexer lexer, bint is_distinct)
@cython.locals(lexer=Lexer, start=Py_ssize_t, elements=list)
cdef object _parse_expression(ModuleState state, bint is_distinct)
cdef object _parse_element(Lexer lexer)
