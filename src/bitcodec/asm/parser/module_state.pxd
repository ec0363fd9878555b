# Attributes of `module_state.py`.

from bitcodec.asm.parser.function_state cimport FunctionState
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.metadata_state cimport MetadataState


cdef class ModuleState:
    cdef public Lexer lexer
    cdef public object module
    cdef public object dialect
    cdef public object pointee
    cdef public Py_ssize_t pointee_end
    cdef public dict parameter_pointees
    cdef public dict expandables
    cdef public object budget
    cdef public bint has_expandables
    cdef public object context
    cdef public object types
    cdef public object constants
    cdef public object void
    cdef public object boolean
    cdef public object named_types
    cdef public dict primitive_types
    cdef public MetadataState metadata
    cdef public list assembly
    cdef public dict groups
    cdef public list group_users
    cdef public object pending
    cdef public FunctionState function
    cdef public Py_ssize_t opcode_start
    cdef public bint has_comma
    cdef public dict integers
    cdef public dict whole_types
    cdef public dict globals
    cdef public dict numbered
    cdef public object next_number
    cdef public dict forward_globals
    cdef public dict comdats
    cdef public dict comdat_uses
    cdef public dict waiting_addresses
    cdef dict _attribute_sets
    cdef dict _integer_types
    cdef set _sized
    cdef public object summary

    cpdef object integer_type(self, bytes text)
    cpdef object integer(self, object type, bytes text, object number)
    cpdef bint is_sized(self, object type) except -1
    cpdef object attribute_set(self, list attributes)
    cpdef object global_value(self, object key, object type, Py_ssize_t position)
