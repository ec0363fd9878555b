# Attributes and C signatures of `instruction_records.py`.

from bitcodec.bitcode.writer.debug_records cimport DebugRecordWriter
from bitcodec.bitcode.writer.instruction_forms cimport InstructionForm, RecordTypes
from bitcodec.bitstream.rows cimport Rows
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.control_flow cimport Phi
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.object_numbers cimport ObjectNumbers


cdef dict _ALIGNMENT_CODES


cdef class InstructionWriter(DebugRecordWriter):
    cdef object _numbers
    cdef RecordTypes _record_types
    cdef object _scopes
    cdef object _attributes
    cdef ObjectNumbers _found_attributes
    cdef object _tags
    cdef dict _blocks
    cdef object _alloca_space
    cdef object _programs
    cdef object _dropped_kinds
    cdef list _places
    cdef list _forms
    cdef ObjectNumbers _places_of_forms

    cdef int _write_form(self, InstructionForm form, Instruction instruction) except -1
    cdef InstructionForm _form_of(self, Instruction instruction)
    cdef tuple _make_forms(self, kind)
    cdef object _compiled_part(self, InstructionForm form, Py_ssize_t number, Instruction instruction)
    cdef int _write_field(self, int kind, part, instruction) except -1
    cdef object _part(self, int source, Py_ssize_t index, what, Instruction instruction)
    cdef int _write_list(self, int kind, part, instruction) except -1
    cdef long long _attribute_list_id(self, attributes) except? -1
    cdef int _put_value(self, Rows rows, value) except -1
    cdef int _write_incoming(self, Phi phi) except -1
    cdef int _write_arguments(self, CallBase call) except -1
    cdef int _write_before_call(self, CallBase call) except -1


cdef long long _alignment_code(alignment) except? -1
