# Attributes and C signatures of `creation_order.py`.

cimport cython

cimport bitcodec.host.native as native
from bitcodec.ir.basic_blocks cimport BasicBlock
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.debug_records cimport DbgVariableRecord
from bitcodec.ir.instructions.calls cimport CallBase
from bitcodec.ir.instructions.instruction cimport Instruction
from bitcodec.ir.values cimport User, Value
from bitcodec.object_numbers cimport ObjectNumbers

cdef long long _STEP, _AWAITED
cdef Py_ssize_t _FEW


cdef class CreationOrder:
    cdef readonly object late_holders
    cdef object _module
    cdef ObjectNumbers _numbers
    cdef long long _next
    cdef list _constants
    cdef bint _holds_wrapped
    cdef dict _wrapping
    cdef set _mentioning
    cdef set _addressed

    @cython.locals(value=Value, numbers=ObjectNumbers)
    cdef int _await_users(self) except -1
    cdef bint _is_made(self, user) except -1
    @cython.locals(number="long long", is_late=bint, numbers=ObjectNumbers, block=BasicBlock)
    cpdef make_function(self, function)
    @cython.locals(numbers=ObjectNumbers)
    cpdef sort_made(self, users)
    cpdef uses(self, Value value)
    @cython.locals(number="long long", limit="long long")
    cpdef limits(self, instructions)
    @cython.locals(numbers=ObjectNumbers)
    cpdef sort_uses(self, Value value)
    cpdef order(self, Value value)
    @cython.locals(block=BasicBlock, positions=ObjectNumbers, found_blocks=list, found=list, position="long long")
    cpdef local_orders(self, arguments, dict blocks)
    @cython.locals(instruction=Instruction)
    cdef int _add_orders(self, instructions, ObjectNumbers positions, list found) except -1
    cpdef is_in_order(self, Value value)
    @cython.locals(last="long long", numbers=ObjectNumbers)
    @cython.locals(value=Value, found=dict)
    cpdef shared_orders(self)
    @cython.locals(last="long long", number="long long")
    cdef bint _is_rising(self, uses, long long after, ObjectNumbers numbers) except -1
    cdef _order(self, Value value, long long after, ObjectNumbers made)
    @cython.locals(
        numbers="long long[64]", read="int[64]", count=int, early=int, place=int, last=int, is_changed=bint,
        number="long long"
    )
    cdef _order_of_few(self, list users, long long after, ObjectNumbers made)
    @cython.locals(nexts=dict)
    cdef _all_uses(self, Value value)
    cdef _make_user(self, user, operands)
    cdef _make(self, user)
    cdef _make_constants(self, values)
    cdef _make_constant(self, constant)
    @cython.locals(instruction=Instruction, variable=DbgVariableRecord)
    cdef _make_wrapped(self, instructions, unread)
    cdef _make_wrapped_by(self, metadata)


@cython.locals(number=Py_ssize_t)
cdef _find_operand(User user, value, Py_ssize_t first)
