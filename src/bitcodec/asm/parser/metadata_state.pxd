# Attributes and C signatures of `metadata_state.py`.

cimport cython

cdef int _UNSEEN, _ENTERED, _DONE


cdef class NodeReference:
    cdef public object content
    cdef public bint is_distinct
    cdef public object kind
    cdef public object node
    cdef public Py_ssize_t position
    cdef public int state

    cpdef define(self, kind, tuple content, bint is_distinct=*)


cdef class MetadataState:
    cdef public object table
    cdef public dict numbered
    cdef public dict named
    cdef public list locations
    cdef public list attachments
    cdef public list values
    cdef public list globals
    cdef public list records
    cdef public bint has_debug_records
    cdef public bint has_debug_intrinsics
    cdef public dict kinds
    cdef public list composites
    cdef public dict argument_lists
    cdef list _tuples
    cdef dict _tuples_by_content
    cdef Py_ssize_t _indexed_count
    cdef dict _twins
    cdef set _types
    cdef dict _members

    @cython.locals(found=NodeReference)
    cpdef NodeReference reference(self, number, Py_ssize_t position)
    cpdef int note_tuple(self, NodeReference reference) except -1
    cdef object _note_twins(self, NodeReference reference)
    @cython.locals(twin=NodeReference)
    cdef object _merge_twins(self, NodeReference reference)
    @cython.locals(known=NodeReference)
    cpdef object resolved(self, reference)
    @cython.locals(reference=NodeReference)
    cdef int _make(self, list pending, list distinct) except -1
    cpdef int begin(self, NodeReference reference) except -1
    cpdef int adopt(self, NodeReference reference, node) except -1
    cdef object _unique(self, NodeReference reference, tuple content)
    cdef int _note_type(self, NodeReference reference) except -1
    @cython.locals(content=tuple)
    cdef int _finish(self, NodeReference reference) except -1
    @cython.locals(part=NodeReference)
    cdef int _enter_parts(self, NodeReference reference, list pending) except -1
    cdef object _fill(self, NodeReference reference, list pending, list distinct)
    cdef tuple _resolved_content(self, content)
    @cython.locals(known=NodeReference)
    cdef object _part(self, part)


cdef list _references(content)
cdef object _flat(content)
