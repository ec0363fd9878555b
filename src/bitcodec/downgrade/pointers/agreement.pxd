# Attributes and C signatures of `agreement.py`.

cimport cython

cimport bitcodec.downgrade.pointers.pointees as pointee_nodes
from bitcodec.downgrade.pointers.integers cimport Integers
from bitcodec.downgrade.pointers.pointees cimport Pointees, PointerTypes
from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.instructions.arithmetic cimport BinaryOperator, Cast, ICmp
from bitcodec.ir.instructions.control_flow cimport Branch
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr, Load, Store
from bitcodec.ir.values cimport Value

cdef Py_ssize_t _NONE


@cython.final
cdef class Agreement:
    cdef PointerTypes _types
    cdef Pointees _pointees
    cdef Integers _order
    cdef dict _starts
    cdef Py_ssize_t _place
    cdef bint _is_settled

    cdef bint holds(self, Instruction instruction) except -1
    @cython.locals(place=Py_ssize_t)
    cdef Py_ssize_t _next(self) noexcept
    cdef bint _points_to(self, Py_ssize_t node, shape) except -1
    cdef bint _contains(self, Py_ssize_t pointer, Py_ssize_t other, type_) except -1
    @cython.locals(pointer=Py_ssize_t, result=Py_ssize_t)
    cdef bint _is_load_of(self, Instruction load) except -1
    @cython.locals(pointer=Py_ssize_t, stored=Py_ssize_t, value=Value)
    cdef bint _is_store_of(self, Instruction store) except -1
    @cython.locals(base=Py_ssize_t, result=Py_ssize_t, index=Py_ssize_t)
    cdef bint _is_address_in(self, GetElementPtr address) except -1


@cython.locals(value=Value)
cdef bint _takes_no_pointers(Instruction instruction) except -1
cdef bint _is_simple(value) except -1
