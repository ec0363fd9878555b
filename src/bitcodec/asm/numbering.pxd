# C signatures of `numbering.py`, and the extension types of what it numbers.

import cython

from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.debug_records cimport DbgLabelRecord, DbgVariableRecord, DebugRecord
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport content_of, MDNode, MDTuple
from bitcodec.ir.metadata_values cimport MetadataAsValue
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers, ObjectTexts

cdef Py_ssize_t _FIRST_NUMBERS_COUNT
cdef list _FIRST_NUMBERS


cdef class Numbering:
    cdef public object kinds
    cdef public object groups
    cdef public ObjectTexts nodes
    cdef public object unnamed_structs
    cdef public list structs
    cdef ObjectNumbers _attribute_lists

    @cython.locals(block=BasicBlock, instruction=Instruction, nodes=ObjectTexts)
    cpdef add_function(self, function)
    cpdef add_node(self, node)
    @cython.locals(nodes=ObjectTexts)
    cdef void _number_all(self, MDNode node, list pending) except *
    @cython.locals(content=tuple, place=Py_ssize_t, places_of=dict, nodes=ObjectTexts)
    cdef void _number(self, MDNode node, list pending) except *
    @cython.locals(callee=Value)
    cdef void _add_call(self, CallBase call) except *
    @cython.locals(record=DebugRecord, found=DbgVariableRecord, nodes=ObjectTexts)
    cdef void _add_records(self, records) except *


cdef void _put_aside(tuple operands, ObjectTexts nodes, list pending) except *
@cython.locals(value=Value)
cdef Py_ssize_t _add_names(values, ObjectTexts names, Py_ssize_t unnamed) except -1
