# Attributes and C signatures of `constants.py`.

from bitcodec.downgrade.pointers.pointees cimport PointerTypes
from bitcodec.downgrade.pointers.types cimport TypedTypes
from bitcodec.ir.values cimport User, Value
from bitcodec.object_numbers cimport ObjectNumbers


cdef class TypedConstants:
    cdef object _values
    cdef TypedTypes _types
    cdef PointerTypes _record_types
    cdef object _table
    cdef dict _natural
    cdef dict _cast
    cdef ObjectNumbers _made
    cdef dict _indices

    cpdef written(self, value)
    cpdef typed(self, Value value, wanted)
    cdef _new(self, kind, operand, type_)
    cdef _copied(self, value, type_, operands)
    cdef _copy_of(self, value, type_, operands)
    cdef _bitcast(self, value, type_)
    cdef _make(self, value)
    cdef _made_of(self, User value)


cdef _elements(type_, User aggregate)
