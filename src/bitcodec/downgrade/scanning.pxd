# Attributes and C signatures of `scanning.py`.

from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.metadata cimport MDNode
from bitcodec.object_numbers cimport ObjectNumbers


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

    cdef bint count(self, Instruction instruction) except -1
    cdef bint are_alike(self, Instruction one, Instruction other) except -1
    cdef attribute_of(self, Instruction instruction, Py_ssize_t index)
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

    cdef Py_ssize_t _look_at_records(self, list records, name) except -1
    cdef Py_ssize_t _add_kind(self, kind, list watches) except -1
    cdef int _look_at_attributes(self, CallBase call, name) except -1
    cdef int _count_attributes(self, name) except -1


cdef class NodeScan:
    cdef object _tests_of
    cdef ObjectNumbers _kinds
    cdef list _tests

    cdef Py_ssize_t _add_kind(self, kind) except -1


cdef bint _is_harmless(MDNode node, tuple tests) except -1
