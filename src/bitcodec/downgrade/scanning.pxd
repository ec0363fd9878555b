# Attributes and C signatures of `scanning.py`.

cimport cython

cimport bitcodec.host.native as native
cimport bitcodec.bitcode.writer.nodes as nodes
from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.debug_records cimport DbgVariableRecord
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.member_access cimport member_offset, read_attribute
from bitcodec.ir.metadata cimport content_of, MDNode, MDString, MDTuple
from bitcodec.ir.metadata_values cimport MetadataAsValue
from bitcodec.object_numbers cimport ObjectNumbers

cdef int _EQUALS, _IS_SIZE, _LACKS_BITS, _IS_NO_KEY, _IS_NO_TEXT_OR_TUPLE


cdef class Watch:
    cdef readonly object rule
    cdef bint counts
    cdef list attributes
    cdef list harmless
    cdef list recent
    cdef Py_ssize_t[8] offsets
    cdef list firsts
    cdef list times
    cdef list others

    @cython.locals(index=Py_ssize_t)
    cdef bint count(self, Instruction instruction) except -1
    @cython.locals(index=Py_ssize_t)
    cdef bint are_alike(self, Instruction one, Instruction other) except -1
    cdef attribute_of(self, Instruction instruction, Py_ssize_t index)
    @cython.locals(index=Py_ssize_t, count=Py_ssize_t, values=tuple)
    cdef bint is_harmless(self, Instruction instruction) except -1


cdef class Scan:
    cdef readonly dict replacements
    cdef readonly bint has_misplaced
    cdef ObjectNumbers _kinds
    cdef list _watches
    cdef list _are_calls
    cdef object _survey
    cdef ObjectNumbers _kept
    cdef ObjectNumbers _lossy
    cdef ObjectNumbers _times
    cdef list _firsts
    cdef object _on_location
    cdef Py_ssize_t _place
    cdef object _on_record
    cdef set _known_records
    cdef object _last_kind
    cdef object _last_expression

    @cython.locals(
        block=BasicBlock, instruction=Instruction, watch=Watch, place="long long", record_count=Py_ssize_t,
        watches=list, has_places=bint, counted=list
    )
    cpdef look(self, function, name)
    @cython.locals(variable=DbgVariableRecord)
    cdef Py_ssize_t _look_at_records(self, list records, name) except -1
    @cython.locals(times="long long")
    cdef int _look_at_attributes(self, CallBase call, name) except -1
    @cython.locals(times="long long")
    cdef int _count_attributes(self, name) except -1
    cdef Py_ssize_t _add_kind(self, kind, list watches) except -1


cdef class NodeScan:
    cdef object _tests_of
    cdef ObjectNumbers _kinds
    cdef list _tests

    @cython.locals(place=Py_ssize_t, found=list)
    cpdef list find(self, keys)
    cdef Py_ssize_t _add_kind(self, kind) except -1


@cython.locals(test=int, place=Py_ssize_t, string=MDString, content=tuple)
cdef bint _is_harmless(MDNode node, tuple tests) except -1
