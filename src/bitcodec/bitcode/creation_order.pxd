# Attributes and C signatures of `creation_order.py`.

from bitcodec.ir.values cimport User, Value
from bitcodec.object_numbers cimport ObjectNumbers


cdef class CreationOrder:
    cdef readonly object late_holders
    cdef object _module
    cdef ObjectNumbers _numbers
    cdef long long _next
    cdef list _functions
    cdef list _firsts
    cdef list _constants
    cdef bint _holds_wrapped
    cdef dict _wrapping
    cdef set _mentioning
    cdef set _addressed

    cdef int _await_users(self) except -1
    cdef bint _is_made(self, user) except -1
    cdef int _add_orders(self, instructions, ObjectNumbers positions, list found) except -1
    cdef bint _is_rising(self, uses, long long after, ObjectNumbers numbers) except -1
    cdef _order(self, Value value, long long after, ObjectNumbers made)
    cdef _order_of_few(self, list users, long long after, ObjectNumbers made)
    cdef _all_uses(self, Value value)
    cdef _begin(self, function)
    cdef _make_user(self, user, operands)
    cdef _make(self, user)
    cdef _make_constants(self, values)
    cdef _make_constant(self, constant)
    cdef _make_wrapped(self, instructions, unread)
    cdef _make_wrapped_by(self, metadata)


cdef _find_operand(User user, value, Py_ssize_t first)
