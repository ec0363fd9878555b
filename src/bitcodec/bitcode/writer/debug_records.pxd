# Attributes and C signatures of `debug_records.py`.

cimport cython

cimport bitcodec.bitcode.writer.bodies as bodies
cimport bitcodec.bitcode.writer.nodes as nodes
from bitcodec.bitcode.writer.bodies cimport BodyOperands
from bitcodec.bitstream.rows cimport Rows
cimport bitcodec.host.native as native
from bitcodec.ir.debug_records cimport DbgLabelRecord, DbgVariableRecord
from bitcodec.ir.metadata cimport ValueAsMetadata
from bitcodec.object_numbers cimport ObjectNumbers

cdef long long _MASK, _NO_METADATA
cdef unsigned int _UNABBREVIATED, _LOCATION, _LOCATION_ID, _LABEL, _VALUE_SIMPLE, _VALUE_SIMPLE_ID, _CALL
cdef unsigned long long _PLAIN_CALL
cdef Py_ssize_t _LINE, _COLUMN, _SCOPE_PLACE, _INLINED_AT, _IS_IMPLICIT, _ATOM_GROUP, _ATOM_RANK


cdef class DebugRecordWriter:
    cdef BodyOperands _body
    cdef Rows _rows
    cdef ObjectNumbers _values
    cdef object _types
    cdef object _ids
    cdef dict _texts
    cdef ObjectNumbers _objects
    cdef long long _number
    cdef object _debug_codes
    cdef object _debug_calls
    cdef object _node_programs
    cdef object _offset
    cdef bint _has_implicit
    cdef bint _has_atoms
    cdef object _scope
    cdef object _inlined_at
    cdef unsigned long long _scope_id
    cdef unsigned long long _inlined_at_id

    cdef int _begin(self, BodyOperands body, Rows rows, long long number) except -1
    @cython.locals(rows=Rows, content=tuple)
    cdef int _write_location(self, location) except -1
    @cython.locals(distance="long long", wrapper=ValueAsMetadata, variable=DbgVariableRecord, rows=Rows)
    cdef int _write_record(self, record) except -1
    @cython.locals(rows=Rows)
    cdef int _write_debug_call(self, record) except -1
    @cython.locals(number="long long")
    cdef long long _metadata_id(self, metadata) except? -1


cdef entry_of(entries, key)
