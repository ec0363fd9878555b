# Attributes and C signatures of `metadata_walk.py`.

cimport cython

cimport bitcodec.bitcode.writer.nodes as nodes
from bitcodec.bitcode.writer.type_walk cimport TypeWalk
cimport bitcodec.host.native as native
from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.debug_records cimport DbgLabelRecord, DbgVariableRecord
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport DIArgList, MDNode, MDString, MDTuple, ValueAsMetadata
from bitcodec.object_numbers cimport ObjectNumbers

cdef long long _MODULE, _UNKNOWN
cdef Py_ssize_t _SCOPE, _INLINED_AT


cdef class MetadataCollector:
    cdef readonly object ids
    cdef object _constants
    cdef object _is_in_file
    cdef object _programs
    cdef object _type_walk
    cdef object _contents
    cdef object _lost
    cdef ObjectNumbers _tags
    cdef dict _text_tags
    cdef list _ordered
    cdef object _last_location
    cdef object _scope
    cdef object _inlined_at

    @cython.locals(block=BasicBlock)
    cpdef collect_function(self, function, long long tag)
    cpdef add(self, metadata, long long tag)
    @cython.locals(found=dict, node=MDNode, last="long long", ranked=tuple)
    cpdef in_order(self)
    @cython.locals(instruction=Instruction, type_walk=TypeWalk, has_types=bint, content=tuple)
    cdef int _collect_block(self, instructions, long long tag) except -1
    @cython.locals(label=DbgLabelRecord, variable=DbgVariableRecord)
    cdef int _collect_record(self, record, long long tag) except -1
    cdef int _collect_value(self, metadata, long long tag) except -1
    @cython.locals(known="long long")
    cdef int _add_known(self, node, long long tag) except -1
    @cython.locals(known="long long")
    cdef int _add(self, metadata, long long tag) except -1
    @cython.locals(number="long long")
    cdef long long _tag_of(self, key) except? -2
    @cython.locals(wrapper=ValueAsMetadata, string=MDString)
    cdef _key(self, metadata)
    cdef int _take_leaf(self, key, tag) except -1
    @cython.locals(
        node=MDNode, inner=MDNode, known="long long", number="long long", tags=ObjectNumbers, keys=list, pending=list,
        delayed=list
    )
    cdef int _walk(self, MDNode root, tag) except -1
    @cython.locals(known="long long")
    cdef bint _are_known(self, list keys, long long tag) except -1
    @cython.locals(found=list, content=tuple, place=Py_ssize_t)
    cdef _keys(self, MDNode node)
    cdef int _add_key(self, part, list found) except -1
    @cython.locals(pending=list)
    cdef int _move_to_module(self, key) except -1
