# Attributes and C signatures of `bodies.py`.

from bitcodec.bitstream.rows cimport Rows
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.control_flow cimport Phi
from bitcodec.ir.instructions.instruction cimport Instruction


cdef class Body:
    cdef readonly object function
    cdef readonly list instructions
    cdef readonly list results
    cdef readonly dict types
    cdef readonly dict held
    cdef readonly dict masks
    cdef readonly dict local
    cdef readonly dict lists
    cdef readonly list named
    cdef readonly list attached
    cdef object _void
    cdef object _constants

    cdef int _enter_block(self, block_instructions) except -1
    cdef int _enter_constants(self, instruction) except -1
    cdef int _enter_records(self, records) except -1
    cdef int _enter_local(self, metadata) except -1


cdef class InstructionWriter:
    cdef Body _body
    cdef Rows _rows
    cdef object _numbers
    cdef dict _values
    cdef object _types
    cdef object _scopes
    cdef object _attributes
    cdef object _tags
    cdef object _ids
    cdef dict _blocks
    cdef object _alloca_space
    cdef long long _number
    cdef object _scope
    cdef object _inlined_at
    cdef unsigned long long _scope_id
    cdef unsigned long long _inlined_at_id

    cdef int _write_instruction(self, Instruction instruction, tuple program) except -1
    cdef object _part(self, int source, Py_ssize_t index, what, Instruction instruction)
    cdef int _write_list(self, int kind, part, instruction) except -1
    cdef long long _value_id(self, value) except? -1
    cdef int _put_value(self, Rows rows, value) except -1
    cdef int _write_incoming(self, Phi phi) except -1
    cdef int _write_arguments(self, CallBase call) except -1
    cdef int _write_before_call(self, CallBase call) except -1
    cdef int _write_location(self, location) except -1
    cdef int _write_record(self, record) except -1
    cdef long long _metadata_id(self, metadata) except? -1
