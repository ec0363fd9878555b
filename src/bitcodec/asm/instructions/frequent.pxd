# C signatures of `frequent.py`, and the extension types of what it prints.

import cython

from bitcodec.ir.instructions.arithmetic cimport BinaryOperator, Cast, FCmp, ICmp, Select
from bitcodec.ir.instructions.calls cimport Call, CallBase
from bitcodec.ir.instructions.control_flow cimport Branch, Phi, Return, Switch
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr, Load, Store
from bitcodec.ir.values cimport Value

@cython.locals(count=Value)
cpdef str _alloca(Alloca alloca, types, names, texts)
cdef bint _is_one(count) except -1
@cython.locals(pointer=Value)
cpdef str _load(Load load, types, names, texts)
@cython.locals(value=Value, pointer=Value)
cpdef str _store(Store store, types, names, texts)
@cython.locals(base=Value, index=Value, last=Value)
cpdef str _get_element_ptr(GetElementPtr gep, types, names, texts)
cpdef str _binary(BinaryOperator binary, types, names, texts)
@cython.locals(value=Value)
cpdef str _cast(Cast cast, types, names, texts)
@cython.locals(lhs=Value)
cpdef str _icmp(ICmp compare, types, names, texts)
@cython.locals(lhs=Value)
cpdef str _fcmp(FCmp compare, types, names, texts)
cpdef str _select(Select select, types, names, texts)
cpdef str _phi(Phi phi, types, names, texts)
@cython.locals(value=Value)
cpdef str _return(Return instruction, types, names, texts)
@cython.locals(condition=Value)
cpdef str _branch(Branch branch, types, names, texts)
@cython.locals(condition=Value)
cpdef str _switch(Switch switch, types, names, texts)
cpdef str _call(Call call, types, names, texts)
cpdef str _invoke(CallBase invoke, types, names, texts)
cpdef str _call_branch(CallBase branch, types, names, texts)
@cython.locals(callee=Value)
cdef str _called(CallBase call, str arguments, types, names, texts)
cdef _call_words(attributes, texts)
@cython.locals(argument=Value, callee=Value, size=Py_ssize_t, index=Py_ssize_t)
cdef str _arguments(CallBase call, types, names, texts)
@cython.locals(value=Value)
cdef str _listed(values, types, names, texts)
