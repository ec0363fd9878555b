# Attributes and C signatures of `constants.py`.

cimport cython

from bitcodec.downgrade.pointers.pointees cimport PointerTypes
from bitcodec.downgrade.pointers.types cimport TypedTypes
cimport bitcodec.ir.construction.present as present
cimport bitcodec.ir.construction.copies as copies
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
    @cython.locals(natural=dict, current=User, pending=list, missing=list)
    cdef _make(self, value)
    @cython.locals(part=Value, types=TypedTypes, operands=tuple, made=list, is_same=bint)
    cdef _made_of(self, User value)


cdef _elements(type_, User aggregate)
