# Attributes and C signatures of `metadata_state.py`.

cimport cython

cdef int _UNSEEN, _ENTERED, _DONE


cdef class ParsedNode:
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

    @cython.locals(found=ParsedNode)
    cpdef ParsedNode reference(self, number, Py_ssize_t position)
    cpdef int note_tuple(self, ParsedNode reference) except -1
    cdef object _note_twins(self, ParsedNode reference)
    @cython.locals(twin=ParsedNode)
    cdef object _merge_twins(self, ParsedNode reference)
    @cython.locals(known=ParsedNode)
    cpdef object resolved(self, reference)
    @cython.locals(reference=ParsedNode)
    cdef int _make(self, list pending, list distinct) except -1
    cpdef int begin(self, ParsedNode reference) except -1
    cpdef int adopt(self, ParsedNode reference, node) except -1
    cdef object _unique(self, ParsedNode reference, tuple content)
    cdef int _note_type(self, ParsedNode reference) except -1
    @cython.locals(content=tuple)
    cdef int _finish(self, ParsedNode reference) except -1
    @cython.locals(part=ParsedNode)
    cdef int _enter_parts(self, ParsedNode reference, list pending) except -1
    cdef object _fill(self, ParsedNode reference, list pending, list distinct)
    cdef tuple _resolved_content(self, content)
    @cython.locals(known=ParsedNode)
    cdef object _part(self, part)


cdef list _references(content)
cdef object _flat(content)
