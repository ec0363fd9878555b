# Attributes and C signatures of `field_search.py`.

cimport cython

from bitcodec.downgrade.pointers.integers cimport Integers
from bitcodec.downgrade.pointers.pointees cimport Pointees
from bitcodec.object_numbers cimport ObjectNumbers

cdef Py_ssize_t _NONE


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
    @cython.locals(node=Py_ssize_t)
    cdef Py_ssize_t add_access(self, Py_ssize_t base, shape) except -1
    cdef int _add(self, Py_ssize_t base, offset, Py_ssize_t part, original, Py_ssize_t place) except -1
    cdef int add_hint(self, Py_ssize_t node, name) except -1
    @cython.locals(place=Py_ssize_t, structs=dict)
    cpdef take_hints(self, list types)
    @cython.locals(pointees=Pointees, place=Py_ssize_t, number=Py_ssize_t, count=Py_ssize_t, found=Py_ssize_t)
    cdef Py_ssize_t _try(self) except -1
    @cython.locals(base=Py_ssize_t)
    cdef bint _is_found(self, Py_ssize_t number, whole, wanted) except -1
    @cython.locals(field=Py_ssize_t, content=Py_ssize_t)
    cdef bint _is_field(self, list found, Py_ssize_t base, Py_ssize_t node, original) except -1
    @cython.locals(place=Py_ssize_t, number=Py_ssize_t)
    cpdef take_bytes(self)
    @cython.locals(found=list, place=Py_ssize_t, pointees=Pointees, nodes="int *")
    cpdef lost(self)
