# Attributes and C signatures of `copies.py`.

from bitcodec.downgrade.pointers.pointees cimport Integers
from bitcodec.ir.values cimport Value


cdef dict _OFFSETS


cdef Integers _offsets_of(kind)
cdef new_cast(value, type_)
cdef new_address(value, tuple indices, source, type_)
cdef copy_of(Value value)
