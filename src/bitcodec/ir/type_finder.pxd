# C signatures of `type_finder.py`, and the extension types of what it looks at.

import cython

from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.debug_records cimport DbgVariableRecord
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr
from bitcodec.ir.metadata cimport MDNode, MDTuple, ValueAsMetadata
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers

cdef set _LEAD_TO_TYPES


cdef class TypeFinder:
    cdef public list structs
    cdef bint _with_literals
    cdef ObjectNumbers _types
    cdef ObjectNumbers _values
    cdef ObjectNumbers _nodes
    cdef ObjectNumbers _attribute_lists

    @cython.locals(block=BasicBlock, instruction=Instruction, types=ObjectNumbers, values=ObjectNumbers)
    cpdef find_in_function(self, function)
    @cython.locals(gep=GetElementPtr, alloca=Alloca)
    cdef void _further_types(self, Instruction instruction) except *
    cdef void _head(self, function) except *
    @cython.locals(nodes=ObjectNumbers)
    cdef void _beside(self, Instruction instruction) except *
    cdef void _attributes(self, attributes) except *
    @cython.locals(found=DbgVariableRecord)
    cdef void _records(self, records) except *
    cdef void _wrapped(self, metadata) except *
    cdef void _operand(self, value) except *
    @cython.locals(seen=ObjectNumbers)
    cdef void _constant(self, constant) except *
    @cython.locals(seen=ObjectNumbers)
    cdef void _metadata(self, metadata) except *
    @cython.locals(content=tuple, place=Py_ssize_t, places_of=dict, seen=ObjectNumbers)
    cdef void _put_operands_aside(self, MDNode node, list pending) except *
    @cython.locals(seen=ObjectNumbers)
    cdef void _type(self, type_) except *


@cython.locals(found=ValueAsMetadata)
cdef bint _is_local(wrapped) except -1
