# C signatures of `debug_records.py`.

import cython

from bitcodec.ir.debug_records cimport DbgVariableRecord, DebugRecord
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport content_of, MDNode, ValueAsMetadata
from bitcodec.ir.values cimport Value
from bitcodec.verifier.debug_locations cimport SubprogramScopes
from bitcodec.verifier.metadata cimport MetadataWalk

cdef Py_ssize_t _INLINED_AT
cdef Py_ssize_t _SCOPE

@cython.locals(record=DebugRecord, walk=MetadataWalk)
cpdef check_records(Instruction instruction, body)
cdef void _check_variable_record(DbgVariableRecord record, Instruction instruction, body, MetadataWalk walk) except *
@cython.locals(value=Value, content=tuple)
cdef _key_of(DbgVariableRecord record, metadata, function)
@cython.locals(problems=list)
cdef bint _has_problems(DbgVariableRecord record, Instruction instruction, body) except -1
@cython.locals(value=Value)
cdef _variable_problem(DbgVariableRecord record, body)
@cython.locals(scopes=SubprogramScopes)
cdef bint _is_of_one_subprogram(variable, location, body) except -1
cdef _scope_problem(DbgVariableRecord record, body)
@cython.locals(walk=MetadataWalk)
cdef void _visit(DbgVariableRecord record, body) except *
