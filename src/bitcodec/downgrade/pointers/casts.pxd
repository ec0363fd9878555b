# Attributes and C signatures of `casts.py`.

cimport cython

cimport bitcodec.downgrade.pointers.types as typed_types
cimport bitcodec.downgrade.pointers.pointees as pointee_nodes
from bitcodec.downgrade.pointers.agreement cimport Agreement
from bitcodec.downgrade.pointers.constants cimport TypedConstants
from bitcodec.downgrade.pointers.pointees cimport PointerTypes
from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
cimport bitcodec.ir.construction.copies as copies
from bitcodec.ir.instructions.arithmetic cimport BinaryOperator, Cast, ICmp, Select
from bitcodec.ir.instructions.calls cimport Call, CallBase
from bitcodec.ir.instructions.control_flow cimport Branch, Phi, Return
from bitcodec.ir.instructions.exceptions cimport CatchSwitch
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr, Load, Store
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectNumbers


cdef class BodyCasts:
    cdef readonly PointerTypes types
    cdef readonly object values
    cdef readonly TypedConstants constants
    cdef readonly object function
    cdef dict _casts
    cdef object _block
    cdef dict _rare
    cdef dict _found
    cdef ObjectNumbers _numbers_of_paths
    cdef list _paths
    cdef object _byte
    cdef list _steps
    cdef object _numbers
    cdef list _front
    cdef dict _leading
    cdef object _returned
    cdef dict _typed
    cdef Agreement _agreement
    cdef ObjectNumbers _lowered_blocks

    @cython.locals(block=BasicBlock, found=list, is_lowered=bint)
    cpdef list made(self, function, dict lowered)
    @cython.locals(number=Py_ssize_t, written=list, values=list)
    cdef tuple _made_block(self, own, dict lowered)
    @cython.locals(instruction=Instruction, copies=dict, made=list)
    cdef list _made_in_order(self, tuple before, Instruction original)
    cdef _made(self, Instruction instruction, Instruction original)
    @cython.locals(typed=Value)
    cpdef in_type(self, value, wanted)
    @cython.locals(typed=Value)
    cdef _pointing(self, value, pointee)
    cdef _cast_of(self, value, wanted)
    @cython.locals(typed=Value)
    cdef _new_cast_of(self, value, wanted)
    cpdef plainly(self, value)
    cpdef type_of(self, value)
    @cython.locals(instruction=Instruction, block=BasicBlock)
    cdef int _put_behind(self, value, cast) except -1
    @cython.locals(index=Py_ssize_t)
    cpdef copied(self, Instruction instruction, operands)
    cpdef plain(self, Instruction instruction)
    cdef _load(self, Instruction load, Instruction original)
    @cython.locals(value=Value)
    cdef _store(self, Instruction store)
    @cython.locals(copy=Alloca)
    cdef _alloca(self, Alloca alloca, Instruction original)
    @cython.locals(copy=GetElementPtr, number=Py_ssize_t)
    cdef _address(self, GetElementPtr address, Instruction original)
    cdef tuple _steps_of(self, Py_ssize_t number)
    cpdef same(self, Instruction instruction, Instruction original)
    cpdef aggregates(self, Instruction instruction)
    @cython.locals(copy=Instruction)
    cdef _incoming(self, Phi phi, Instruction original)
    @cython.locals(copy=Instruction)
    cdef _cast(self, Instruction cast, Instruction original)
    @cython.locals(lhs=Value)
    cdef _comparison(self, Instruction comparison)
    cdef _return(self, Instruction ret)
    @cython.locals(
        copy=CallBase, index=Py_ssize_t, changed=list, last=Py_ssize_t, is_direct=bint, signature=tuple,
        parameters=tuple, typed=Py_ssize_t
    )
    cpdef call(self, CallBase call, Instruction original)
