# Attributes and C signatures of `dominators.py`.

import cython

cdef Py_ssize_t _NONE


cdef class Dominators:
    cdef dict _numbers
    cdef list _first
    cdef list _immediate
    cdef list _sizes
    cdef readonly object order

    cpdef bint is_reachable(self, block) except -1
    @cython.locals(number=Py_ssize_t, first=Py_ssize_t, place=Py_ssize_t)
    cpdef bint dominates(self, block, other) except -1


cdef class _Forest:
    cdef list _labels
    cdef list ancestors
    cdef list semi

    cdef Py_ssize_t best(self, Py_ssize_t number) except -1
    @cython.locals(semi=list, ancestors=list, labels=list, path=list, above=Py_ssize_t, found=Py_ssize_t, label=Py_ssize_t)
    cdef void _compress(self, Py_ssize_t number) except *


@cython.locals(forest=_Forest, semi=list, dominators=list, waiting=list, count=Py_ssize_t, number=Py_ssize_t, least=Py_ssize_t, arrival=Py_ssize_t, found=Py_ssize_t, parent=Py_ssize_t, best=Py_ssize_t)
cdef list _immediate(list parents, list arrivals)
@cython.locals(count=Py_ssize_t, number=Py_ssize_t, above=Py_ssize_t, sizes=list, first=list, free=list)
cdef tuple _ranges(list dominators)
