# Attributes and C signatures of `casts.py`.

from bitcodec.downgrade.pointers.agreement cimport Agreement
from bitcodec.downgrade.pointers.constants cimport TypedConstants
from bitcodec.downgrade.pointers.pointees cimport PointerTypes
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.control_flow cimport Phi
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr
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

    cdef tuple _made_block(self, own, dict lowered)
    cdef list _made_in_order(self, tuple before, Instruction original)
    cdef _made(self, Instruction instruction, Instruction original)
    cpdef in_type(self, value, wanted)
    cdef _pointing(self, value, pointee)
    cdef _cast_of(self, value, wanted)
    cpdef plainly(self, value)
    cpdef type_of(self, value)
    cdef _new_cast_of(self, value, wanted)
    cdef int _put_behind(self, value, cast) except -1
    cpdef copied(self, Instruction instruction, operands)
    cpdef plain(self, Instruction instruction)
    cdef _load(self, Instruction load, Instruction original)
    cdef _store(self, Instruction store)
    cdef _alloca(self, Alloca alloca, Instruction original)
    cdef tuple _steps_of(self, Py_ssize_t number)
    cdef _address(self, GetElementPtr address, Instruction original)
    cpdef same(self, Instruction instruction, Instruction original)
    cpdef aggregates(self, Instruction instruction)
    cdef _incoming(self, Phi phi, Instruction original)
    cdef _cast(self, Instruction cast, Instruction original)
    cdef _comparison(self, Instruction comparison)
    cdef _return(self, Instruction ret)
    cpdef call(self, CallBase call, Instruction original)
