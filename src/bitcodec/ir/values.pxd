cimport cython


cdef class Value:
    cdef public object _as_metadata
    cdef public object _name
    cdef public object _uses
    cdef public object type


cdef class User(Value):
    cdef public object _operands

    @cython.locals(operand=Value)
    cpdef _set_operands(self, object operands)
    @cython.locals(operand=Value, index=Py_ssize_t)
    cpdef _drop_operands(self)


cpdef remove_use(Value value, object user, object number)
@cython.locals(
    users=list, found=list, count=Py_ssize_t, last=Py_ssize_t, index=Py_ssize_t, place="unsigned long long"
)
cpdef bint order_users(Value value, list order) except -1
