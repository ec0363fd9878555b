# Attributes and C signatures of `tally.py`.

cimport cython

cimport bitcodec.host.native as native


cdef unsigned int _UNABBREV_RECORD
cdef Py_ssize_t _CODES, _FIGURES


@cython.locals(figures="unsigned long long[::1]", counts=dict, row=Py_ssize_t, cell=Py_ssize_t)
cpdef tally_records(
    const unsigned int[::1] block, const unsigned int[::1] code, const unsigned int[::1] abbreviation,
    const unsigned long long[::1] start, const unsigned long long[::1] end, const unsigned int[::1] kind_of_block,
    Py_ssize_t kinds
)
@cython.locals(found=list, index=Py_ssize_t)
cpdef find_operands(const unsigned long long[::1] operands, unsigned long long least, unsigned long long most)
