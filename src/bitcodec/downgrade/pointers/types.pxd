# Attributes and C signatures of `types.py`.

cimport cython

from bitcodec.downgrade.pointers.pointees cimport Pointees

cdef Py_ssize_t _NONE


cdef class TypedTypes:
    cdef dict _made
    cdef object _table
    cdef dict _functions
    cdef dict _pointers
    cdef Pointees _pointees
    cdef dict _resolved
    cdef dict _fields
    cdef list _unfilled
    cdef object _byte
    cdef readonly object byte_pointer

    cpdef field(self, struct, index)
    @cython.locals(is_field=bint)
    cpdef tuple element_of(self, type_, index)
    cpdef pointer(self, pointee, address_space)
    cpdef to(self, type_, pointee)
    cpdef typed(self, type_)
    cpdef pointee(self, Py_ssize_t node)
    cdef int _fill(self) except -1
    cdef _field(self, struct, index, element)
    @cython.locals(content=Py_ssize_t, pointees=Pointees, path=list)
    cdef _resolve(self, Py_ssize_t node)
    @cython.locals(made=dict, pending=list, parts=tuple, missing=list)
    cdef _make(self, type_)
    @cython.locals(is_same=bint, made=list)
    cdef _made_of(self, type_, tuple before)
    cdef _of_parts(self, type_, tuple parts)
    cpdef element(self, type_, index)


cpdef pointee_of(type_)
cpdef bint is_like(typed, type_) except -1
