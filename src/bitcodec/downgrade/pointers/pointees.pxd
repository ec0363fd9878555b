# Attributes and C signatures of `pointees.py`.

cimport cython

from bitcodec.bitcode.writer.instruction_forms cimport RecordTypes
from bitcodec.downgrade.pointers.integers cimport Integers
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers

cdef Py_ssize_t _NONE, _LEVELS, _FIRST_ROOM


@cython.final
cdef class Pointees:
    cdef readonly Py_ssize_t bytes
    cdef Integers _parents
    cdef list _shapes
    cdef Integers _contents
    cdef object _byte

    @cython.locals(node=Py_ssize_t)
    cpdef Py_ssize_t new(self, shape=*, Py_ssize_t content=*) except -1
    @cython.locals(made=Py_ssize_t)
    cpdef Py_ssize_t alias(self, Py_ssize_t node) except -1
    @cython.locals(parents="int *", parent=Py_ssize_t, above=Py_ssize_t)
    cpdef Py_ssize_t find(self, Py_ssize_t node) noexcept
    cpdef shape(self, Py_ssize_t node)
    cpdef Py_ssize_t content(self, Py_ssize_t node) except -2
    cdef settled_shape(self, Py_ssize_t node)
    @cython.locals(parents="int *")
    cdef bint contains(self, Py_ssize_t pointer, Py_ssize_t other) noexcept
    @cython.locals(root=Py_ssize_t, content=Py_ssize_t)
    cpdef Py_ssize_t use(self, Py_ssize_t node, shape) except -2
    @cython.locals(
        first=Py_ssize_t, second=Py_ssize_t, depth=Py_ssize_t, contents="int *", following=Py_ssize_t,
        other_following=Py_ssize_t
    )
    cpdef bint agree(self, Py_ssize_t one, Py_ssize_t other) except -1
    cdef int _merge(self, Py_ssize_t one, Py_ssize_t other) except -1
    @cython.locals(
        contents="int *", parents="int *", shapes=list, count=Py_ssize_t, bytes_node=Py_ssize_t, start=Py_ssize_t,
        node=Py_ssize_t, depth=Py_ssize_t, place=Py_ssize_t, each=Py_ssize_t, path=Integers, found=Integers,
        depths="int *"
    )
    cpdef settle(self)


cdef class PointerTypes(RecordTypes):
    cdef readonly ObjectNumbers nodes
    cdef dict _of_functions
    cdef ObjectNumbers _local_nodes
    cdef Pointees _pointees
    cdef object _types
    cdef object _plain
    cdef object _others
    cdef list _found
    cdef dict _set
    cdef ObjectNumbers _places
    cdef list _typed
    cdef object _last_type
    cdef object _last_typed
    cdef ObjectNumbers _places_of_pointees
    cdef list _pointers
    cdef ObjectNumbers _callees
    cdef list _signatures
    cdef ObjectNumbers _places_of_others
    cdef list _types_of_others

    @cython.locals(place="long long")
    cpdef typed(self, type_)
    @cython.locals(place="long long")
    cpdef pointer_to(self, type_, pointee)
    @cython.locals(root=Py_ssize_t)
    cpdef pointee(self, Py_ssize_t node)
    @cython.locals(node="long long")
    cpdef known_pointee(self, value)
    cdef bint has_set_pointees(self) noexcept
    @cython.locals(nodes=ObjectNumbers, node=Py_ssize_t)
    cpdef set_pointee(self, value, pointee)
    @cython.locals(place="long long")
    cpdef type_of(self, Value value)
    @cython.locals(address=GetElementPtr, alloca=Alloca)
    cpdef explicit_type(self, Instruction _instruction)
    @cython.locals(signature=tuple)
    cpdef call_type(self, CallBase call)
    @cython.locals(place="long long")
    cpdef tuple signature(self, callee)


cpdef bint is_pointers(type_) except -1
