# C signatures of `type_finder.py`, and the extension types of what it looks at.

import cython

from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.debug_records cimport DbgVariableRecord
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport MDNode, MDTuple, ValueAsMetadata
from bitcodec.ir.values cimport Value

cdef dict _SPECIAL
cdef set _LEAD_TO_TYPES


cdef class TypeFinder:
    cdef public list structs
    cdef set _types
    cdef set _values
    cdef set _nodes
    cdef dict _attribute_lists

    @cython.locals(block=BasicBlock, instruction=Instruction)
    cpdef find_in_function(self, function)
    cdef void _head(self, function) except *
    cdef void _beside(self, Instruction instruction) except *
    cdef void _attributes(self, attributes) except *
    @cython.locals(found=DbgVariableRecord)
    cdef void _records(self, records) except *
    cdef void _wrapped(self, ValueAsMetadata value) except *
    cdef void _operand(self, value) except *
    cdef void _constant(self, constant) except *
    cdef void _metadata(self, metadata) except *
    @cython.locals(content=tuple, place=Py_ssize_t, places_of=dict)
    cdef void _put_operands_aside(self, MDNode node, list pending) except *
    cdef void _type(self, type_) except *


@cython.locals(found=ValueAsMetadata)
cdef bint _is_local(wrapped) except -1
