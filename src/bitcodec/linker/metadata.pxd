# Attributes and C signatures of `metadata.py`, and the extension types of what it looks at.

import cython

cimport bitcodec.ir.construction.present as present
from bitcodec.ir.debug_records cimport DbgVariableRecord, DebugRecord
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport content_of, DIArgList, MDNode, ValueAsMetadata
from bitcodec.object_numbers cimport ObjectNumbers


cdef class MetadataReferences:
    cdef object _follow
    cdef object _current_constant
    cdef object _nodes
    cdef object _table
    cdef object _wrapper_count
    cdef public ObjectNumbers visited
    cdef ObjectNumbers _tainted
    cdef list _changing
    cdef list _attached
    cdef list _arguments
    cdef list _records

    @cython.locals(record=DebugRecord)
    cpdef follow_instruction(self, Instruction instruction)
    cdef int _follow_variable(self, DbgVariableRecord record) except -1
    cdef bint _follow_value(self, part) except -1
    cdef int _follow_new(self, part) except -1
    @cython.locals(is_same=bint)
    cpdef tuple follow_parts(self, list found, Py_ssize_t place, dict parts, bint is_needed)
    cpdef follow(self, root)
    cdef bint _leads_to_visited(self, MDNode node) except -1
    @cython.locals(node=MDNode, parts=tuple, place=Py_ssize_t, pending=list, is_tainted=bint)
    cdef void _follow_tree(self, MDNode root, list distinct) except *
    cdef Py_ssize_t _follow_parts(self, MDNode node, tuple parts, Py_ssize_t place, list distinct) except -1
    cdef bint _follow_wrapped(self, part) except -1


@cython.locals(content=tuple)
cdef tuple _parts(MDNode node)
