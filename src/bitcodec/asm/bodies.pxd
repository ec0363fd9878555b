# C signatures of `bodies.py`, whose loops call each other without the interpreter between.

cdef void _add_block(list lines, block, texts, bint is_entry) except *
cdef void _add_lines(list lines, instructions, texts, bint with_records) except *
cdef Py_ssize_t _add_records(list lines, records, texts) except -1
cdef str _attachments(attached, texts)
cpdef str record_text(record, texts)
cdef str _wrapped(wrapper, texts)
cdef str _expression(expression, texts)
cdef str _label(block, texts)
