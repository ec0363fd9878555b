# Attributes and C signatures of `instruction_records.py`.

cimport cython

cimport bitcodec.bitcode.writer.debug_records as debug_records
cimport bitcodec.bitcode.writer.instruction_forms as instruction_forms
from bitcodec.bitcode.writer.bodies cimport BodyOperands
from bitcodec.bitcode.writer.debug_records cimport DebugRecordWriter
from bitcodec.bitcode.writer.instruction_forms cimport InstructionForm, RecordTypes
from bitcodec.bitstream.rows cimport Rows
cimport bitcodec.host.native as native
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.control_flow cimport Phi
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.object_numbers cimport ObjectNumbers

cdef long long _MASK
cdef unsigned long long _METADATA_INPUT
cdef unsigned int _UNABBREVIATED, _LOCATION_AGAIN, _BUNDLE
cdef int _FROM_OPERAND, _FROM_ATTRIBUTE, _FROM_TYPE_OF, _FROM_CODE_OF, _FROM_TABLE
cdef int _FROM_ALL_FLAGS, _FROM_PACKED, _FROM_CONSTANT, _FROM_OPERANDS, _FROM_MASK, _FROM_RESULT
cdef int _FROM_EXPLICIT, _UNLESS_NONE, _ALWAYS, _MORE_OPERANDS, _NUMBER, _FLAG, _ALIGNMENT
cdef int _ORDERING, _SCOPE, _ATTRIBUTES, _TYPE, _BLOCK, _VALUE, _TYPED_VALUE, _ABSOLUTE, _VALUES
cdef int _COUNTED_VALUES, _BLOCKS, _COUNTED_BLOCKS, _NUMBERS, _INCOMING, _CASES, _CLAUSES
cdef int _ARGUMENTS
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

    @cython.locals(place=Py_ssize_t, instruction=Instruction)
    cpdef write(self, BodyOperands body, dict blocks, long long number, Rows rows)
    @cython.locals(
        number=Py_ssize_t, instruction=Instruction, attached_numbers=list, instructions=list, attached=dict
    )
    cpdef write_attachments(self, unsigned int code, Rows rows)
    @cython.locals(number=Py_ssize_t, source=int, when=int, abbreviation="unsigned int", is_plain=bint)
    cdef int _write_form(self, InstructionForm form, Instruction instruction) except -1
    @cython.locals(form=InstructionForm, place="long long", forms=tuple)
    cdef InstructionForm _form_of(self, Instruction instruction)
    cdef tuple _make_forms(self, kind)
    @cython.locals(source=int, place=Py_ssize_t)
    cdef object _compiled_part(self, InstructionForm form, Py_ssize_t number, Instruction instruction)
    @cython.locals(rows=Rows)
    cdef int _write_field(self, int kind, part, instruction) except -1
    cdef object _part(self, int source, Py_ssize_t index, what, Instruction instruction)
    @cython.locals(rows=Rows)
    cdef int _write_list(self, int kind, part, instruction) except -1
    @cython.locals(number="long long")
    cdef long long _attribute_list_id(self, attributes) except? -1
    @cython.locals(distance="long long")
    cdef int _put_value(self, Rows rows, value) except -1
    @cython.locals(distance="long long", rows=Rows)
    cdef int _write_incoming(self, Phi phi) except -1
    @cython.locals(index=Py_ssize_t, count=Py_ssize_t, typed=Py_ssize_t, rows=Rows)
    cdef int _write_arguments(self, CallBase call) except -1
    @cython.locals(distance="long long", rows=Rows)
    cdef int _write_before_call(self, CallBase call) except -1


cdef long long _alignment_code(alignment) except? -1
