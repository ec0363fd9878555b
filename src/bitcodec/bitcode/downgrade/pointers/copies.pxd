# Attributes and C signatures of `copies.py`.

from bitcodec.ir.instructions.instruction cimport Instruction


cdef dict _OFFSETS


cdef new_cast(value, type_)
cdef copy_of(Instruction instruction)
