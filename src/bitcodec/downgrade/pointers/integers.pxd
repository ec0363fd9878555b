# Attributes and C signatures of `integers.pyx`.

cimport cython


@cython.final
cdef class Integers:
    cdef int *numbers
    cdef Py_ssize_t size
    cdef Py_ssize_t room

    cdef Py_ssize_t add(self, Py_ssize_t number) except -1
    cdef int _grow(self, Py_ssize_t room) except -1
    cdef int shorten(self, Py_ssize_t size) except -1
