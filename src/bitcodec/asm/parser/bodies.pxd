# C signatures of `bodies.py`.

cimport cython

from bitcodec.asm.parser.debug_records cimport parse_debug_record
from bitcodec.asm.parser.function_state cimport ParsedFunction
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.metadata cimport parse_attachment
from bitcodec.asm.parser.module_state cimport ModuleState
from bitcodec.asm.parser.phrases cimport accept, decoded, expect, is_word
from bitcodec.ir.instructions.instruction cimport Instruction, Terminator

cdef int COMMA
cdef int END
cdef int EQUAL
cdef int HASH
cdef int LABEL
cdef int LABEL_ID
cdef int LEFT_BRACE
cdef int LOCAL_ID
cdef int LOCAL_NAME
cdef int METADATA_NAME
cdef int RIGHT_BRACE
cdef int WORD

@cython.locals(lexer=Lexer)
cpdef object parse_body(ModuleState state, object function, object key, object names)
@cython.locals(lexer=Lexer, body=ParsedFunction)
cpdef object parse_blocks(ModuleState state, object function, object surroundings)
@cython.locals(lexer=Lexer, body=ParsedFunction)
cpdef object parse_instructions(ModuleState state, object function, object surroundings)
cpdef object _finish(ModuleState state, ParsedFunction body)
@cython.locals(lexer=Lexer, instruction=Instruction)
cpdef Instruction _parse_with_records(ModuleState state, ParsedFunction body)
@cython.locals(lexer=Lexer, start=Py_ssize_t, kind=int)
cpdef int _parse_block(ModuleState state, ParsedFunction body) except -1
@cython.locals(lexer=Lexer, start=Py_ssize_t, kind=int, name=bytes, number=Py_ssize_t, instruction=Instruction)
cpdef object _parse_named_instruction(ModuleState state, ParsedFunction body)
@cython.locals(lexer=Lexer, text=bytes, row=tuple)
cpdef object _parse_instruction(ModuleState state)
@cython.locals(lexer=Lexer)
cpdef object _parse_attachments(ModuleState state, object instruction)
