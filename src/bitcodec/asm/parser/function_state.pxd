# Attributes and C signatures of `function_state.py`.

cimport cython

from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.ir.basic_blocks cimport BasicBlock, new_blocks
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.values cimport Value


cdef class ParsedFunction:
    cdef dict _block_positions
    cdef list _blocks
    cdef dict _forward
    cdef object _label
    cdef Lexer _lexer
    cdef list _numbered
    cdef object _surroundings
    cdef object _void
    cdef dict _values
    cdef public BasicBlock current
    cdef public object function
    cdef public Py_ssize_t next_number
    cdef public bint unplaced

    cpdef object known(self, key)
    @cython.locals(found=Value)
    cpdef object numbered(self, Py_ssize_t number, object type, Py_ssize_t position)
    @cython.locals(found=Value)
    cpdef object value(self, object key, object type, Py_ssize_t position)
    cpdef object block(self, key, Py_ssize_t position)
    cpdef int define(self, Value value, key, Py_ssize_t position) except -1
    cpdef int check_number(self, what, prefix, number, Py_ssize_t position) except -1
    @cython.locals(block=BasicBlock)
    cpdef object start_block(self, key, Py_ssize_t position)
    @cython.locals(block=BasicBlock)
    cpdef int start_part(self) except -1
    cdef int _keep(self, Value value, key) except -1
    @cython.locals(block=BasicBlock)
    cpdef int place(self, Instruction instruction) except -1
    cpdef object number_instruction(self, Value instruction, Py_ssize_t number, Py_ssize_t position)
    cpdef object name_instruction(self, Value instruction, bytes name, Py_ssize_t position)
    cpdef _refuse_name(self, Py_ssize_t position)
    cdef int _enter(self, value, name) except -1
