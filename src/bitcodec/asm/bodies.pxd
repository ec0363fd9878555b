# C signatures of `bodies.py`, and the extension types of what it prints.

import cython

from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.debug_records cimport DbgLabelRecord, DbgVariableRecord
from bitcodec.ir.instructions.instruction cimport Instruction, Terminator
from bitcodec.ir.metadata cimport ValueAsMetadata
from bitcodec.ir.values cimport Value

cdef void _add_block(list lines, BasicBlock block, texts, bint is_entry) except *
@cython.locals(instruction=Instruction, callee=Value, size=Py_ssize_t, start=Py_ssize_t, count=Py_ssize_t, counted=Py_ssize_t, text=str, line=str)
cdef void _add_lines(list lines, instructions, texts, bint with_records) except *
@cython.locals(line=str, size=Py_ssize_t)
cdef Py_ssize_t _add_records(list lines, records, texts) except -1
cdef str _attachments(attached, texts)
@cython.locals(found=DbgVariableRecord)
cpdef str record_text(record, texts)
@cython.locals(value=Value, wrapped=ValueAsMetadata)
cdef str _wrapped(wrapper, texts)
cdef str _expression(expression, texts)
@cython.locals(user=Instruction)
cdef str _label(BasicBlock block, texts)
