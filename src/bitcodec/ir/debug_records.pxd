cdef class DebugRecord:
    cdef public object location


cdef class DbgVariableRecord(DebugRecord):
    cdef public object _address
    cdef public object _value
    cdef public object address_expression
    cdef public object assign_id
    cdef public object expression
    cdef public object kind
    cdef public object variable


cdef class DbgLabelRecord(DebugRecord):
    cdef public object label
