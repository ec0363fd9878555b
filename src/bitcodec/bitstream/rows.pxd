# C signatures of `rows.pyx`, so that other compiled files fill and read its buffers.

cdef class Rows:
    cdef unsigned int *codes
    cdef unsigned int *ids
    cdef unsigned long long *operands
    cdef unsigned long long *ends
    cdef Py_ssize_t count
    cdef Py_ssize_t operand_count
    cdef Py_ssize_t _room
    cdef Py_ssize_t _operand_room

    cdef int put(self, unsigned long long operand) except -1
    cdef int put_object(self, operand) except -1
    cdef int end(self, unsigned int code, unsigned int abbreviation_id) except -1
    cdef int _resize_operands(self, Py_ssize_t room) except -1
    cdef int _resize_records(self, Py_ssize_t room) except -1

