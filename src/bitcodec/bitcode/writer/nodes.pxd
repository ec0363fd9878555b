# Attributes and C signatures of `nodes.py`.

from bitcodec.bitstream.rows cimport Rows
from bitcodec.ir.metadata cimport MDNode
from bitcodec.object_numbers cimport ObjectNumbers


cdef location_content(location)
cdef node_content(MDNode node)
cdef written_content(MDNode node, contents)
cdef node_program(node, programs)
cdef long long id_of(metadata, ids, dict texts, ObjectNumbers objects) except? -2
cdef _word(base, tuple content, tuple bits)


cdef class NodeWriter:
    cdef Rows _rows
    cdef object _ids
    cdef object _programs
    cdef object _contents
    cdef dict _texts
    cdef ObjectNumbers _objects

    cdef int _write_node(self, MDNode node, dict abbreviations) except -1
    cdef int _write_operands(self, MDNode node, tuple content, tuple program) except -1
    cdef int _put_reference(self, metadata) except -1
