# C signatures of `bodies.py`, and the extension types of what it looks at.

import cython

from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr
from bitcodec.linker.metadata cimport MetadataReferences
from bitcodec.object_numbers cimport ObjectNumbers


cdef class BodyScanner:
    cdef object _follower
    cdef MetadataReferences _metadata
    cdef ObjectNumbers _operands
    cdef ObjectNumbers _types
    cdef ObjectNumbers _attributes

    @cython.locals(block=BasicBlock, instruction=Instruction, operands=ObjectNumbers, metadata=MetadataReferences, index=Py_ssize_t)
    cpdef scan(self, function, bint has_metadata)
    @cython.locals(types=ObjectNumbers, gep=GetElementPtr, alloca=Alloca, call=CallBase)
    cdef bint _knows_types(self, Instruction instruction) except -1
    @cython.locals(types=ObjectNumbers, gep=GetElementPtr, alloca=Alloca, call=CallBase)
    cdef int _note_types(self, Instruction instruction) except -1
