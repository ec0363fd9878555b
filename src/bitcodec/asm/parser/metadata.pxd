# C signatures of `metadata.py`.

cimport cython

from bitcodec.asm.parser.debug_info cimport begin_specialized_node
from bitcodec.asm.parser.metadata_state cimport MetadataState, ParsedNode
from bitcodec.asm.parser.open_nodes cimport OpenNode, OpenTuple, parse_node_number
from bitcodec.asm.parser.constants cimport parse_value
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, accept_word, decoded, expect, parse_uint32
from bitcodec.asm.parser.types cimport parse_type

from bitcodec.ir.debug_records cimport DbgVariableRecord
from bitcodec.ir.instructions.instruction cimport Instruction

cdef int _NOTHING, _LIST
cdef int COMMA
cdef int EQUAL
cdef int EXCLAIM
cdef int INTEGER_TYPE
cdef int LEFT_BRACE
cdef int LEFT_PARENTHESIS
cdef int LOCAL_ID
cdef int LOCAL_NAME
cdef int METADATA_NAME
cdef int RIGHT_BRACE
cdef int RIGHT_PARENTHESIS
cdef int STRING

cpdef object parse_metadata(ModuleState state, bint allow_locals=*)
@cython.locals(lexer=Lexer)
cpdef object _begin_metadata(ModuleState state, bint allow_locals=*)
@cython.locals(open_nodes=list, needs=int)
cpdef object _completed(ModuleState state, OpenNode node)
@cython.locals(lexer=Lexer)
cpdef object _parse_argument_list(ModuleState state, bint allow_locals)
@cython.locals(lexer=Lexer, start=Py_ssize_t)
cpdef object _parse_value_as_metadata(ModuleState state, object message, bint allow_locals)
cpdef object parse_metadata_value(ModuleState state)
@cython.locals(lexer=Lexer)
cpdef object parse_node(ModuleState state)
cpdef object _parse_specialized(ModuleState state, bint is_distinct=*)
@cython.locals(lexer=Lexer, start=Py_ssize_t, reference=ParsedNode, known=ParsedNode)
cpdef int parse_numbered_node(ModuleState state) except -1
cpdef bint _is_old_node(ModuleState state) except -1
@cython.locals(lexer=Lexer)
cpdef object parse_named_metadata(ModuleState state)
@cython.locals(lexer=Lexer)
cpdef object parse_attachment(ModuleState state)
cpdef int complete_metadata(ModuleState state) except -1
@cython.locals(instruction=Instruction)
cpdef int _assign_nodes(MetadataState metadata) except -1
cdef _complete_variable(MetadataState metadata, DbgVariableRecord record, location, list parts)
