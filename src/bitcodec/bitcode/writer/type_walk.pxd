# Attributes and C signatures of `type_walk.py`.

cimport cython

from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr
from bitcodec.ir.instructions.vectors cimport ShuffleVector
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers


cdef class TypeWalk:
    cdef object _types
    cdef object _attributes
    cdef object _constants
    cdef object _table
    cdef ObjectNumbers _found_attributes
    cdef ObjectNumbers _known
    cdef object _last
    cdef object _before
    cdef dict _kinds

    @cython.locals(value=Value)
    cdef int add_operand(self, operand) except -1
    @cython.locals(call=CallBase, address=GetElementPtr, alloca=Alloca)
    cdef int add_result(self, Instruction instruction) except -1
    cdef int _add(self, type_) except -1
    @cython.locals(pending=list, seen=set)
    cdef int _add_parts(self, constant) except -1
