# C signatures of `frequent.py`, and the extension types of what it prints.

import cython

from bitcodec.asm.texts cimport Texts
from bitcodec.ir.instructions.arithmetic cimport BinaryOperator, Cast, FCmp, ICmp, Select
from bitcodec.ir.instructions.calls cimport Call, CallBase
from bitcodec.ir.instructions.control_flow cimport Branch, Phi, Return, Switch
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr, Load, Store
from bitcodec.ir.values cimport Value

cdef object _ALIGNMENTS
cdef object _NOT_ATOMIC
cdef object _NO_TAIL
cdef object _MUST_TAIL
cdef int _OPERANDS_OF_MOST_GEPS

@cython.locals(count=Value)
cpdef str _alloca(Alloca alloca, types, names, Texts texts)
cdef bint _is_one(count) except -1
@cython.locals(pointer=Value)
cpdef str _load(Load load, types, names, Texts texts)
@cython.locals(value=Value, pointer=Value)
cpdef str _store(Store store, types, names, Texts texts)
@cython.locals(base=Value, index=Value, last=Value)
cpdef str _get_element_ptr(GetElementPtr gep, types, names, Texts texts)
cpdef str _binary(BinaryOperator binary, types, names, Texts texts)
@cython.locals(value=Value)
cpdef str _cast(Cast cast, types, names, Texts texts)
@cython.locals(lhs=Value)
cpdef str _icmp(ICmp compare, types, names, Texts texts)
@cython.locals(lhs=Value)
cpdef str _fcmp(FCmp compare, types, names, Texts texts)
cpdef str _select(Select select, types, names, Texts texts)
cpdef str _phi(Phi phi, types, names, Texts texts)
@cython.locals(value=Value)
cpdef str _return(Return instruction, types, names, Texts texts)
@cython.locals(condition=Value)
cpdef str _branch(Branch branch, types, names, Texts texts)
@cython.locals(condition=Value)
cpdef str _switch(Switch switch, types, names, Texts texts)
cpdef str _call(Call call, types, names, Texts texts)
cpdef str _invoke(CallBase invoke, types, names, Texts texts)
cpdef str _call_branch(CallBase branch, types, names, Texts texts)
@cython.locals(callee=Value)
cdef str _called(CallBase call, str arguments, types, names, Texts texts)
cdef _call_words(attributes, Texts texts)
@cython.locals(argument=Value, callee=Value, size=Py_ssize_t, index=Py_ssize_t)
cdef str _arguments(CallBase call, types, names, Texts texts)
@cython.locals(value=Value)
cdef str _listed(values, types, names, Texts texts)
