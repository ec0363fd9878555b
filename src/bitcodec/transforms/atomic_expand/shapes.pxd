# C signatures of `shapes.py`, and the extension types of what it looks at.

import cython

from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.instructions.arithmetic cimport BinaryOperator, Cast, ICmp
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.instructions.memory cimport AtomicCmpXchg, AtomicRMW, Load, Store
from bitcodec.ir.instructions.vectors cimport ExtractValue
from bitcodec.ir.values cimport Value


cdef object _NOT_ATOMIC
cdef tuple _NOTHING


@cython.locals(found=list, load=Load, store=Store)
cpdef list atomics_of(BasicBlock block)
@cython.locals(rmw=AtomicRMW, exchange=AtomicCmpXchg, load=Load, store=Store)
cpdef soundness_of(Instruction instruction)
@cython.locals(shape=list, halves=list)
cpdef shape_of(Instruction instruction, bint has_conditions)
cdef bint _are_decisive(kind, users, bint has_conditions) except -1
cpdef bint is_first(Instruction instruction) except -1
@cython.locals(following=Instruction, user=ExtractValue, halves=list)
cdef list _halves(Instruction exchange)
@cython.locals(variable=list, operand=Value, cast=Cast, source=Value)
cdef bint _add_operands(Instruction instruction, list shape) except -1
@cython.locals(rmw=AtomicRMW, exchange=AtomicCmpXchg, load=Load, store=Store)
cdef _add_attributes(Instruction instruction, list shape)
