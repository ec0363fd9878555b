# Attributes and C signatures of `evidence.py`.

cimport cython

cimport bitcodec.downgrade.pointers.pointees as pointee_nodes
from bitcodec.downgrade.pointers.field_search cimport FieldSearch
from bitcodec.downgrade.pointers.integers cimport Integers
from bitcodec.downgrade.pointers.pointees cimport Pointees
from bitcodec.downgrade.pointers.types cimport TypedTypes
from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.instructions.arithmetic cimport BinaryOperator, Cast, ICmp, Select
from bitcodec.ir.instructions.calls cimport Call, CallBase
from bitcodec.ir.instructions.control_flow cimport Branch, Phi, Return
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr, Load, Store
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers

cdef Py_ssize_t _NONE


cdef class Evidence:
    cdef readonly ObjectNumbers nodes
    cdef readonly ObjectNumbers silent
    cdef readonly dict locals
    cdef ObjectNumbers _local_nodes
    cdef readonly Integers order
    cdef readonly dict starts
    cdef readonly ObjectNumbers lowered
    cdef dict _later
    cdef readonly dict results
    cdef readonly list invokes
    cdef readonly FieldSearch fields
    cdef Py_ssize_t _accessed
    cdef ObjectNumbers _sources
    cdef ObjectNumbers _places_of_tags
    cdef list _tags
    cdef readonly Pointees pointees
    cdef readonly TypedTypes types
    cdef object _declared
    cdef dict _replacements
    cdef readonly object nothing
    cdef object _byte
    cdef ObjectNumbers _callees
    cdef list _signatures
    cdef list _elements
    cdef Integers _local
    cdef Integers _calls
    cdef Integers _bytes
    cdef dict _votes
    cdef Py_ssize_t _result

    @cython.locals(found=Py_ssize_t, following=Py_ssize_t)
    cpdef Py_ssize_t node(self, Value value) except -2
    @cython.locals(before=Py_ssize_t)
    cpdef int put(self, instruction, Py_ssize_t node) except -1
    @cython.locals(instruction=Instruction, original=Instruction, replacements=dict, has_replacements=bint)
    cdef int _look(self, BasicBlock block) except -1
    @cython.locals(pointees=Pointees, place=Py_ssize_t)
    cpdef _conclude(self)
    @cython.locals(node=Py_ssize_t, place=Py_ssize_t, last=Integers)
    cdef int _take_later(self) except -1
    @cython.locals(place=Py_ssize_t, pointees=Pointees)
    cdef int _agree_all(self, Integers pairs) except -1
    @cython.locals(other=Py_ssize_t)
    cpdef int agree(self, Py_ssize_t one, value) except -1
    cdef Py_ssize_t _operand(self, value) except -2
    cpdef Py_ssize_t use(self, value, shape) except -2
    cdef Py_ssize_t _use_node(self, Py_ssize_t node, shape) except -2
    @cython.locals(result=Py_ssize_t, is_tagged=bint, node=Py_ssize_t, content=Py_ssize_t)
    cdef int _load(self, Instruction load, original) except -1
    @cython.locals(stored=Py_ssize_t, value=Value, is_tagged=bint, node=Py_ssize_t, content=Py_ssize_t)
    cdef int _store(self, Instruction store, original) except -1
    cdef Py_ssize_t _content_of(self, bint is_tagged, Py_ssize_t node, shape) except -2
    cdef int _keep(self, Py_ssize_t one, Py_ssize_t other) except -1
    @cython.locals(address=GetElementPtr, node=Py_ssize_t, attached=dict, place="long long")
    cdef bint _is_tagged(self, Instruction access, pointer, shape) except -1
    cdef int _alloca(self, Alloca alloca, original) except -1
    @cython.locals(node=Py_ssize_t, base=Py_ssize_t)
    cdef int _address(self, GetElementPtr address, original) except -1
    @cython.locals(node=Py_ssize_t, content=Py_ssize_t, place=Py_ssize_t, is_field=bint)
    cdef Py_ssize_t _new_element(self, source, operands, original) except -2
    @cython.locals(known=dict)
    cdef tuple _element_at(self, Py_ssize_t place, source, operands)
    @cython.locals(place=Py_ssize_t)
    cdef Py_ssize_t _place_of(self, source) except -1
    @cython.locals(node=Py_ssize_t, operand=Value)
    cpdef int same(self, Instruction instruction, original) except -1
    @cython.locals(lhs=Value)
    cdef int _comparison(self, Instruction comparison) except -1
    @cython.locals(node=Py_ssize_t, other=Py_ssize_t, index=Py_ssize_t, signature=tuple, count=Py_ssize_t)
    cdef int _call(self, CallBase call, original) except -1
    cdef Py_ssize_t _result_of(self, CallBase call, Py_ssize_t node) except -2
    @cython.locals(place=Py_ssize_t)
    cdef tuple _signature_of(self, callee)
