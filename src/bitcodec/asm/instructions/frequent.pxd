# C signatures of what the functions of `frequent.py` share.

cdef bint _is_one(count) except -1
cdef str _called(call, str arguments, types, names, texts)
cdef _call_words(attributes, texts)
cdef str _arguments(call, types, names, texts)
cdef str _listed(values, types, names, texts)
