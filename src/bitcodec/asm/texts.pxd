# The attributes of `Texts` for the loops that print.

from bitcodec.object_numbers cimport ObjectTexts

cdef class Texts:
    cdef public object numbering
    cdef public object limit
    cdef public object expressions
    cdef public ObjectTexts references
    cdef public ObjectTexts types
    cdef public ObjectTexts names
    cdef dict _kind_names
    cdef public object use_list_orders
    cdef public bint has_program_address_space
    cdef public dict attribute_words
    cdef public dict call_words
    cdef dict _address_spaces
    cdef public dict function_remarks
    cdef public object _constants
    cdef public object _function
    cdef public object _block_names
    cdef public object _kept_numbers

    cpdef kind_name(self, kind)
