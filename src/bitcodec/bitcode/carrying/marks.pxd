# Attributes and C signatures of `marks.py`.

cimport cython

from bitcodec.object_numbers cimport ObjectNumbers


cdef class Marks:
    cdef readonly Py_ssize_t count
    cdef readonly object numbers
    cdef long long[::1] _numbers
    cdef long long[::1] _seen

    cdef bint mark(self, long long number, long long body) except -1
    cdef long long other(self, long long number) except -1
    @cython.locals(place=Py_ssize_t, number=Py_ssize_t, given="long long", missing=list)
    cpdef list unknown(self, list found, long long kind)
    @cython.locals(number=Py_ssize_t)
    cpdef forget(self)
    cpdef enter(self, Py_ssize_t number, long long other, Marks own)
    @cython.locals(number=Py_ssize_t, other="long long", missing=list)
    cpdef list enter_all(self, dict objects, ObjectNumbers numbers, Marks own)
