# Attributes and C signatures of `nodes.py`.

cimport cython

from bitcodec.bitstream.rows cimport Rows
cimport bitcodec.host.native as native
from bitcodec.ir.metadata cimport content_of, MDNode, MDString, MDTuple, ValueAsMetadata
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers

cdef unsigned int _VALUE_CODE, _NODE, _DISTINCT_NODE, _EXPRESSION, _ASSIGN_ID
cdef int _NUMBER, _REFERENCE, _STRING, _ZERO, _HEADER, _BITS, _BOOLEAN, _SIGNED, _WIDE, _OPTIONAL_NUMBER, _ID
cdef int _REFERENCES, _LANGUAGE, _LAST_STRING, _COMPUTED


cdef class NodeWriter:
    cdef Rows _rows
    cdef object _ids
    cdef object _programs
    cdef object _contents
    cdef dict _texts
    cdef ObjectNumbers _objects

    @cython.locals(constant=Value, rows=Rows)
    cpdef write_all(self, keys, types, ObjectNumbers values, dict abbreviations)
    cpdef write(self, MDNode node, dict abbreviations)
    @cython.locals(rows=Rows, code="unsigned int", content=tuple)
    cdef int _write_node(self, MDNode node, dict abbreviations) except -1
    @cython.locals(operation=int, place=Py_ssize_t, rows=Rows)
    cdef int _write_operands(self, MDNode node, tuple content, tuple program) except -1
    @cython.locals(rows=Rows)
    cdef int _put_reference(self, metadata) except -1


cdef location_content(location)
cdef written_content(MDNode node, contents)
cdef node_program(node, programs)
@cython.locals(number="long long", wrapper=ValueAsMetadata, string=MDString)
cdef long long id_of(metadata, ids, dict texts, ObjectNumbers objects) except? -2
cdef _word(base, tuple content, tuple bits)
