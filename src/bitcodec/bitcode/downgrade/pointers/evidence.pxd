# Attributes and C signatures of `evidence.py`.

from bitcodec.bitcode.downgrade.pointers.pointees cimport Integers, Pointees
from bitcodec.ir.basic_blocks cimport BasicBlock
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers


cdef class Evidence:
    cdef readonly ObjectNumbers nodes
    cdef readonly dict locals
    cdef ObjectNumbers _local_nodes
    cdef readonly dict results
    cdef readonly list invokes
    cdef readonly dict paths
    cdef object _layout_fields
    cdef list _derived
    cdef list _hints
    cdef ObjectNumbers _sources
    cdef ObjectNumbers _places_of_tags
    cdef list _tags
    cdef readonly Pointees pointees
    cdef readonly object types
    cdef object _declared
    cdef dict _replacements
    cdef readonly object nothing
    cdef object _byte
    cdef ObjectNumbers _callees
    cdef list _signatures
    cdef dict _elements
    cdef Integers _local
    cdef Integers _calls
    cdef Integers _bytes
    cdef dict _found_paths
    cdef list _fields
    cdef Integers _field_nodes
    cdef dict _votes
    cdef Py_ssize_t _result

    cpdef Py_ssize_t node(self, Value value) except -2
    cpdef int put(self, instruction, Py_ssize_t node) except -1
    cdef int _look(self, BasicBlock block) except -1
    cdef int _agree_all(self, Integers pairs) except -1
    cdef int _find_fields(self) except -1
    cdef bint _is_field(self, tuple found, Py_ssize_t base, Py_ssize_t node, original) except -1
    cdef bint _is_tagged(self, Instruction access, pointer, shape) except -1
    cpdef int agree(self, Py_ssize_t one, value) except -1
    cdef Py_ssize_t _operand(self, value) except -2
    cpdef Py_ssize_t use(self, value, shape) except -2
    cdef int _load(self, Instruction load, original) except -1
    cdef int _store(self, Instruction store) except -1
    cdef int _alloca(self, Alloca alloca, original) except -1
    cdef int _address(self, GetElementPtr address, original) except -1
    cdef int _add_field(self, original, Py_ssize_t node, Py_ssize_t field) except -1
    cdef tuple _element_at(self, source, operands)
    cpdef int same(self, Instruction instruction, original) except -1
    cdef int _comparison(self, Instruction comparison) except -1
    cdef int _call(self, CallBase call, original) except -1
    cdef tuple _signature_of(self, callee)


cdef tuple _described(path)
