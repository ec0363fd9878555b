from bitcodec.ir.values cimport Value


cdef class MetadataAsValue(Value):
    cdef public object _metadata
