# C signatures of `frequent.py`, and the extension types of what it prints.

import cython

from bitcodec.asm.text_buffer cimport TextBuffer
from bitcodec.asm.texts cimport Texts
cimport bitcodec.ir.construction.present as present
from bitcodec.ir.instructions.arithmetic cimport BinaryOperator, Cast, FCmp, ICmp, Select
from bitcodec.ir.instructions.calls cimport Call, CallBase
from bitcodec.ir.instructions.control_flow cimport Branch, Phi, Return, Switch
from bitcodec.ir.instructions.memory cimport Alloca, GetElementPtr, Load, Store
from bitcodec.ir.values cimport Value
from bitcodec.object_numbers cimport ObjectTexts

cdef object _NOT_ATOMIC
cdef object _NO_TAIL
cdef object _MUST_TAIL
# Mappings that compute what they lack: their class counts.
cdef object _ALLOCA_FLAGS, _CMP_FLAGS, _GEP_FLAGS, _FAST_MATH
cdef int _OPERANDS_OF_MOST_GEPS

cpdef bint add_frequent(TextBuffer text, instruction, kind, ObjectTexts types, ObjectTexts names, Texts texts) except -1
cdef void _add_typed(TextBuffer text, Value value, ObjectTexts types, ObjectTexts names) except *
cdef void _add_alignment(TextBuffer text, alignment) except *
@cython.locals(count=Value)
cdef void _add_alloca(TextBuffer text, Alloca alloca, ObjectTexts types, Texts texts) except *
cdef bint _is_one(count) except -1
@cython.locals(pointer=Value)
cdef void _add_load(TextBuffer text, Load load, ObjectTexts types, ObjectTexts names) except *
@cython.locals(value=Value, pointer=Value)
cdef void _add_store(TextBuffer text, Store store, ObjectTexts types, ObjectTexts names) except *
@cython.locals(base=Value, index=Value, last=Value)
cdef void _add_get_element_ptr(TextBuffer text, GetElementPtr gep, ObjectTexts types, ObjectTexts names, Texts texts) except *
cdef void _add_binary(TextBuffer text, BinaryOperator binary, ObjectTexts types, ObjectTexts names) except *
cdef void _add_pair(TextBuffer text, Value lhs, Value rhs, ObjectTexts types, ObjectTexts names) except *
cdef void _add_cast(TextBuffer text, Cast cast, ObjectTexts types, ObjectTexts names) except *
cdef void _add_icmp(TextBuffer text, ICmp compare, ObjectTexts types, ObjectTexts names) except *
cdef void _add_fcmp(TextBuffer text, FCmp compare, ObjectTexts types, ObjectTexts names) except *
cdef void _add_select(TextBuffer text, Select select, ObjectTexts types, ObjectTexts names, Texts texts) except *
cdef void _add_phi(TextBuffer text, Phi phi, ObjectTexts types, ObjectTexts names) except *
cdef void _add_return(TextBuffer text, Return instruction, ObjectTexts types, ObjectTexts names) except *
cdef void _add_branch(TextBuffer text, Branch branch, ObjectTexts types, ObjectTexts names) except *
@cython.locals(condition=Value, number=Value)
cdef void _add_switch(TextBuffer text, Switch switch, ObjectTexts types, ObjectTexts names) except *
cdef void _add_call(TextBuffer text, Call call, ObjectTexts types, ObjectTexts names, Texts texts) except *
cdef void _add_invoke(TextBuffer text, CallBase invoke, ObjectTexts types, ObjectTexts names, Texts texts) except *
cdef void _add_call_branch(TextBuffer text, CallBase branch, ObjectTexts types, ObjectTexts names, Texts texts) except *
@cython.locals(callee=Value)
cdef void _add_called(TextBuffer text, CallBase call, ObjectTexts types, ObjectTexts names, Texts texts, bint has_ellipsis) except *
cdef _call_words(attributes, Texts texts)
@cython.locals(argument=Value, callee=Value, size=Py_ssize_t, index=Py_ssize_t)
cdef void _add_arguments(TextBuffer text, CallBase call, words, ObjectTexts types, ObjectTexts names, Texts texts) except *
@cython.locals(value=Value, is_first=bint)
cdef void _add_listed(TextBuffer text, values, ObjectTexts types, ObjectTexts names, Texts texts) except *
