cimport cython

from bitcodec.bitcode.reader.instruction_maker cimport InstructionMaker
from bitcodec.ir.instructions.instruction cimport Instruction, Terminator

cdef Py_ssize_t _VALUE_PAIR_OPERANDS, _LOCATION_OPERANDS, _RECORD_NODES, _TAG_SLOT, _INPUTS_SLOT
cdef unsigned int _DECLARE_BLOCKS, _SWITCH, _CAST, _OLD_CMPXCHG, _BUNDLE, _LOCATION, _SAME_LOCATION
cdef unsigned int _ADDRESS_USERS, _VALUE_SIMPLE
cdef const unsigned char[::1] _IS_ORDINARY, _RESULT_RULES, _RESULT_SLOTS
cdef unsigned char _NO_RULE, _FIELD, _CONTAINED, _ADDRESS
cdef Py_ssize_t _FIRST_INDEX


cdef class BodyReader(InstructionMaker):
    cdef readonly list instructions
    cdef object _records
    cdef const unsigned int[::1] _codes
    cdef object _forward
    cdef dict _waiting
    cdef list _unplaced
    cdef object _file_types
    cdef dict _addresses
    cdef object _pointer
    cdef object _declare
    cdef list _located
    cdef list _location_rows
    cdef list _debug_records
    cdef list _open_blocks
    cdef object _block
    cdef list _block_instructions
    cdef object _last
    cdef Py_ssize_t _location_row
    cdef Py_ssize_t _row

    @cython.locals(row=Py_ssize_t, code="unsigned int")
    cdef _read_rows(self, Py_ssize_t first, Py_ssize_t last)
    cdef _read_special(self, Py_ssize_t row, unsigned int code)
    @cython.locals(at=Py_ssize_t)
    cdef _operands(self)
    cdef _add(self, Instruction instruction, int code)
    @cython.locals(rule="unsigned char")
    cdef _result_type_id(self, int code, Instruction instruction)
    @cython.locals(operands=tuple, place=Py_ssize_t, position=Py_ssize_t)
    cdef _address_id(self, long long type_id, Instruction instruction)
    cdef _open_next(self)
    cdef _read_cast(self, unsigned int code)
    @cython.locals(count=Py_ssize_t)
    cdef _read_old_cmpxchg(self, unsigned int code)
    cdef _declare_blocks(self)
    cdef _read_location(self, Py_ssize_t row)
    cdef _repeat_location(self)
    @cython.locals(number="unsigned long long", index="unsigned long long")
    cdef _read_debug_record(self, Py_ssize_t row, unsigned int code)
    cdef _check_users(self)
