# C signatures of `copies.py`, and the extension types of what it makes.

cimport cython

cimport bitcodec.host.native as native
from bitcodec.ir.instructions.arithmetic cimport Cast
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport GetElementPtr
from bitcodec.ir.member_access cimport copy_member, member_offset, new_object
from bitcodec.ir.values cimport User, Value


cdef dict _PLACES


@cython.locals(copy=Value, places=bytes, place="unsigned char")
cpdef copy_of(Value value)
@cython.locals(copy=User)
cpdef copy_with(User user, operands, type_)
@cython.locals(places=bytes)
cdef bytes _places_of(kind)
@cython.locals(cast=Cast)
cpdef unlisted_cast(opcode, Value value, type_)
@cython.locals(address=GetElementPtr)
cpdef unlisted_address(tuple operands, source, type_)
