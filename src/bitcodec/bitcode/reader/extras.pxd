cimport cython

from bitcodec.bitcode.reader.node_reader cimport known_node
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.debug_records cimport DbgVariableRecord
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport MDNode
from bitcodec.ir.values cimport Value

cdef unsigned long long _WORD, _COLUMN_LIMIT, _MAX_GROUP, _MAX_RANK
cdef Py_ssize_t _LOCATION_OPERANDS, _ATOM_GROUP, _CELL_BYTES, _RECORD_CELLS
cdef Py_ssize_t _SIMPLE_OPERANDS, _WRAPPED, _FROM_VALUE_TO_ADDRESS
cdef unsigned int _VALUE_SIMPLE, _ATTACHMENT, _ASSIGN, _LABEL
cdef object _VALUE

cdef Py_ssize_t _operand_count(unsigned int code) except -1


cdef class InstructionExtras:
    cdef object _source
    cdef object _function
    cdef object _records
    cdef Py_ssize_t _first_row
    cdef bint _is_deferred
    cdef bint _has_records
    cdef public list located
    cdef public list location_rows
    cdef public list records
    cdef public list attachments
    cdef public list wrapping
    cdef public list wrapped_ids

    @cython.locals(
        operands="const unsigned long long[::1]", bounds="const unsigned long long[::1]",
        codes="const unsigned int[::1]", row=Py_ssize_t, first=Py_ssize_t, end=Py_ssize_t, at=Py_ssize_t,
        number="unsigned long long", earlier=Py_ssize_t, attachments=list, seen=dict, own=list, pairs=tuple,
        before=tuple
    )
    cpdef list add_attachments(self, records, list instructions)
    @cython.locals(
        operands="const unsigned long long[::1]", bounds="const unsigned long long[::1]",
        cells="unsigned long long[::1]", first_row=Py_ssize_t, row=Py_ssize_t, last_row=Py_ssize_t, index=Py_ssize_t,
        place=Py_ssize_t, first=Py_ssize_t, count=Py_ssize_t, at=Py_ssize_t, instruction=Instruction
    )
    cdef _defer_locations(self)
    @cython.locals(
        operands="const unsigned long long[::1]", bounds="const unsigned long long[::1]",
        codes="const unsigned int[::1]", cells="unsigned long long[::1]", first_row=Py_ssize_t, row=Py_ssize_t,
        first=Py_ssize_t, count=Py_ssize_t, place=Py_ssize_t, at=Py_ssize_t, code="unsigned int",
        instruction=Instruction, values=list, unread=list
    )
    cdef _defer_records(self)
    @cython.locals(
        operands="const unsigned long long[::1]", bounds="const unsigned long long[::1]", known=dict,
        instruction=Instruction, node=MDNode, its_scope="unsigned long long", its_inlined_at="unsigned long long",
        scope_id="unsigned long long", inlined_at_id="unsigned long long", index=Py_ssize_t, last_row=Py_ssize_t,
        row=Py_ssize_t, at=Py_ssize_t, end=Py_ssize_t, count=Py_ssize_t, line="unsigned long long",
        first_id="unsigned long long", column="unsigned long long", group="unsigned long long", rank="unsigned long long", is_implicit=bint,
        first_row=Py_ssize_t
    )
    cdef _read_locations(self)
    @cython.locals(
        operands="const unsigned long long[::1]", bounds="const unsigned long long[::1]", first_row=Py_ssize_t,
        codes="const unsigned int[::1]", code="unsigned int", first_id="unsigned long long", row=Py_ssize_t,
        at=Py_ssize_t, instruction=Instruction, value=Value, made_record=DbgVariableRecord, found=list
    )
    cdef _read_records(self)
    @cython.locals(
        first_row=Py_ssize_t, row=Py_ssize_t, instruction=Instruction, attached=dict, shared=dict, known=dict,
        found=dict, pairs=tuple
    )
    cdef _read_attachments(self)
    @cython.locals(
        first_id="unsigned long long", metadata_id="unsigned long long", index=Py_ssize_t, kinds=dict, found=dict,
        is_shared=bint
    )
    cdef dict _attached_nodes(self, tuple pairs)
