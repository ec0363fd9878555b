# Attributes and C signatures of `field_search.py`.

from bitcodec.downgrade.pointers.pointees cimport Integers, Pointees
from bitcodec.object_numbers cimport ObjectNumbers


cdef class FieldSearch:
    cdef readonly ObjectNumbers numbers_of_paths
    cdef readonly list paths
    cdef object _fields_of
    cdef Pointees _pointees
    cdef object _types
    cdef object _byte
    cdef Integers _order
    cdef dict _found_paths
    cdef Integers _bases
    cdef Integers _parts
    cdef Integers _places
    cdef list _offsets
    cdef list _originals
    cdef Integers _left
    cdef list _wholes
    cdef list _wanted
    cdef Integers _hinted
    cdef list _hints
    cdef list _fields
    cdef Integers _nodes

    cdef int add_field(self, original, Py_ssize_t node, Py_ssize_t field) except -1
    cdef int add_address(self, Py_ssize_t base, offset, Py_ssize_t node, original) except -1
    cdef Py_ssize_t add_access(self, Py_ssize_t base, shape) except -1
    cdef int add_hint(self, Py_ssize_t node, name) except -1
    cdef int _add(self, Py_ssize_t base, offset, Py_ssize_t part, original, Py_ssize_t place) except -1
    cdef Py_ssize_t _try(self) except -1
    cdef bint _is_found(self, Py_ssize_t number, whole, wanted) except -1
    cdef bint _is_field(self, list found, Py_ssize_t base, Py_ssize_t node, original) except -1
