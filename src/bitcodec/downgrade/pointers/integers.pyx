# cython: language_level=3, boundscheck=False, wraparound=False, nonecheck=True, auto_pickle=False
"""Numbers of nodes: a list of C integers."""

from cpython.mem cimport PyMem_Free, PyMem_Realloc

cdef Py_ssize_t _FIRST_ROOM = 64


cdef class Integers:
    """Numbers of nodes."""

    def __dealloc__(self):
        PyMem_Free(self.numbers)

    def __len__(self):
        return self.size

    cdef Py_ssize_t add(self, Py_ssize_t number) except -1:
        """Add a number; return its place."""
        cdef Py_ssize_t place = self.size
        if place == self.room:
            self._grow(2 * place if place else _FIRST_ROOM)
        self.numbers[place] = number
        self.size = place + 1
        return place

    cdef int _grow(self, Py_ssize_t room) except -1:
        cdef int *made = <int *>PyMem_Realloc(self.numbers, room * sizeof(int))
        if not made:
            raise MemoryError
        self.numbers, self.room = made, room
        return 0

    cdef int shorten(self, Py_ssize_t size) except -1:
        """Forget all but so many numbers."""
        self.size = size
        return 0
