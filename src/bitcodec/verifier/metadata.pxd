# Attributes and C signatures of `metadata.py`.

import cython

from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport content_of, DIArgList, MDNode, MDString, MDTuple, ValueAsMetadata
from bitcodec.ir.values cimport Value

cdef object _CLASS
cdef object _TRUTH
cdef object _SCOPE
cdef dict _SHAPES
cdef dict _PLACES


cdef class MetadataWalk:
    cdef object _sound_shapes
    cdef object _verifier
    cdef public set seen
    cdef public dict units

    @cython.locals(current=MDNode, pending=list, seen=set)
    cpdef visit(self, MDNode node, bint with_locations)
    cpdef check(self, MDNode node)
    cdef void _check(self, MDNode node, tuple content) except *
    cdef void _check_tuple(self, MDNode node, tuple content) except *
    cdef void _check_part(self, node) except *
    @cython.locals(nodes=list, place=Py_ssize_t)
    cdef void _add_nodes(self, MDNode node, tuple content, list pending, bint with_locations) except *
    cpdef visit_argument(self, metadata, function)
    cpdef visit_values(self, metadata, function)
    @cython.locals(value=Value)
    cpdef visit_value(self, ValueAsMetadata metadata, function)
    @cython.locals(block=BasicBlock)
    cdef void _check_local(self, ValueAsMetadata metadata, Value value, function) except *


@cython.locals(place=Py_ssize_t, shape=list)
cdef tuple _shape_of(kind, tuple content, tuple parts)
