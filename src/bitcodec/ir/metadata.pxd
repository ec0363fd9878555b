cdef class Metadata:
    pass


cdef class MDString(Metadata):
    cdef public object text


cdef class ValueAsMetadata(Metadata):
    cdef public object _followers
    cdef public object _poison
    cdef public object value


cdef class DIArgList(Metadata):
    cdef public object _arguments


cdef class MDNode(Metadata):
    cdef public object _content
    cdef public object is_distinct


cdef class MDTuple(MDNode):
    pass


cdef class NamedMetadata:
    cdef public object _operands
    cdef public object name


cdef class MetadataTable:
    cdef public object _nodes
    cdef public object _strings
    cdef public object lock
    cdef public object wrapper_count

    cpdef known(self, MDNode node, tuple content)


cpdef tuple content_of(MDNode node)
