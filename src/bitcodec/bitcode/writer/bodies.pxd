# Attributes and C signatures of `bodies.py`.

from bitcodec.bitstream.rows cimport Rows
from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.debug_records cimport DbgVariableRecord
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.object_numbers cimport ObjectNumbers


cdef class Body:
    cdef readonly object function
    cdef readonly list instructions
    cdef readonly list results
    cdef readonly list types
    cdef readonly ObjectNumbers held
    cdef readonly dict masks
    cdef readonly dict local
    cdef readonly dict lists
    cdef readonly list named
    cdef readonly list named_blocks
    cdef readonly list attached
    cdef readonly bint has_stray_metadata
    cdef object _void
    cdef ObjectNumbers _known_types
    cdef object _constants

    cdef int _enter_block(self, block_instructions, values) except -1
    cdef int _enter_constants(self, instruction) except -1
    cdef int _enter_records(self, records) except -1
    cdef int _enter_local(self, metadata) except -1


cdef bytes encoded_name(name)
cdef int add_name(Rows rows, unsigned int code, long long number, bytes text, unsigned int abbreviation) except -1
cdef records_of(Instruction instruction)
cdef attached_to(Instruction instruction)
cdef in_record(metadata)
cdef location_of(DbgVariableRecord variable, programs)
cdef address_of(DbgVariableRecord variable, programs)
cdef tuple call_of(record, dict functions, programs)
