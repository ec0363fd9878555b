cimport cython

from bitcodec.bitcode.reader.field_reader cimport FieldReader
from bitcodec.ir.instructions.arithmetic cimport make_binary, make_cast, make_icmp, make_select
from bitcodec.ir.instructions.calls cimport make_call
from bitcodec.ir.instructions.control_flow cimport make_branch, make_phi, make_return
from bitcodec.ir.instructions.memory cimport make_alloca, make_get_element_ptr, make_load, make_store
from bitcodec.ir.values cimport Value

cdef unsigned int _BINOP, _CAST, _CMP, _CMP2, _SELECT, _VSELECT, _ALLOCA, _GEP, _GEP_OLD, _INBOUNDS_GEP_OLD
cdef unsigned int _LOAD, _STORE, _STORE_OLD, _PHI, _CALL, _BR, _RET
cdef Py_ssize_t _POINTER_SLOT, _VALUE_SLOT, _TYPE_SLOT, _ALIGNMENT_SLOT
cdef Py_ssize_t _LHS_SLOT, _RHS_SLOT, _OPERAND_SLOT, _OPCODE_SLOT, _FLAGS_SLOT, _PREDICATE_SLOT
cdef Py_ssize_t _TRUE_SLOT, _FALSE_SLOT, _CONDITION_SLOT, _SIZE_SLOT, _ADDRESS_SPACE_SLOT
cdef Py_ssize_t _SOURCE_SLOT, _OPERANDS_SLOT, _INCOMING_SLOT, _TARGET_SLOT, _OTHERWISE_SLOT
cdef Py_ssize_t _ATTRIBUTES_SLOT, _FAST_MATH_SLOT, _FUNCTION_TYPE_SLOT, _CALLEE_SLOT, _ARGUMENTS_SLOT
cdef tuple _INTEGER_OPCODES, _CASTS
# Mappings that compute what they lack: their class counts.
cdef object _CMP_FLAGS, _GEP_FLAGS, _ALLOCA_FLAGS, _LOAD_FLAGS, _STORE_FLAGS
cdef dict _BINARY_FLAGS, _CAST_FLAGS, _FAST_MATH
cdef unsigned long long _INTEGER_OPCODE_COUNT, _CAST_COUNT
cdef dict _INTEGER_PREDICATES
cdef unsigned long long _ALLOCA_LOW, _ALLOCA_HIGH_SHIFT, _ALLOCA_TYPED
cdef unsigned long long _CONVENTION_SHIFT, _CONVENTION_MASK, _TAIL, _MUST_TAIL, _NO_TAIL
cdef object _NOT_ATOMIC, _NO_TAIL_KIND

cdef _tail_kind(unsigned long long flags)


cdef class InstructionMaker(FieldReader):
    cdef set _sized
    cdef object _void
    cdef object _layout
    cdef list _bundles

    cdef make(self, unsigned int code)
    cdef _make_rarely(self, unsigned int code)
    @cython.locals(number="unsigned long long", pointer=Value)
    cdef _load(self)
    @cython.locals(number="unsigned long long", pointer=Value, value=Value)
    cdef _store(self)
    @cython.locals(flags="unsigned long long", size=Value)
    cdef _alloca(self)
    @cython.locals(operands=list, first=Value)
    cdef _get_element_ptr(self)
    @cython.locals(index=Py_ssize_t, operand=Value)
    cdef bint _leads_to_element(self, type_, list operands) except -1
    @cython.locals(number="unsigned long long", flags="unsigned long long", lhs=Value, rhs=Value)
    cdef _binary(self)
    @cython.locals(number="unsigned long long", flags="unsigned long long", operand=Value)
    cdef _cast(self)
    @cython.locals(flags="unsigned long long", lhs=Value, rhs=Value)
    cdef _compare(self)
    @cython.locals(condition=Value, value=Value, other=Value)
    cdef _select(self, unsigned long long flags)
    cdef _phi(self)
    cdef _branch(self)
    cdef _return(self)
    @cython.locals(flags="unsigned long long", number="unsigned long long", arguments=list, callee=Value)
    cdef _call(self)
    @cython.locals(known=dict)
    cdef _call_attributes(self, function_type, callee, list arguments)
