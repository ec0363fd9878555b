# Attributes and C signatures of `text_buffer.pyx`.

cimport cython

from bitcodec.object_numbers cimport ObjectTexts


cdef extern from "Python.h":
    bint PyUnicode_IS_ASCII(object)
    long long PyLong_AsLongLongAndOverflow(object, int *) except? -1


@cython.final
cdef class TextBuffer:
    cdef char *_data
    cdef Py_ssize_t _size
    cdef Py_ssize_t _room
    cdef Py_ssize_t _unspent
    cdef Py_ssize_t _lines
    cdef Py_ssize_t _spent_lines
    cdef object _limit

    cpdef int add(self, text) except -1
    cpdef int add_number(self, number) except -1
    cpdef int add_label(self, unsigned long long number) except -1
    cpdef int add_text_of(self, ObjectTexts texts, key) except -1
    cpdef int end_line(self) except -1
    cpdef Py_ssize_t line_count(self) except -1
    cpdef take(self)
    cdef int _spend(self) except -1
    cdef int _add_digits(self, unsigned long long number) except -1
    cdef int _append(self, const char *data, Py_ssize_t size) except -1
    cdef int _grow(self, Py_ssize_t size) except -1
