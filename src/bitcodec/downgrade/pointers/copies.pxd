# Attributes and C signatures of `copies.py`.

cimport cython

from bitcodec.host cimport native
from bitcodec.downgrade.pointers.integers cimport Integers
from bitcodec.ir.instructions.arithmetic cimport Cast
from bitcodec.ir.instructions.memory cimport GetElementPtr
from bitcodec.ir.member_access cimport copy_member, member_offset, new_object
from bitcodec.ir.values cimport Value


cdef dict _OFFSETS


@cython.locals(cast=Cast)
cdef new_cast(value, type_)
@cython.locals(address=GetElementPtr)
cdef new_address(value, tuple indices, source, type_)
@cython.locals(offsets=Integers)
cdef Integers _offsets_of(kind)
@cython.locals(copy=Value, place=Py_ssize_t, offsets=Integers)
cdef copy_of(Value value)
