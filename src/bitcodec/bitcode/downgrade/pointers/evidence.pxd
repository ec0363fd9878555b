# Attributes and C signatures of `evidence.py`.

from bitcodec.bitcode.downgrade.pointers.pointees cimport Pointees
from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr
from bitcodec.ir.instructions.vectors cimport ExtractValue, InsertValue
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers


cdef class Evidence:
    cdef readonly ObjectNumbers nodes
    cdef readonly dict results
    cdef readonly list invokes
    cdef dict _overloaded
    cdef Pointees _pointees
    cdef object _types
    cdef object _declared
    cdef dict _replacements
    cdef object _nothing
    cdef object _byte
    cdef ObjectNumbers _callees
    cdef list _signatures
    cdef dict _elements
    cdef list _local
    cdef list _calls
    cdef list _bytes
    cdef list _fields
    cdef dict _votes
    cdef Py_ssize_t _result

    cpdef Py_ssize_t node(self, Value value) except -2
    cdef int _look(self, BasicBlock block) except -1
    cdef int _agree(self, Py_ssize_t one, value) except -1
    cdef Py_ssize_t _operand(self, value) except -2
    cdef Py_ssize_t _use(self, value, shape) except -2
    cdef int _load(self, Instruction load, original) except -1
    cdef int _store(self, Instruction store) except -1
    cdef int _alloca(self, Alloca alloca, original) except -1
    cdef int _address(self, GetElementPtr address, original) except -1
    cdef tuple _element_at(self, source, operands)
    cdef tuple _element(self, type_, indices)
    cdef int _extract_value(self, ExtractValue extract, original) except -1
    cdef int _insert_value(self, InsertValue insert) except -1
    cdef int _same(self, Instruction instruction, original) except -1
    cdef int _comparison(self, Instruction comparison) except -1
    cdef int _call(self, CallBase call, original) except -1
    cdef tuple _signature_of(self, callee)
