# Attributes and C signatures of `symbols.py`.

from bitcodec.ir.values cimport Value


cdef class SymbolTable:
    cdef public object _last_number
    cdef public object _max_bytes
    cdef public dict _values
    cdef public object changes
    cdef public object separator

    cpdef enter(self, Value value)
    cpdef remove(self, Value value)
    cpdef rename(self, Value value, name)
    cdef str _cut(self, str name)
    cdef str _unique(self, str name)
