# Attributes and C signatures of `nodes.py`.

from bitcodec.bitstream.rows cimport Rows
from bitcodec.ir.metadata cimport MDNode


cdef location_content(location)
cdef _content(MDNode node)
cdef _program_of(node)
cdef _word(base, tuple content, tuple bits)


cdef class MetadataCollector:
    cdef readonly object ids
    cdef object _constants
    cdef object _is_in_file
    cdef dict _tags
    cdef list _ordered
    cdef object _last_location
    cdef object _scope
    cdef object _inlined_at

    cdef int _collect_block(self, instructions, long long tag) except -1
    cdef int _collect_record(self, record, long long tag) except -1
    cdef int _collect_value(self, metadata, long long tag) except -1
    cdef int _add_known(self, node, long long tag) except -1
    cdef int _add(self, metadata, long long tag) except -1
    cdef long long _tag_of(self, key) except? -2
    cdef _key(self, metadata)
    cdef int _take_leaf(self, key, tag) except -1
    cdef int _walk(self, MDNode root, tag) except -1
    cdef _keys(self, MDNode node)
    cdef int _add_key(self, part, list found) except -1
    cdef int _move_to_module(self, key) except -1


cdef class NodeWriter:
    cdef Rows _rows
    cdef object _ids

    cdef int _write_operands(self, MDNode node, tuple content, tuple program) except -1
    cdef int _put_reference(self, metadata) except -1
    cdef _id_of(self, metadata)
