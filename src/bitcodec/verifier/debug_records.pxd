# C signatures of `debug_records.py`.

import cython

from bitcodec.ir.debug_records cimport DbgVariableRecord, DebugRecord
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport MDNode, ValueAsMetadata
from bitcodec.ir.values cimport Value
from bitcodec.verifier.metadata cimport MetadataWalk

@cython.locals(record=DebugRecord, walk=MetadataWalk)
cpdef check_records(Instruction instruction, body)
cdef void _check_variable_record(DbgVariableRecord record, body, MetadataWalk walk) except *
@cython.locals(value=Value)
cdef _key_of(DbgVariableRecord record, metadata, body)
@cython.locals(problems=list)
cdef bint _has_problems(DbgVariableRecord record, body) except -1
@cython.locals(walk=MetadataWalk)
cdef void _visit(DbgVariableRecord record, body) except *
