# Attributes of `module_state.py`.

cimport cython

from bitcodec.asm.parser.function_state cimport ParsedFunction
from bitcodec.asm.parser.lexer cimport Lexer
from bitcodec.asm.parser.metadata_state cimport MetadataState

from bitcodec.ir.values cimport Value

cdef int SIZED



cdef class ModuleState:
    cdef public Lexer lexer
    cdef public object module
    cdef public object dialect
    cdef public object pointee
    cdef public Py_ssize_t pointee_end
    cdef public dict old_fields
    cdef public dict parameter_pointees
    cdef public dict expandables
    cdef public object budget
    cdef public bint has_expandables
    cdef public object context
    cdef public object types
    cdef public object constants
    cdef public object void
    cdef public object ptr
    cdef public object label
    cdef public object metadata_type
    cdef public object program_space
    cdef public object null
    cdef public object one
    cdef public set indexed
    cdef public set casts
    cdef public dict function_types
    cdef public dict attribute_lists
    cdef public dict spelled_sets
    cdef public object boolean
    cdef public object named_types
    cdef public dict type_names
    cdef public dict opcodes
    cdef public bint is_old
    cdef public dict primitive_types
    cdef public MetadataState metadata
    cdef public list assembly
    cdef public dict groups
    cdef public list group_users
    cdef public object pending
    cdef public ParsedFunction function
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
    cdef public dict traits
    cdef set _sized
    cdef int _ptr_traits
    cdef public object summary
    cdef public object surroundings

    cpdef object integer_type(self, bytes text)
    cpdef object integer(self, object type, bytes text, object number)
    cpdef int traits_of(self, object type) except -1
    cdef bint _is_sized(self, object type) except -1
    @cython.locals(value=Value)
    cpdef object function_type(self, object result, list arguments)
    cpdef object function_of(self, object result, list types)
    cpdef object attribute_list(self, own, returned, dict parameters)
    cpdef object spelled_set(self, bytes text, list attributes)
    cpdef object attribute_set(self, list attributes)
    cpdef int note_place(self, str kind, str name, Py_ssize_t position) except -1
    cpdef object global_value(self, object key, object type, Py_ssize_t position)
