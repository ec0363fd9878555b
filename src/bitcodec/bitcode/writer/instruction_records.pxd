# Attributes and C signatures of `instruction_records.py`.

from bitcodec.bitcode.writer.bodies cimport Body
from bitcodec.bitstream.rows cimport Rows
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.control_flow cimport Phi
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.object_numbers cimport ObjectNumbers


cdef class InstructionWriter:
    cdef Body _body
    cdef Rows _rows
    cdef object _numbers
    cdef ObjectNumbers _values
    cdef object _types
    cdef bint _is_typed
    cdef object _scopes
    cdef object _attributes
    cdef ObjectNumbers _found_attributes
    cdef object _tags
    cdef object _ids
    cdef dict _texts
    cdef ObjectNumbers _objects
    cdef dict _blocks
    cdef object _alloca_space
    cdef long long _number
    cdef object _programs
    cdef object _debug_codes
    cdef object _debug_calls
    cdef object _node_programs
    cdef object _offset
    cdef object _dropped_kinds
    cdef list _places
    cdef bint _has_implicit
    cdef bint _has_atoms
    cdef object _scope
    cdef object _inlined_at
    cdef unsigned long long _scope_id
    cdef unsigned long long _inlined_at_id

    cdef int _write_instruction(self, Instruction instruction) except -1
    cdef tuple _form_of(self, Instruction instruction)
    cdef int _write_field(self, int kind, part, instruction) except -1
    cdef int _write_values(self, values) except -1
    cdef object _part(self, int source, Py_ssize_t index, what, Instruction instruction)
    cdef int _write_list(self, int kind, part, instruction) except -1
    cdef long long _attribute_list_id(self, attributes) except? -1
    cdef int _put_value(self, Rows rows, value) except -1
    cdef int _write_incoming(self, Phi phi) except -1
    cdef int _write_arguments(self, CallBase call) except -1
    cdef int _write_before_call(self, CallBase call) except -1
    cdef int _write_location(self, location) except -1
    cdef int _write_record(self, record) except -1
    cdef int _write_debug_call(self, record) except -1
    cdef long long _metadata_id(self, metadata) except? -1


cdef _entry(entries, key)
