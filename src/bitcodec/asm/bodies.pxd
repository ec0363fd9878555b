# C signatures of `bodies.py`, and the extension types of what it prints.

import cython

from bitcodec.asm.texts cimport Texts
from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.debug_records cimport DbgLabelRecord, DbgVariableRecord
from bitcodec.ir.instructions.instruction cimport Instruction, Terminator
from bitcodec.ir.metadata cimport ValueAsMetadata
from bitcodec.ir.values cimport Value

cdef void _add_block(list lines, BasicBlock block, Texts texts, bint is_entry) except *
@cython.locals(instruction=Instruction, callee=Value, size=Py_ssize_t, start=Py_ssize_t, count=Py_ssize_t, counted=Py_ssize_t, text=str, tail=str, line=str, frequent=dict)
cdef void _add_lines(list lines, instructions, Texts texts, bint with_records) except *
@cython.locals(line=str, size=Py_ssize_t)
cdef Py_ssize_t _add_records(list lines, records, Texts texts) except -1
@cython.locals(attached=dict)
cdef str _attachments(Instruction instruction, Texts texts)
@cython.locals(found=DbgVariableRecord)
cpdef str record_text(record, Texts texts)
@cython.locals(value=Value, wrapped=ValueAsMetadata)
cdef str _wrapped(wrapper, Texts texts)
cdef str _expression(expression, Texts texts)
@cython.locals(user=Instruction)
cdef str _label(BasicBlock block, Texts texts)
