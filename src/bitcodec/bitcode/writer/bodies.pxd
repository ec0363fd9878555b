# Attributes and C signatures of `bodies.py`.

cimport cython

from bitcodec.bitstream.rows cimport Rows
cimport bitcodec.host.native as native
from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.debug_records cimport DbgVariableRecord
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.control_flow cimport Switch
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.vectors cimport ShuffleVector
from bitcodec.ir.metadata cimport ValueAsMetadata
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers

cdef frozenset _TABLED, _FIRST
cdef Py_ssize_t _VALUE_PARAMETERS
cdef unsigned int _VALUE_ENTRY, _BLOCK_ENTRY, _VALUE_8, _VALUE_7, _VALUE_CHAR6, _BLOCK_CHAR6
cdef bytes _CHAR6


cdef class BodyOperands:
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

    @cython.locals(block=BasicBlock)
    cdef int _enter_blocks(self, blocks, written) except -1
    @cython.locals(held=ObjectNumbers, is_whole=bint)
    cpdef add_constants(self, found, ObjectNumbers known)
    @cython.locals(value=Value, number="long long")
    cpdef add_names(self, Rows rows, ObjectNumbers values)
    @cython.locals(
        instruction=Instruction, times="long long", held=ObjectNumbers, known_types=ObjectNumbers, instructions=list,
        place=Py_ssize_t, results=list
    )
    cdef int _enter_block(self, block_instructions, values) except -1
    cdef int _enter_constants(self, instruction) except -1
    @cython.locals(variable=DbgVariableRecord)
    cdef int _enter_records(self, records) except -1
    @cython.locals(wrapper=ValueAsMetadata)
    cdef int _enter_local(self, metadata) except -1


@cython.locals(block=BasicBlock, found=list)
cpdef list replaced(function, dict replacements)
@cython.locals(number=Py_ssize_t, left=Py_ssize_t, has_pending=bint, found=list, found_values=list)
cpdef tuple with_casts(written, values, dict casts, list pending)
cdef bytes encoded_name(name)
@cython.locals(character="unsigned char")
cdef int add_name(Rows rows, unsigned int code, long long number, bytes text, unsigned int abbreviation) except -1
@cython.locals(variable=DbgVariableRecord)
cdef tuple call_of(record, dict functions, programs)
cdef location_of(DbgVariableRecord variable, programs)
cdef address_of(DbgVariableRecord variable, programs)
