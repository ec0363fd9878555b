# Attributes and C signatures of `metadata_walk.py`.

from bitcodec.ir.metadata cimport MDNode
from bitcodec.object_numbers cimport ObjectNumbers


cdef class MetadataCollector:
    cdef readonly object ids
    cdef object _constants
    cdef object _is_in_file
    cdef object _programs
    cdef object _type_walk
    cdef object _contents
    cdef object _lost
    cdef ObjectNumbers _tags
    cdef dict _text_tags
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
    cdef bint _are_known(self, list keys, long long tag) except -1
    cdef _keys(self, MDNode node)
    cdef int _add_key(self, part, list found) except -1
    cdef int _move_to_module(self, key) except -1
