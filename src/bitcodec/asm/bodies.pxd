# C signatures of `bodies.py`, and the extension types of what it prints.

import cython

from bitcodec.asm.instructions.frequent cimport add_frequent
from bitcodec.asm.text_buffer cimport TextBuffer
from bitcodec.asm.texts cimport Texts
from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.debug_records cimport DbgLabelRecord, DbgVariableRecord, DebugRecord
from bitcodec.ir.instructions.calls cimport Call
from bitcodec.ir.instructions.instruction cimport Instruction, Terminator
from bitcodec.ir.metadata cimport ValueAsMetadata
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectTexts

cdef Py_ssize_t _REMARK_COLUMN
cdef tuple _PADDINGS

cdef void _add_block(TextBuffer text, BasicBlock block, Texts texts, bint is_entry) except *
@cython.locals(instruction=Instruction, callee=Value, types=ObjectTexts, names=ObjectTexts, references=ObjectTexts)
cdef void _add_lines(TextBuffer text, instructions, Texts texts, bint with_records) except *
cdef void _add_records(TextBuffer text, records, Texts texts) except *
@cython.locals(attached=dict)
cdef void _add_attachments(TextBuffer text, Instruction instruction, Texts texts) except *
cdef void _add_attachment(TextBuffer text, kind, node, Texts texts) except *
cpdef str record_text(record, Texts texts)
@cython.locals(found=DbgVariableRecord)
cdef void _add_record(TextBuffer text, DebugRecord record, Texts texts) except *
cdef void _add_node(TextBuffer text, node, ObjectTexts references) except *
@cython.locals(value=Value, wrapped=ValueAsMetadata)
cdef bint _add_wrapped(TextBuffer text, wrapper, Texts texts) except -1
cdef _expression(expression, Texts texts)
cdef Py_ssize_t _add_block_name(TextBuffer text, BasicBlock block, ObjectTexts names) except -1
@cython.locals(user=Instruction, names=ObjectTexts, size=Py_ssize_t)
cdef void _add_label(TextBuffer text, BasicBlock block, Texts texts) except *
